package dbt

import (
	"cmp"
	"io"
	"maps"
	"slices"
	"strings"

	headwaterv1 "github.com/headwater-data/headwater/gen/headwater/v1"
)

// Catalog is what a catalog.json says: the columns that dbt found in the database.
type Catalog struct {
	Metadata Metadata                `json:"metadata"`
	Nodes    map[string]CatalogTable `json:"nodes"`
	Sources  map[string]CatalogTable `json:"sources"`
}

// CatalogTable is a table that exists.
type CatalogTable struct {
	Columns map[string]Column `json:"columns"`
}

// ReadCatalog reads a catalog.json, which `dbt docs generate` writes.
func ReadCatalog(r io.Reader) (*Catalog, error) {
	var catalog Catalog
	if _, err := readArtifact(r, "catalog", &catalog, &catalog.Metadata); err != nil {
		return nil, err
	}
	return &catalog, nil
}

// fields are the columns of a node that are really known: those that the catalog found, or else those of an enforced
// contract. Columns that somebody merely described may be some of many.
func (c *Catalog) fields(node Node) []*headwaterv1.SchemaField {
	if c != nil {
		for _, tables := range []map[string]CatalogTable{c.Nodes, c.Sources} {
			if table, found := tables[node.UniqueID]; found {
				return fieldsOf(table.Columns, node.Columns)
			}
		}
	}
	if node.Config.Contract.Enforced {
		return fieldsOf(node.Columns, node.Columns)
	}
	return nil
}

// fieldsOf are columns in the order of the catalog, or where there is none in that of their names, each with what those that
// somebody described say of it. The catalog spells names as the database does, and people as they like.
func fieldsOf(columns, described map[string]Column) []*headwaterv1.SchemaField {
	descriptions := map[string]string{}
	for _, column := range described {
		descriptions[strings.ToLower(column.Name)] = column.Description
	}
	ordered := slices.SortedFunc(maps.Values(columns), func(a, b Column) int {
		return cmp.Or(cmp.Compare(a.Index, b.Index), cmp.Compare(a.Name, b.Name))
	})
	var fields []*headwaterv1.SchemaField
	for _, column := range ordered {
		fields = append(fields, &headwaterv1.SchemaField{
			Name: column.Name, Type: cmp.Or(column.Type, column.DataType), Description: descriptions[strings.ToLower(column.Name)],
		})
	}
	return fields
}

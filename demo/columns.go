package demo

// influence is one arrow of column lineage: a column of an input, and how it acts.
type influence struct {
	of                    table
	column, kind, subtype string
	masking               bool
}

func identity(of table, column string) influence {
	return influence{of, column, "DIRECT", "IDENTITY", false}
}

func transformed(of table, column string) influence {
	return influence{of, column, "DIRECT", "TRANSFORMATION", false}
}

func masked(of table, column string) influence {
	return influence{of, column, "DIRECT", "TRANSFORMATION", true}
}

func aggregated(of table, column string) influence {
	return influence{of, column, "DIRECT", "AGGREGATION", false}
}

// indirect influences the rows: a FILTER, JOIN or GROUP_BY.
func indirect(subtype string, of table, column string) influence {
	return influence{of, column, "INDIRECT", subtype, false}
}

func (i influence) inputField() facets {
	return facets{
		"namespace": i.of.Namespace, "name": i.of.Name, "field": i.column,
		"transformations": []facets{{"type": i.kind, "subtype": i.subtype, "description": "", "masking": i.masking}},
	}
}

func inputFields(influences []influence) []facets {
	fields := make([]facets, len(influences))
	for i, influence := range influences {
		fields[i] = influence.inputField()
	}
	return fields
}

// written mentions a table with its column lineage: what each column is made of, and what influences every row.
func (t integration) written(to table, columns map[string][]influence, rows ...influence) dataset {
	fields := facets{}
	for column, influences := range columns {
		fields[column] = facets{"inputFields": inputFields(influences)}
	}
	output := t.dataset(to)
	output.Facets["columnLineage"] = t.facet("1-2-0/ColumnLineageDatasetFacet", facets{
		"fields": fields, "dataset": inputFields(rows),
	})
	return output
}

// copied mentions a table each of whose columns is that of another one.
func (t integration) copied(to, from table) dataset {
	columns := map[string][]influence{}
	for _, column := range to.columns {
		columns[column.Name] = []influence{identity(from, column.Name)}
	}
	return t.written(to, columns)
}

package dbt

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// Naming says how the tables and jobs of a project are called, so that what it declares meets what OpenLineage's dbt
// integration observes.
type Naming struct {
	// Datasets is the namespace of the tables: that of the database.
	Datasets string
	// Jobs is the namespace of the models as jobs: OPENLINEAGE_NAMESPACE of the integration.
	Jobs string
}

// namespaceForms say what the namespace of an adapter's tables looks like.
// Source: OpenLineage's dbt integration, DbtArtifactProcessor.extract_namespace.
var namespaceForms = map[string]string{
	"athena":     "awsathena://athena.REGION.amazonaws.com",
	"clickhouse": "clickhouse://HOST:PORT",
	"databricks": "databricks://HOST",
	"dremio":     "dremio://HOST:PORT",
	"duckdb":     "duckdb://PATH",
	"fabric":     "fabric-warehouse://SERVER:PORT",
	"glue":       "arn:aws:glue:REGION:ACCOUNT",
	"postgres":   "postgres://HOST:PORT",
	"redshift":   "redshift://HOST:PORT",
	"snowflake":  "snowflake://ACCOUNT",
	"spark":      "spark://HOST:PORT",
	"sqlserver":  "mssql://SERVER:PORT",
	"trino":      "trino://HOST:PORT",
}

// DatasetNamespace is the namespace of the tables that adapter makes. A manifest does not say which database that is, so
// it has to be given but for BigQuery, where there is one.
func DatasetNamespace(adapter, given string) (string, error) {
	switch {
	case given != "":
		return given, nil
	case adapter == "bigquery":
		return "bigquery", nil
	default:
		form := cmp.Or(namespaceForms[adapter], "as its producers report it")
		return "", fmt.Errorf("a manifest does not say which database its tables are in: give the namespace, for %s %s", cmp.Or(adapter, "this adapter"), form)
	}
}

// dataset is the name of a node's table: database.schema.table, without what the adapter does not have. A source is
// called by its identifier, which is the table's name in the database.
func dataset(node Node) string {
	table := cmp.Or(node.Alias, node.Identifier, node.Name)
	return strings.Join(slices.DeleteFunc([]string{node.Database, node.Schema, table}, func(part string) bool { return part == "" }), ".")
}

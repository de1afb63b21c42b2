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

// namespaceForms say what the namespace of an adapter's tables looks like, with the keys of a target in profiles.yml.
// Source: OpenLineage's dbt integration, DbtArtifactProcessor.extract_namespace.
var namespaceForms = map[string]string{
	"athena":     "awsathena://athena.{region_name}.amazonaws.com",
	"clickhouse": "clickhouse://{host}:{port}",
	"databricks": "databricks://{host}",
	"dremio":     "dremio://{software_host}:{port}",
	"duckdb":     "duckdb://{path}",
	"fabric":     "fabric-warehouse://{server}:{port}",
	"glue":       "arn:aws:glue:{region}:{account of role_arn}",
	"postgres":   "postgres://{host}:{port}",
	"redshift":   "redshift://{host}:{port}",
	"snowflake":  "snowflake://{account}",
	"spark":      "spark://{host}:{port}",
	"sqlserver":  "mssql://{server}:{port}",
	"trino":      "trino://{host}:{port}",
}

// DatasetNamespace is the namespace of the tables that adapter makes. A manifest does not say which database that is, so
// it has to be given but for BigQuery, where there is one.
func DatasetNamespace(adapter, given string) (string, error) {
	const missing = "a manifest does not say which database its tables are in: give the namespace"
	form, known := namespaceForms[adapter]
	switch {
	case given != "":
		return given, nil
	case adapter == "bigquery":
		return "bigquery", nil
	case known:
		return "", fmt.Errorf("%s, for %s %s with the values of the target in profiles.yml; "+
			"where runs on the tables are known, headwater namespaces list shows it", missing, adapter, form)
	default:
		return "", fmt.Errorf("%s under which the runs of %s report tables: headwater namespaces list shows those that are known",
			missing, cmp.Or(adapter, "this adapter"))
	}
}

// dataset is the name of a node's table: database.schema.table, without what the adapter does not have. A source is
// called by its identifier, which is the table's name in the database.
func dataset(node Node) string {
	table := cmp.Or(node.Alias, node.Identifier, node.Name)
	return strings.Join(slices.DeleteFunc([]string{node.Database, node.Schema, table}, func(part string) bool { return part == "" }), ".")
}

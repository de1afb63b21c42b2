package lineage

import (
	"maps"
	"slices"
)

// What storage layers keep in a folder beside the data: Hive's partition folders; the working folders of Hadoop's output
// committers, Hive, Spark and Impala; their files; a wildcard in the place of files; and Delta's log.
var (
	partitionFolders = []string{"*=*"}
	stagingFolders   = []string{
		"_temporary", ".hive-staging*", ".spark-staging*", "_impala_insert_staging", "_SUCCESS", `\*`, `\*.*`,
		"part-0*", "part-1*", "part-2*", "part-r-*", "part-m-*", // not part-numbers, which may be data
		"_delta_log", "_change_data",
	}
)

// dbtTables are what dbt builds a table as before it swaps it in.
// Source: the macros make_intermediate_relation and make_backup_relation of dbt-adapters.
var dbtTables = []string{"*__dbt_tmp*", "*__dbt_backup*"}

func storagePreset(namespace, platform string, shape NameShape) NamespaceRule {
	return NamespaceRule{
		Namespace: namespace, Platform: platform, Shape: shape, Partitions: partitionFolders, Staging: stagingFolders,
	}
}

func tablePreset(namespace, platform string, shape NameShape, letters NameCase) NamespaceRule {
	return NamespaceRule{Namespace: namespace, Platform: platform, Shape: shape, Case: letters, Staging: dbtTables}
}

// namespacePresets are rules for common platforms. Namespaces and shapes are those of OpenLineage's naming conventions
// (https://openlineage.io/docs/spec/naming and spec/Naming.md in its repository). The case is that to which the platform
// itself folds a name without quotes; preserve where names that differ in case are different names. Columns are apart where
// the platform keeps the case of tables only.
var namespacePresets = map[string]NamespaceRule{
	"postgres":   tablePreset("postgres://*", "postgres", "database.schema.table", CaseLower),
	"redshift":   tablePreset("redshift://*", "redshift", "database.schema.table", CaseLower),
	"snowflake":  tablePreset("snowflake://*", "snowflake", "database.schema.table", CaseUpper),
	"oracle":     tablePreset("oracle://*", "oracle", "service.schema.table", CaseUpper),
	"mssql":      anyCaseColumns(tablePreset("mssql://*", "mssql", "database.schema.table", CasePreserve)),
	"mysql":      anyCaseColumns(tablePreset("mysql://*", "mysql", "database.table", CasePreserve)),
	"trino":      tablePreset("trino://*", "trino", "catalog.schema.table", CaseLower),
	"hive":       tablePreset("hive://*", "hive", "database.table", CaseLower),
	"databricks": tablePreset("databricks://*", "databricks", "catalog.schema.table", CaseLower),
	"unity":      tablePreset("unitycatalog://*", "databricks", "catalog.schema.table", CaseLower),
	"athena":     tablePreset("awsathena://*", "athena", "catalog.database.table", CaseLower),
	"glue":       tablePreset("arn:aws*:glue:*", "glue", "table/database/table", CaseLower),
	"cassandra":  tablePreset("cassandra://*", "cassandra", "keyspace.table", CaseLower),
	"cosmos":     {Namespace: "azurecosmos://*", Platform: "cosmos", Shape: "colls/table"},
	"crate":      tablePreset("crate://*", "crate", "database.schema.table", CaseLower),
	"db2":        tablePreset("db2://*", "db2", "database.schema.table", CaseUpper),
	"kusto":      {Namespace: "azurekusto://*", Platform: "kusto", Shape: "database/table"},
	"oceanbase":  anyCaseColumns(tablePreset("oceanbase://*", "oceanbase", "database.table", CasePreserve)),
	"pubsub":     {Namespace: "pubsub", Platform: "pubsub"},
	"spanner":    anyCaseColumns(tablePreset("spanner://*", "spanner", "database.schema.table", CasePreserve)),
	"teradata":   tablePreset("teradata://*", "teradata", "database.table", CaseUpper),
	"bigquery":   bigQueryPreset(),
	"s3":         storagePreset("s3://*", "s3", ShapeKey),
	"gcs":        storagePreset("gs://*", "gcs", ShapeKey),
	"abfs":       storagePreset("abfss://*", "abfs", ShapeKey),
	"hdfs":       storagePreset("hdfs://*", "hdfs", ShapePath),
	"dbfs":       storagePreset("dbfs://*", "databricks", ShapePath),
	"file":       storagePreset("file*", "file", ShapePath),
	"kafka":      {Namespace: "kafka://*", Platform: "kafka", Shape: ShapeTopic},
	// Tables of both formats are named by where they lie, so these two go with the namespace of a bucket.
	"delta":   anyCaseColumns(storagePreset("", "delta", ShapeKey)),
	"iceberg": icebergPreset(),
}

// anyCaseColumns says that columns are the same in any case.
func anyCaseColumns(rule NamespaceRule) NamespaceRule {
	rule.Columns = CaseLower
	return rule
}

// bigQueryPreset also folds partition decorators, as in orders$20260719.
func bigQueryPreset() NamespaceRule {
	rule := anyCaseColumns(tablePreset("bigquery", "bigquery", "project.dataset.table", CasePreserve))
	rule.Partitions = []string{"*$*"}
	return rule
}

// icebergPreset also folds a table's folder of metadata.
func icebergPreset() NamespaceRule {
	rule := anyCaseColumns(storagePreset("", "iceberg", ShapeKey))
	rule.Staging = append(slices.Clone(rule.Staging), "metadata")
	return rule
}

// NamespacePresets are the names of the presets, sorted.
func NamespacePresets() []string { return slices.Sorted(maps.Keys(namespacePresets)) }

// withPreset fills in what the rule leaves open. ok is false where there is no such preset.
func (r NamespaceRule) withPreset() (filled NamespaceRule, ok bool) {
	if r.Preset == "" {
		return r, true
	}
	preset, ok := namespacePresets[r.Preset]
	if !ok {
		return r, false
	}
	r.Preset = ""
	setWhereEmpty(&r.Namespace, preset.Namespace)
	setWhereEmpty(&r.Platform, preset.Platform)
	setWhereEmpty(&r.Case, preset.Case)
	setWhereEmpty(&r.Columns, preset.Columns)
	setWhereEmpty(&r.Shape, preset.Shape)
	r.Partitions = slices.Concat(preset.Partitions, r.Partitions)
	r.Staging = slices.Concat(preset.Staging, r.Staging)
	return r, true
}

func setWhereEmpty[T ~string](value *T, preset T) {
	if *value == "" {
		*value = preset
	}
}

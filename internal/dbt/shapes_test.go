package dbt_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/headwater-data/headwater/internal/dbt"
)

// declareText declares a manifest of some members, with a catalog where there is one.
func declareText(t *testing.T, adapter, members, catalog string) *dbt.Declaration {
	t.Helper()
	manifest, err := dbt.ReadManifest(strings.NewReader(`{"metadata": {"dbt_schema_version": "https://schemas.getdbt.com/dbt/manifest/v12.json",
		"generated_at": "2026-07-19T06:00:00.000000Z", "project_name": "shop", "adapter_type": "` + adapter + `"}, ` + members + `}`))
	require.NoError(t, err)
	var found *dbt.Catalog
	if catalog != "" {
		found, err = dbt.ReadCatalog(strings.NewReader(`{"metadata": {"dbt_schema_version": "https://schemas.getdbt.com/dbt/catalog/v1.json"}, ` + catalog + `}`))
		require.NoError(t, err)
	}
	declaration, err := dbt.Declare(manifest, found, naming, "prod")
	require.NoError(t, err)
	return declaration
}

func kindOf(id string) string {
	kind, _, _ := strings.Cut(id, ".")
	return kind
}

// tableNode is a node of a manifest that has a table, or none where it is ephemeral.
func tableNode(id, database, table, materialized, dependsOn string) string {
	name := id[strings.LastIndex(id, ".")+1:]
	return `"` + id + `": {"unique_id": "` + id + `", "resource_type": "` + kindOf(id) + `", "package_name": "shop", "database": ` + database + `,
		"schema": "mart", "name": "` + name + `", "alias": "` + table + `", "relation_name": null, "access": "protected", "group": "finance",
		"config": {"materialized": "` + materialized + `", "group": "finance"}, "depends_on": {"macros": [], "nodes": [` + dependsOn + `]}}`
}

// through is a node without a table.
func through(id, dependsOn string) string {
	return `"` + id + `": {"unique_id": "` + id + `", "resource_type": "` + kindOf(id) + `", "name": "x", "depends_on": {"nodes": [` + dependsOn + `]}}`
}

func TestWhatHasNoTableIsPassedThrough(t *testing.T) {
	t.Parallel()
	declaration := declareText(t, "postgres", `
		"nodes": {`+strings.Join([]string{
		tableNode("model.shop.dim.v1", `"db"`, "dim_v1", "table", ""),
		tableNode("model.shop.dim.v2", `"db"`, "dim", "incremental", `"model.shop.dim.v1"`),
		tableNode("model.shop.eph1", `"db"`, "eph1", "ephemeral", `"model.shop.dim.v2"`),
		tableNode("model.shop.eph2", `"db"`, "eph2", "ephemeral", `"model.shop.eph1", "function.shop.f"`),
		tableNode("model.shop.fact", `"db"`, "fact", "materialized_view", `"model.shop.eph2", "model.shop.eph1"`),
		tableNode("model.shop.python", `"db"`, "python", "table", `"model.shop.fact"`),
	}, ",")+`},
		"functions": {`+through("function.shop.f", `"model.shop.dim.v1"`)+`},
		"semantic_models": {`+through("semantic_model.shop.s", `"model.shop.fact"`)+`},
		"metrics": {`+through("metric.shop.m", `"semantic_model.shop.s"`)+`, `+through("metric.shop.ratio", `"metric.shop.m", "metric.shop.ratio"`)+`},
		"saved_queries": {`+through("saved_query.shop.q", `"metric.shop.ratio"`)+`},
		"exposures": {`+through("exposure.shop.dashboard", `"saved_query.shop.q"`)+`, `+through("exposure.shop.portal", `"exposure.shop.dashboard"`)+`},
		"unit_tests": {`+through("unit_test.shop.t", `"model.shop.fact"`)+`}, "disabled": {"model.shop.off": [{}]},
		"groups": {"group.shop.finance": {"name": "finance", "owner": {"email": "f@example.com"}}}`, "")
	require.Equal(t, []string{
		"model.shop.dim.v1:  -> db.mart.dim_v1",
		"model.shop.dim.v2: db.mart.dim_v1 -> db.mart.dim",
		"model.shop.fact: db.mart.dim, db.mart.dim_v1 -> db.mart.fact",
		"model.shop.python: db.mart.fact -> db.mart.python",
		"exposure.shop.dashboard: db.mart.fact -> ",
		"exposure.shop.portal: db.mart.fact -> ",
	}, flows(declaration.Snapshot))
	require.Empty(t, declaration.Warnings)
	require.Equal(t, 2, declaration.Counts.Ephemeral)
}

func TestTablesAreCalledByWhatTheirAdapterHas(t *testing.T) {
	t.Parallel()
	for adapter, test := range map[string]struct{ database, want string }{
		"postgres": {`"shop"`, "shop.mart.orders"}, "snowflake": {`"ANALYTICS"`, "ANALYTICS.mart.orders"},
		"bigquery": {`"my-project"`, "my-project.mart.orders"}, "databricks": {`"main"`, "main.mart.orders"},
		"spark": {`null`, "mart.orders"}, "clickhouse": {`""`, "mart.orders"}, "athena": {`"awsdatacatalog"`, "awsdatacatalog.mart.orders"},
		"duckdb": {`"shop"`, "shop.mart.orders"}, "trino": {`"hive"`, "hive.mart.orders"}, "sqlserver": {`"shop"`, "shop.mart.orders"},
	} {
		declaration := declareText(t, adapter, `"nodes": {`+tableNode("model.shop.orders", test.database, "orders", "view", "")+`}`, "")
		require.Equal(t, test.want, declaration.Snapshot.GetDatasets()[0].GetName(), adapter)
	}
}

func TestSourcesAreCalledByTheirIdentifierInWhateverDatabase(t *testing.T) {
	t.Parallel()
	declaration := declareText(t, "postgres", `"nodes": {`+tableNode("model.shop.a", `"db"`, "a", "view", `"source.shop.raw.items", "source.shop.raw.own"`)+`,
		`+tableNode("model.shop.z", `"db"`, "z", "view", "")+`},
		"sources": {"source.shop.raw.items": {"unique_id": "source.shop.raw.items", "resource_type": "source", "database": "Other DB", "schema": "Raw",
			"name": "items", "identifier": "Order Items", "quoting": {"identifier": true}, "relation_name": "\"Other DB\".\"Raw\".\"Order Items\""},
		"source.shop.raw.own": {"unique_id": "source.shop.raw.own", "resource_type": "source", "database": "db", "schema": "mart", "name": "own", "identifier": "z"}}`, "")
	require.Equal(t, []string{"model.shop.a: Other DB.Raw.Order Items, db.mart.z -> db.mart.a", "model.shop.z:  -> db.mart.z"}, flows(declaration.Snapshot))
	for _, dataset := range declaration.Snapshot.GetDatasets() {
		if dataset.GetName() == "db.mart.z" {
			require.Equal(t, "VIEW", dataset.GetAttributes().GetDatasetType(), "the model tells more of it than the source")
		}
	}
}

func TestColumnsOfTheCatalogAreDescribedInWhateverCase(t *testing.T) {
	t.Parallel()
	model := strings.Replace(tableNode("model.shop.a", `"DB"`, "A", "table", ""), `"depends_on"`,
		`"columns": {"order_id": {"name": "order_id", "description": "The key."}}, "depends_on"`, 1)
	declaration := declareText(t, "snowflake", `"nodes": {`+model+`}`,
		`"nodes": {"model.shop.a": {"columns": {"ORDER_ID": {"name": "ORDER_ID", "type": "NUMBER", "index": 1}}}}, "sources": {}`)
	field := declaration.Snapshot.GetDatasets()[0].GetFields()[0]
	require.Equal(t, []string{"ORDER_ID", "NUMBER", "The key."}, []string{field.GetName(), field.GetType(), field.GetDescription()})
}

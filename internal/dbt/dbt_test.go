package dbt_test

import (
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	headwaterv1 "github.com/headwater-data/headwater/gen/headwater/v1"
	"github.com/headwater-data/headwater/internal/dbt"
)

var naming = dbt.Naming{Datasets: "postgres://shop-db:5432", Jobs: "dbt"}

func readManifest(t *testing.T, path string) *dbt.Manifest {
	t.Helper()
	file, err := os.Open(path)
	require.NoError(t, err)
	defer file.Close()
	manifest, err := dbt.ReadManifest(file)
	require.NoError(t, err)
	return manifest
}

func readCatalog(t *testing.T, path string) *dbt.Catalog {
	t.Helper()
	file, err := os.Open(path)
	require.NoError(t, err)
	defer file.Close()
	catalog, err := dbt.ReadCatalog(file)
	require.NoError(t, err)
	return catalog
}

// declare declares the manifest of testdata.
func declare(t *testing.T, catalog *dbt.Catalog) *dbt.Declaration {
	t.Helper()
	declaration, err := dbt.Declare(readManifest(t, "testdata/manifest.json"), catalog, naming, "prod")
	require.NoError(t, err)
	return declaration
}

// flows writes each flow as "job: inputs -> outputs".
func flows(snapshot *headwaterv1.DeclaredSnapshot) []string {
	names := func(places []int32) string {
		var list []string
		for _, place := range places {
			list = append(list, snapshot.GetDatasets()[place].GetName())
		}
		slices.Sort(list)
		return strings.Join(list, ", ")
	}
	var list []string
	for _, flow := range snapshot.GetFlows() {
		list = append(list, flow.GetJob().GetName()+": "+names(flow.GetInputs())+" -> "+names(flow.GetOutputs()))
	}
	return list
}

func TestManifestGivesTheTablesThatEachJobReadsAndWrites(t *testing.T) {
	t.Parallel()
	snapshot := declare(t, nil).Snapshot
	require.Equal(t, "dbt/shop/prod", snapshot.GetScope())
	require.Equal(t, time.Date(2026, 7, 19, 6, 0, 0, 0, time.UTC), snapshot.GetEffectiveAt().AsTime())
	require.Equal(t, []string{
		"model.shop.customers: shop.raw.customers -> shop.mart.customers",
		"model.shop.daily_orders: shop.raw.countries, shop.raw.orders_v2 -> shop.mart.orders_by_day",
		"seed.shop.countries:  -> shop.raw.countries",
		"snapshot.shop.orders_history: shop.mart.orders_by_day -> shop.history.orders_history",
		"exposure.shop.sales_overview: shop.mart.customers, shop.mart.orders_by_day -> ",
	}, flows(snapshot))
	require.Equal(t, "postgres://shop-db:5432", snapshot.GetDatasets()[0].GetNamespace())
	require.Equal(t, "dbt", snapshot.GetFlows()[0].GetJob().GetNamespace())
	require.Equal(t, "d0", snapshot.GetFlows()[1].GetJobVersion())
}

func TestCountsTellWhatBecameOfEachNode(t *testing.T) {
	t.Parallel()
	declaration := declare(t, nil)
	require.Equal(t, dbt.Counts{
		Models: 2, Seeds: 1, Snapshots: 1, Sources: 2, Exposures: 1, Ephemeral: 1, Tests: 1, WithColumns: 1,
	}, declaration.Counts)
	require.Equal(t, []string{"model.shop.customers depends on model.gone.upstream, which the manifest does not hold"}, declaration.Warnings)
}

// columns writes the fields of each dataset that has some.
func columns(snapshot *headwaterv1.DeclaredSnapshot) map[string]string {
	found := map[string]string{}
	for _, dataset := range snapshot.GetDatasets() {
		var list []string
		for _, field := range dataset.GetFields() {
			list = append(list, field.GetName()+" "+field.GetType())
		}
		if len(list) > 0 {
			found[dataset.GetName()] = strings.Join(list, ", ")
		}
	}
	return found
}

func TestColumnsAreThoseThatAreReallyKnown(t *testing.T) {
	t.Parallel()
	contract := map[string]string{"shop.mart.customers": "id bigint"}
	require.Equal(t, contract, columns(declare(t, nil).Snapshot), "a column that somebody described may be one of many")
	require.Equal(t, map[string]string{
		"shop.mart.customers":     "id bigint",
		"shop.mart.orders_by_day": "day date, orders bigint",
		"shop.raw.orders_v2":      "id bigint",
	}, columns(declare(t, readCatalog(t, "testdata/catalog.json")).Snapshot))
}

func TestColumnsSayWhatSomebodyDescribedThemAs(t *testing.T) {
	t.Parallel()
	descriptions := map[string]string{}
	for _, dataset := range declare(t, readCatalog(t, "testdata/catalog.json")).Snapshot.GetDatasets() {
		for _, field := range dataset.GetFields() {
			descriptions[dataset.GetName()+" "+field.GetName()] = field.GetDescription()
		}
	}
	require.Equal(t, "The day on which it was ordered.", descriptions["shop.mart.orders_by_day day"])
	require.Empty(t, descriptions["shop.mart.orders_by_day orders"])
}

func TestManifestThatIsNoneIsRefusedWithTheReason(t *testing.T) {
	t.Parallel()
	for text, reason := range map[string]string{
		`{"nodes": `: "this is no manifest.json of dbt",
		`{"metadata": {"dbt_schema_version": "https://schemas.getdbt.com/dbt/catalog/v1.json"}, "nodes": {}}`:  "this is no manifest.json of dbt",
		`{"metadata": {"dbt_schema_version": "https://schemas.getdbt.com/dbt/manifest/v1.json"}, "nodes": {}}`: "version 1",
		`{"metadata": {"dbt_schema_version": "https://schemas.getdbt.com/dbt/manifest/v12.json"}}`:             "no nodes",
	} {
		_, err := dbt.ReadManifest(strings.NewReader(text))
		require.ErrorContains(t, err, reason, text)
	}
}

func TestNamespaceIsThatOfTheDatabase(t *testing.T) {
	t.Parallel()
	namespace, err := dbt.DatasetNamespace("bigquery", "")
	require.NoError(t, err)
	require.Equal(t, "bigquery", namespace)
	namespace, err = dbt.DatasetNamespace("postgres", "postgres://shop-db:5432")
	require.NoError(t, err)
	require.Equal(t, "postgres://shop-db:5432", namespace)
	_, err = dbt.DatasetNamespace("snowflake", "")
	require.ErrorContains(t, err, "snowflake://{account} with the values of the target in profiles.yml")
	_, err = dbt.DatasetNamespace("oracle", "")
	require.ErrorContains(t, err, "the runs of oracle report tables")
}

func TestManifestTellsWhomToAskAndWhatATableIs(t *testing.T) {
	t.Parallel()
	snapshot := declare(t, nil).Snapshot
	var daily *headwaterv1.NodeAttributes
	for _, dataset := range snapshot.GetDatasets() {
		if dataset.GetName() == "shop.mart.orders_by_day" {
			daily = dataset.GetAttributes()
		}
	}
	require.Equal(t, "TABLE", daily.GetDatasetType())
	require.Equal(t, "Orders by day.", daily.GetDocumentation())
	require.Equal(t, "data-team", daily.GetOwners()[0].GetName())
	require.Equal(t, "finance", daily.GetTags()[0].GetKey())
	exposure := snapshot.GetFlows()[4]
	require.Equal(t, "ines@example.com", exposure.GetAttributes().GetOwners()[0].GetName())
	require.Nil(t, snapshot.GetFlows()[0].GetAttributes())
}

package lineage_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/headwater-data/headwater/lineage"
)

// writesOrders is an event of the job that reads a and b and writes orders, with facets of the job, of orders and of a.
func writesOrders(t *testing.T, run, job, orders, a string) (lineage.Contribution, []lineage.Warning) {
	t.Helper()
	return contributed(t, []byte(`{`+run+`"eventTime": "2024-06-01T10:00:00Z", "job": {"namespace": "shop", "name": "load_orders", "facets": {`+job+`}},
		"inputs": [{"namespace": "n", "name": "a", "facets": {`+a+`}}, {"namespace": "n", "name": "b"}],
		"outputs": [{"namespace": "s3://lake", "name": "orders", "facets": {`+orders+`}}, {"namespace": "s3://lake", "name": "log"}]}`))
}

const completed = `"eventType": "COMPLETE", "run": {"runId": "0176a8c2-fe01-7439-87e6-56a1a1b4029f"}, `

func TestLineageFacetOfAnOutputIsAsAnEntryOfTheJobs(t *testing.T) {
	own := `"inputs": [` + from("") + `], "fields": {"x": {"inputs": [` + from("i", identity) + `]}}`
	entry := `"lineage": {"entries": [{"namespace": "s3://lake", "name": "orders", "type": "DATASET", ` + own + `}]}`
	for _, run := range []string{completed, ""} {
		job, _ := writesOrders(t, run, entry, "", "")
		output, warnings := writesOrders(t, run, "", `"lineage": {`+own+`}, "columnLineage": {"fields": {"x": {"inputFields": [`+from("stale")+`]}}}`, "")
		require.Empty(t, warnings)
		require.Equal(t, job.Explicit, output.Explicit)
		require.Equal(t, job.Maps, output.Maps[:1])
		require.Empty(t, output.Unread)
	}
	output, _ := writesOrders(t, completed, "", `"lineage": {`+own+`}`, "")
	run := published(output)
	require.Equal(t, []string{"a -> orders", "b -> [shop.load_orders]"}, edges(run.Statements()), "and no product of inputs and outputs beside it")
}

func TestLineageFacetsOfJobAndOutputAddUp(t *testing.T) {
	both, _ := writesOrders(t, completed,
		`"lineage": {"entries": [{"namespace": "s3://lake", "name": "orders", "type": "DATASET", "inputs": [`+from("")+`]}]}`,
		`"lineage": {"inputs": [{"namespace": "n", "name": "b", "type": "DATASET"}]}`, "")
	require.Equal(t, []string{"a -> orders", "b -> orders"}, edges(published(both).Statements()))
	broken, warnings := writesOrders(t, completed, `"lineage": {"entries": [{"namespace": "n", "name": "x", "type": "DATASET", "inputs": []}, 7]}`,
		`"lineage": {"inputs": [{"namespace": "n", "name": "b", "type": "DATASET"}, {}]}`, "")
	require.Len(t, warnings, 2)
	require.Equal(t, "job.facets.lineage", warnings[0].Path)
	require.Equal(t, "outputs[0].facets.lineage", warnings[1].Path)
	require.Equal(t, []string{"a -> [shop.load_orders]", "b -> orders"}, edges(published(broken).Statements()), "one that cannot be read takes nothing from the other")
}

func TestLineageFacetOfAnInputSaysNothingOfTheJob(t *testing.T) {
	input, _ := writesOrders(t, completed, "", "", `"lineage": {"inputs": [{"namespace": "n", "name": "x", "type": "DATASET"}]}`)
	require.Empty(t, input.Explicit)
	require.Equal(t, []string{"inputs.facets.lineage"}, input.Unread)
}

package lineage_test

import (
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/headwater-data/headwater/lineage"
)

const deletedFacet = `{"_producer": "https://example.com", "_schemaURL": "https://example.com", "_deleted": true}`

// facetEvent is the complete run some minutes later, with facets of its job and of its output.
func facetEvent(t *testing.T, eventType, minutes, jobFacets, outputFacets string) lineage.Contribution {
	t.Helper()
	document := edited(t, completeRun, `"COMPLETE"`, `"`+eventType+`"`, "10:00:00Z", "10:"+minutes+":00Z",
		`load_orders", "facets": {}`, `load_orders", "facets": {`+jobFacets+`}`, outputsMember,
		`"outputs": [{"namespace": "s3://lake", "name": "orders", "facets": {`+outputFacets+`}}]`)
	c, warnings := contributed(t, document)
	require.Empty(t, warnings)
	return c
}

func TestDeletedFacetTakesAwayWhatWasSaidBeforeIt(t *testing.T) {
	const (
		columns = `"columnLineage": {"fields": {"id": {"inputFields": [{"namespace": "n", "name": "a", "field": "id"}]}}}`
		entries = `"lineage": {"entries": [{"namespace": "s3://lake", "name": "orders", "type": "DATASET", "inputs": [{"namespace": "n", "name": "b", "type": "DATASET"}]}]}`
		own     = `"lineage": {"inputs": [{"namespace": "n", "name": "b", "type": "DATASET"}], "fields": {"id": {"inputs": []}}}`
		version = `"sourceCodeLocation": {"url": "https://example.com", "version": "v1"}`
		mode    = `"jobType": {"processingType": "STREAMING", "integration": "FLINK"}`
	)
	for name, test := range map[string]struct {
		job, output, deletedJob, deletedOutput string
		read                                   func(lineage.Run) []string
		before, after                          []string
	}{
		"column lineage": {
			output: columns, deletedOutput: `"columnLineage": ` + deletedFacet, read: edgesOf,
			before: []string{"a -> orders", "public.orders -> orders"}, after: []string{"public.orders -> orders"},
		},
		"lineage of the job": {
			job: entries, deletedJob: `"lineage": ` + deletedFacet, read: edgesOf,
			before: []string{"b -> orders", "public.orders -> [shop.load_orders]"}, after: []string{"public.orders -> orders"},
		},
		"lineage of the output": {
			output: own, deletedOutput: `"lineage": ` + deletedFacet, read: edgesOf,
			before: []string{"b -> orders", "public.orders -> [shop.load_orders]"}, after: []string{"public.orders -> orders"},
		},
		"columns in the lineage of the output": {
			output: own, deletedOutput: `"lineage": ` + deletedFacet, read: mapsOf, before: []string{"s3://lake orders"},
		},
		"version": {
			job: version, deletedJob: `"sourceCodeLocation": ` + deletedFacet,
			read: func(r lineage.Run) []string { return []string{r.JobVersion.Value} }, before: []string{"v1"}, after: []string{""},
		},
		"mode": {
			job: mode, deletedJob: `"jobType": ` + deletedFacet,
			read: func(r lineage.Run) []string { return []string{string(r.Mode.Value)} }, before: []string{"STREAMING"}, after: []string{""},
		},
	} {
		t.Run(name, func(t *testing.T) {
			said := facetEvent(t, "START", "01", test.job, test.output)
			deletes := facetEvent(t, "RUNNING", "02", test.deletedJob, test.deletedOutput)
			again := facetEvent(t, "RUNNING", "03", test.job, test.output)
			end := facetEvent(t, "COMPLETE", "04", "", "")
			require.Equal(t, test.before, test.read(lineage.Fold(loadOrdersRun, []lineage.Contribution{said, end})))
			require.Equal(t, test.after, test.read(lineage.Fold(loadOrdersRun, []lineage.Contribution{said, deletes, end})))
			require.Equal(t, test.before, test.read(lineage.Fold(loadOrdersRun, []lineage.Contribution{said, deletes, again, end})))
			rapid.Check(t, func(rt *rapid.T) {
				events := rapid.Permutation([]lineage.Contribution{said, deletes, end}).Draw(rt, "order")
				require.Equal(rt, test.after, test.read(*folded(events...)), "in any order")
			})
		})
	}
}

// mapsOf are the outputs of which the run states columns.
func mapsOf(run lineage.Run) []string {
	publish(&run)
	var outputs []string
	for _, statement := range columnStatements(&run) {
		outputs = append(outputs, statement.Output.Namespace+" "+statement.Output.Name)
	}
	return outputs
}

func edgesOf(run lineage.Run) []string {
	publish(&run)
	return edges(run.Statements())
}

func TestDeletedFacetOfAViewEndsWhatWasDeclaredOfIt(t *testing.T) {
	view := `{"eventTime": "2024-06-01T10:00:00Z", "dataset": {"namespace": "n", "name": "v", "facets": {"lineage": ` + deletedFacet + `}}}`
	var levels []lineage.Level
	for _, statement := range declare(t, []byte(view), "1") {
		require.True(t, statement.Content.ID().IsZero())
		require.True(t, statement.Speaks)
		levels = append(levels, statement.Content.Level())
	}
	require.Equal(t, []lineage.Level{lineage.FlowLevel, lineage.ColumnLevel}, levels)
}

func TestOnlyTrueDeletesAFacet(t *testing.T) {
	for _, value := range []string{"false", "null", `"true"`, "1"} {
		c := facetEvent(t, "COMPLETE", "01", `"jobType": {"processingType": "STREAMING", "_deleted": `+value+`}`, "")
		require.Equal(t, lineage.Streaming, c.Mode, value)
	}
}

package lineage_test

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/headwater-data/headwater/lineage"
)

// contributed gives what a RunEvent with these job facets says of its run.
func contributed(t testing.TB, document []byte) (lineage.Contribution, []lineage.Warning) {
	t.Helper()
	return lineage.NewContribution(decode(t, document), arrivalOf(t, document, "1"))
}

func withJobFacets(t testing.TB, facets string) []byte {
	t.Helper()
	return edited(t, completeRun, `load_orders", "facets": {}`, `load_orders", "facets": {`+facets+`}`)
}

func withRunFacets(t testing.TB, facets string) []byte {
	t.Helper()
	return edited(t, completeRun, `f2a10", "facets": {}`, `f2a10", "facets": {`+facets+`}`)
}

func withOutputFacets(t testing.TB, facets string) []byte {
	t.Helper()
	return edited(t, completeRun, `"orders", "facets": {}`, `"orders", "facets": {`+facets+`}`)
}

func TestJobVersionIsStatedOrElseAHashOfCodeAndDeclaration(t *testing.T) {
	version := func(facets string) string {
		contribution, _ := contributed(t, withJobFacets(t, facets))
		return contribution.JobVersion
	}
	require.Empty(t, version(""))
	require.Equal(t, "v7", version(`"sourceCodeLocation": {"url": "git://x", "version": "v7"}, "sql": {"query": "SELECT 1"}`))
	require.Equal(t, "a\uFFFDb", version(`"sourceCodeLocation": {"version": "a\u0000b"}`))
	require.Len(t, version(`"sourceCodeLocation": {"version": "`+strings.Repeat("x", 513)+`"}`), 8)
	require.Len(t, version(`"sourceCodeLocation": {"version": "`+strings.Repeat("x", 512)+`"}`), 512)

	hashed := version(`"sql": {"query": "SELECT 1"}`)
	require.Regexp(t, `^[0-9a-f]{8}$`, hashed)
	require.Equal(t, hashed, version(`"sql": {"query": "SELECT 1", "dialect": "ansi"}`))
	require.NotEqual(t, hashed, version(`"sql": {"query": "SELECT 2"}`))
	require.NotEqual(t, hashed, version(`"sourceCode": {"sourceCode": "SELECT 1"}`))
}

func TestFacetThatCannotBeReadSaysNothingAtAll(t *testing.T) {
	contribution, warnings := contributed(t, withJobFacets(t, `"sourceCodeLocation": {"version": "v7", "url": 5}`))
	require.Empty(t, contribution.JobVersion)
	require.Equal(t, []lineage.Warning{{
		Code: "malformed_facet", Path: "job.facets.sourceCodeLocation",
		Reason: `was left out: "/url" is a number, which is not what the facet's schema says`,
	}}, warnings)
}

func TestProcessingModeIsReadInAnyCaseAndUnknownOnesSayNothing(t *testing.T) {
	for text, want := range map[string]lineage.ProcessingMode{
		"BATCH": lineage.Batch, "streaming": lineage.Streaming, "Service": lineage.Service, "NONE": "", "": "",
	} {
		contribution, _ := contributed(t, withJobFacets(t, `"jobType": {"processingType": "`+text+`"}`))
		require.Equal(t, want, contribution.Mode, text)
	}
}

func TestParentIsReadUnderBothOfItsNames(t *testing.T) {
	want := lineage.RunKey{Job: lineage.JobID{Namespace: "airflow", Name: "shop"}, RunID: "abc"}
	for _, facets := range []string{
		`"parent": {"run": {"runId": "ABC"}, "job": {"namespace": "airflow", "name": "shop"}}`,
		`"parentRun": {"run": {"runId": "abc"}, "job": {"namespace": "airflow", "name": "shop"}}`,
		`"parent": {}, "parentRun": {"run": {"runId": "abc"}, "job": {"namespace": "airflow", "name": "shop"}}`,
		`"parent": {"run": []}, "parentRun": {"run": {"runId": "abc"}, "job": {"namespace": "airflow", "name": "shop"}}`,
	} {
		contribution, _ := contributed(t, withRunFacets(t, facets))
		require.Equal(t, want, contribution.Parent, facets)
	}
	for _, facets := range []string{
		`"parent": {"run": {}, "job": {"namespace": "airflow", "name": "shop"}}`,
		`"parent": {"run": {"runId": "abc"}}`,
		`"parent": {"run": {"runId": "a\u0000"}, "job": {"namespace": "airflow", "name": "shop"}}`,
	} {
		contribution, warnings := contributed(t, withRunFacets(t, facets))
		require.Zero(t, contribution.Parent)
		require.Equal(t, []string{"malformed_facet run.facets.parent"}, warningCodes(warnings))
	}
}

func TestErrorMessageIsKept(t *testing.T) {
	contribution, _ := contributed(t, withRunFacets(t, `"errorMessage": {"message": "boom", "programmingLanguage": "SCALA"}`))
	require.Equal(t, "boom", contribution.Error)
}

func TestExtractionErrorIsWarnedOf(t *testing.T) {
	contribution, warnings := contributed(t, withRunFacets(t, `"extractionError": {"totalTasks": 5, "failedTasks": 2, "errors": [{"errorMessage": "SELECT"}]}`))
	require.Equal(t, []string{"extraction_error run.facets.extractionError"}, warningCodes(warnings))
	require.Contains(t, warnings[0].Reason, "2 of its 5 tasks")
	require.Empty(t, contribution.Unread)
	_, warnings = contributed(t, withRunFacets(t, `"extractionError": {"totalTasks": 5, "failedTasks": 0, "errors": []}`))
	require.Empty(t, warnings)
}

func TestColumnLineageNamesDatasetsOnce(t *testing.T) {
	contribution, warnings := contributed(t, withOutputFacets(t, `"columnLineage": {
		"fields": {
			"id": {"inputFields": [{"namespace": "n", "name": "b", "field": "id"}, {"namespace": "n", "name": "a", "field": "id"}]},
			"x": {"inputFields": [{"namespace": "n", "name": "a", "field": "x"}, {"namespace": "", "name": "a"}]},
			"gone": null
		},
		"dataset": [{"namespace": "n", "name": "c", "field": "ts"}]}`))
	require.Equal(t, []string{"malformed_facet outputs[0].facets.columnLineage"}, warningCodes(warnings))
	require.Equal(t, []lineage.Pairs{{Target: ordersLake.Node(), Inputs: fed("x", "abc").Inputs}}, contribution.Columns)

	contribution, _ = contributed(t, withOutputFacets(t, `"columnLineage": {"fields": {}}`))
	require.Empty(t, contribution.Columns, "it says nothing")
	contribution, warnings = contributed(t, withOutputFacets(t, `"columnLineage": {"fields": []}`))
	require.Empty(t, contribution.Columns)
	require.Equal(t, []string{"malformed_facet outputs[0].facets.columnLineage"}, warningCodes(warnings))
}

func TestExplicitLineage(t *testing.T) {
	const c = `"namespace": "n", "name": "c", "type": "DATASET"`
	const a, b = `{"namespace": "n", "name": "a", "type": "DATASET"}`, `{"namespace": "n", "name": "b", "type": "DATASET"}`
	own := lineage.Pairs{Target: loadOrders.Node(), Inputs: fed("x", "a").Inputs}
	for name, test := range map[string]struct {
		entries string
		want    []lineage.Pairs
		warns   int
	}{
		"inputs":                  {`{` + c + `, "inputs": [` + b + `, ` + a + `]}`, []lineage.Pairs{fed("c", "ab")}, 0},
		"no inputs on purpose":    {`{` + c + `, "inputs": []}`, []lineage.Pairs{fed("c", "")}, 0},
		"nothing said":            {`{` + c + `}`, nil, 0},
		"null says nothing":       {`{` + c + `, "inputs": null, "fields": {}}`, nil, 0},
		"fields":                  {`{` + c + `, "fields": {"x": {"inputs": [` + a + `]}, "y": {"inputs": [` + b + `]}}}`, []lineage.Pairs{fed("c", "ab")}, 0},
		"a field made by the job": {`{` + c + `, "fields": {"x": {"inputs": [{"type": "JOB"}]}}}`, []lineage.Pairs{fed("c", "")}, 0},
		"a target twice":          {`{` + c + `, "inputs": [` + a + `]}, {` + c + `, "inputs": [` + b + `]}`, []lineage.Pairs{fed("c", "ab")}, 0},
		"the own job":             {`{"type": "JOB", "inputs": [` + a + `]}`, []lineage.Pairs{own}, 0},
		"own job as input": {
			`{` + c + `, "inputs": [{"type": "JOB"}]}`,
			[]lineage.Pairs{{Target: fed("c", "").Target, Inputs: []lineage.Node{loadOrders.Node()}}},
			0,
		},
		"a target without a name": {`{"type": "DATASET", "inputs": [` + a + `]}`, nil, 1},
		"a broken input":          {`{` + c + `, "inputs": [` + a + `, {"namespace": "n"}]}`, []lineage.Pairs{fed("c", "a")}, 1},
		"only broken inputs":      {`{` + c + `, "inputs": [{"namespace": "n"}]}`, nil, 1},
		"no entries":              {`7`, nil, 1},
	} {
		t.Run(name, func(t *testing.T) {
			contribution, warnings := contributed(t, withJobFacets(t, `"lineage": {"entries": [`+test.entries+`]}`))
			require.Equal(t, test.want, contribution.Explicit)
			require.Len(t, warnings, test.warns)
		})
	}
}

func TestClockThatIsAheadIsFlagged(t *testing.T) {
	document := edited(t, completeRun, "2024-06-01T10:00:00Z", "2099-06-01T10:00:00Z")
	contribution, warnings := contributed(t, document)
	require.Equal(t, []string{"clock_ahead eventTime"}, warningCodes(warnings))
	require.Equal(t, 2099, contribution.EventTime.Year())
	require.Equal(t, arrivalOf(t, document, "1").ReceivedAt.Add(5*time.Minute), contribution.EffectiveAt)
}

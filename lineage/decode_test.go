package lineage_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/headwater-data/headwater/lineage"
)

func TestRunEventIsReadWhole(t *testing.T) {
	event := decode(t, []byte(completeRun))
	require.Equal(t, lineage.Event{
		Kind:      lineage.RunEvent,
		Type:      lineage.Complete,
		EventTime: tenOClock,
		Run:       lineage.RunKey{Job: loadOrders, RunID: "0b6e1c1e-7a0f-4a53-9a7c-0f3f6f1f2a10"},
		RunFacets: lineage.Facets{},
		Job:       loadOrders,
		JobFacets: lineage.Facets{},
		Inputs:    []lineage.Dataset{{DatasetID: orders, Facets: lineage.Facets{}}},
		Outputs:   []lineage.Dataset{{DatasetID: ordersLake, Facets: lineage.Facets{}, RoleFacets: lineage.Facets{}}},
	}, event)
	require.Equal(t, event.Run.Hash(), event.RunHash())
}

func TestKindIsToldByWhatIsPresent(t *testing.T) {
	view := `{"eventTime": "2024-06-01T10:00:00Z", "dataset": {"namespace": "s3://lake", "name": "orders"},
		"schemaURL": "https://openlineage.io/spec/2-0-2/OpenLineage.json#/$defs/RunEvent"}`
	event := decode(t, []byte(view))
	require.Equal(t, lineage.DatasetEvent, event.Kind)
	require.Equal(t, ordersLake, event.Dataset.DatasetID)
	require.Zero(t, event.RunHash())

	event = decode(t, edited(t, completeRun, runMember+",", ""))
	require.Equal(t, lineage.JobEvent, event.Kind)
	require.Equal(t, loadOrders, event.Job)
	require.Len(t, event.Outputs, 1)
	require.Zero(t, event.RunHash())
}

func TestNullIsAbsent(t *testing.T) {
	event := decode(t, edited(t, completeRun, inputsMember, `"inputs": null`, outputsMember, `"outputs": null`,
		`"COMPLETE"`, "null", `f2a10", "facets": {}`, `f2a10", "facets": null`, `load_orders", "facets": {}`, `load_orders", "facets": null`))
	require.Equal(t, lineage.Other, event.Type)
	require.Empty(t, event.Inputs)
	require.Empty(t, event.Outputs)
	require.Nil(t, event.RunFacets)
	require.Nil(t, event.JobFacets)
	require.Empty(t, event.Warnings)

	event = decode(t, edited(t, completeRun, runMember, `"run": null, "dataset": null`))
	require.Equal(t, lineage.JobEvent, event.Kind, "a run that is null is no run")
}

func TestUnknownMembersAreIgnored(t *testing.T) {
	event := decode(t, edited(t, completeRun, `"eventType"`, `"somethingNew": {"deep": [1, 2]}, "eventType"`,
		`{"namespace": "airflow"`, `{"team": "data", "namespace": "airflow"`))
	require.Equal(t, decode(t, []byte(completeRun)), event)
}

func TestUnknownFacetsAreKeptVerbatim(t *testing.T) {
	event := decode(t, edited(t, completeRun, `f2a10", "facets": {}`, `f2a10", "facets": {"acme_cost": {"cents": 12.50}, "gone": null}`))
	require.Len(t, event.RunFacets, 1)
	require.Equal(t, `{"cents": 12.50}`, string(event.RunFacets["acme_cost"]))
}

func TestMalformedFacetCostsItselfAndAWarning(t *testing.T) {
	event := decode(t, edited(t, completeRun,
		`f2a10", "facets": {}`, `f2a10", "facets": [1]`,
		`load_orders", "facets": {}`, `load_orders", "facets": {"z": 1, "sql": "SELECT 1", "jobType": {}}`,
		`public.orders", "facets": {}`, `public.orders", "facets": true`,
		`"outputFacets": {}`, `"outputFacets": {"outputStatistics": []}`))
	require.Equal(t, []string{
		"malformed_facet job.facets.sql", "malformed_facet job.facets.z", "malformed_facet run.facets",
		"malformed_facet inputs[0].facets", "malformed_facet outputs[0].outputFacets.outputStatistics",
	}, warningCodes(event.Warnings))
	require.Len(t, event.JobFacets, 1)
	require.Equal(t, orders, event.Inputs[0].DatasetID)
}

func TestWarningsStayFewHoweverOddTheDocument(t *testing.T) {
	var facets strings.Builder
	for i := range 5000 {
		fmt.Fprintf(&facets, `"%s%d": 1, `, strings.Repeat("x", 1000), i)
	}
	event := decode(t, edited(t, completeRun, `f2a10", "facets": {}`, `f2a10", "facets": {`+facets.String()+`"last": {}}`))
	require.Len(t, event.Warnings, 101)
	require.Equal(t, "more_warnings", event.Warnings[100].Code)
	for _, warning := range event.Warnings {
		require.Less(t, len(warning.Path)+len(warning.Reason), 500)
	}
	require.Contains(t, event.RunFacets, "last")
}

func TestEventTypeFoldsCaseAndWhatItDoesNotKnowIsOther(t *testing.T) {
	for text, want := range map[string]lineage.EventType{
		`"START"`: lineage.Start, `"Start"`: lineage.Start, `"running"`: lineage.Running, `" COMPLETE "`: lineage.Complete,
		`"fail"`: lineage.Fail, `"Abort"`: lineage.Abort, `"OTHER"`: lineage.Other, `""`: lineage.Other,
	} {
		event := decode(t, edited(t, completeRun, `"COMPLETE"`, text))
		require.Equal(t, want, event.Type, text)
		require.Empty(t, event.Warnings, text)
	}
	for _, text := range []string{`"PAUSED"`, `7`, `["COMPLETE"]`, `"` + strings.Repeat("x", 100_000) + `"`} {
		event := decode(t, edited(t, completeRun, `"COMPLETE"`, text))
		require.Equal(t, lineage.Other, event.Type)
		require.Equal(t, []string{"unknown_event_type eventType"}, warningCodes(event.Warnings))
		require.Less(t, len(event.Warnings[0].Reason), 500)
	}
}

func TestRunIDFoldsCaseAndNeedNotBeAUUID(t *testing.T) {
	for _, test := range []struct {
		text, id string
		warn     bool
	}{
		{"0B6E1C1E-7A0F-4A53-9A7C-0F3F6F1F2A10", "0b6e1c1e-7a0f-4a53-9a7c-0f3f6f1f2a10", false},
		{"00000000-0000-0000-0000-000000000000", "00000000-0000-0000-0000-000000000000", false},
		{" 0b6e1c1e-7a0f-4a53-9a7c-0f3f6f1f2a10", "0b6e1c1e-7a0f-4a53-9a7c-0f3f6f1f2a10", false},
		{"{0b6e1c1e-7a0f-4a53-9a7c-0f3f6f1f2a10}", "{0b6e1c1e-7a0f-4a53-9a7c-0f3f6f1f2a10}", true},
		{"manual__2024-06-01T10:00:00+00:00", "manual__2024-06-01t10:00:00+00:00", true},
		{"0b6e1c1e-7a0f-4a53-9a7c_0f3f6f1f2a10", "0b6e1c1e-7a0f-4a53-9a7c_0f3f6f1f2a10", true},
		{"0b6e1c1e-7a0f-4a53-9a7c-0f3f6f1f2a1g", "0b6e1c1e-7a0f-4a53-9a7c-0f3f6f1f2a1g", true},
		{"ééééééé-7a0f-4a53-9a7c-0f3f6f1f", "ééééééé-7a0f-4a53-9a7c-0f3f6f1f", true},
		{"0b6e1c1e-7a0f-4a53-9a7c-0f3f6f1f2a10-01", "0b6e1c1e-7a0f-4a53-9a7c-0f3f6f1f2a10-01", true},
	} {
		event := decode(t, edited(t, completeRun, "0b6e1c1e-7a0f-4a53-9a7c-0f3f6f1f2a10", test.text))
		require.Equal(t, test.id, event.Run.RunID)
		if test.warn {
			require.Equal(t, []string{"run_id_no_uuid run.runId"}, warningCodes(event.Warnings), test.text)
		} else {
			require.Empty(t, event.Warnings, test.text)
		}
	}
}

func TestDuplicateDatasetsAreOneWithTheLaterFacetsWinning(t *testing.T) {
	event := decode(t, edited(t, completeRun, inputsMember, `"inputs": [
		{"namespace": "n", "name": "a"},
		{"namespace": "n", "name": "b", "facets": {"x": {"v": 1}, "y": {"v": 1}}},
		null,
		{"namespace": "n", "name": "a", "inputFacets": {"s": {}}},
		{"namespace": "n", "name": "b", "facets": {"y": {"v": 2}, "z": {"v": 2}}}]`))
	require.Equal(t, []string{"null_dataset inputs[2]", "duplicate_dataset inputs[4]"}, warningCodes(event.Warnings))
	require.Equal(t, []lineage.Dataset{
		{DatasetID: lineage.DatasetID{Namespace: "n", Name: "a"}, RoleFacets: facets("s", `{}`)},
		{DatasetID: lineage.DatasetID{Namespace: "n", Name: "b"}, Facets: facets("x", `{"v": 1}`, "y", `{"v": 2}`, "z", `{"v": 2}`)},
	}, event.Inputs)
}

func facets(pairs ...string) lineage.Facets {
	facets := lineage.Facets{}
	for i := 0; i < len(pairs); i += 2 {
		facets[pairs[i]] = []byte(pairs[i+1])
	}
	return facets
}

func TestNamesAreKeptExactly(t *testing.T) {
	for _, name := range []string{`../../etc/passwd`, `<script>`, `new\nline`, `\ud83d\ude80`, `données`, ` spaced `, `\ufeffbom`, `a\\b`, `\u202e`} {
		event := decode(t, edited(t, completeRun, "public.orders", name))
		require.NotEmpty(t, event.Inputs[0].Name)
		require.Equal(t, event, decode(t, edited(t, completeRun, "public.orders", name)))
	}
	require.Equal(t, "\U0001F680", decode(t, edited(t, completeRun, "public.orders", `\ud83d\ude80`)).Inputs[0].Name)
	require.Equal(t, " spaced ", decode(t, edited(t, completeRun, "public.orders", " spaced ")).Inputs[0].Name)
}

func TestByteOrderMarkIsSkipped(t *testing.T) {
	require.Equal(t, decode(t, []byte(completeRun)), decode(t, append([]byte("\xef\xbb\xbf"), completeRun...)))
}

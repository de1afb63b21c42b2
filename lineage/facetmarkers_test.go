package lineage_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/headwater-data/headwater/lineage"
)

const checkedRun = `{"eventType": "COMPLETE", "eventTime": "2024-06-01T10:00:00Z", "run": {"runId": "53ee3770-86fa-4cb9-8c31-a09072dd88f7"},
	"job": {"namespace": "airflow", "name": "shop.load_orders"},
	"inputs": [{"namespace": "n", "name": "in", "inputFacets": {"dataQualityAssertions": {"assertions": [
		{"assertion": "not_null", "column": "id", "success": true}]}}}],
	"outputs": [
		{"namespace": "n", "name": "bad", "facets": {"dataQualityAssertions": {"assertions": [
			{"assertion": "unique", "column": "id", "success": false},
			{"assertion": "not_null", "column": "id", "success": false}]}}},
		{"namespace": "n", "name": "warned", "facets": {"dataQualityAssertions": {"assertions": [
			{"assertion": "fresh", "success": false, "severity": "warn"}]}}},
		{"namespace": "n", "name": "ice", "outputFacets": {"icebergCommitReport": {"snapshotId": 123}}}]}`

func TestFacetsAnswerGates(t *testing.T) {
	event := decode(t, []byte(checkedRun))
	contribution, warnings := lineage.NewContribution(event, arrivalOf(t, []byte(checkedRun), "1"))
	require.Empty(t, warnings)
	run := folded(contribution)
	for _, marker := range run.Markers {
		require.False(t, run.Unmatches(marker), "a run may check what it does not write")
	}
	decided := func(name string, requires lineage.Requirement) lineage.Publication {
		return run.Decide(lineage.DatasetID{Namespace: "n", Name: name}, requires).Publication
	}
	require.Equal(t, lineage.Rejected, decided("bad", onQuality))
	require.Equal(t, lineage.Suspect, decided("bad", free))
	require.Equal(t, lineage.Published, decided("warned", onQuality))
	require.Equal(t, lineage.Pending, decided("ice", onQuality))
	require.Equal(t, lineage.Published, decided("ice", onCommit))
	reasons := map[string]string{}
	for _, marker := range run.Markers {
		reasons[marker.Output.Name] = marker.Reason
	}
	require.Equal(t, map[string]string{"in": "", "bad": "unique id", "warned": "", "ice": "snapshot 123"}, reasons)
}

func TestAnAssertionThatDoesNotSayWhetherItSucceededSaysNothing(t *testing.T) {
	for assertions, want := range map[string][]lineage.MarkerKind{
		`[{"assertion": "unique"}]`:                                       nil,
		`[{"assertion": "unique", "success": null}, null]`:                nil,
		`[{"assertion": "unique"}, {"assertion": "x", "success": true}]`:  {lineage.Passed},
		`[{"assertion": "unique"}, {"assertion": "x", "success": false}]`: {lineage.Failed},
	} {
		c, warnings := contributed(t, edited(t, completeRun, outputsMember,
			`"outputs": [{"namespace": "n", "name": "o", "facets": {"dataQualityAssertions": {"assertions": `+assertions+`}}}]`))
		var kinds []lineage.MarkerKind
		for _, marker := range c.Markers {
			kinds = append(kinds, marker.Kind)
		}
		require.Equal(t, want, kinds, assertions)
		require.Equal(t, []string{"malformed_facet outputs[0].facets.dataQualityAssertions"}, warningCodes(warnings))
	}
}

func TestMarkerIsReadAsItWasWritten(t *testing.T) {
	marker := lineage.Marker{Output: orders, Kind: lineage.RolledBackMarker, EventTime: tenOClock, By: "olu", Reason: "wrong currency"}
	payload, err := lineage.EncodeMarker(loadOrdersRun, marker)
	require.NoError(t, err)
	require.Equal(t, `{"type":"PublicationMarker","run":{"job":{"namespace":"airflow","name":"shop.load_orders"},"runId":"r"},`+
		`"marker":{"output":{"namespace":"postgres://shop","name":"public.orders"},"kind":"rolled_back","eventTime":"2024-06-01T10:00:00Z",`+
		`"by":"olu","reason":"wrong currency"}}`, string(payload))
	event, err := lineage.Decode(lineage.FormatPlatform, payload, lineage.DefaultLimits())
	require.NoError(t, err)
	require.Equal(t, lineage.MarkerEvent, event.Kind)
	require.Equal(t, marker, event.Marker)
	require.Equal(t, loadOrdersRun.Hash(), event.RunHash())

	contribution, warnings := lineage.NewContribution(event, lineage.Arrival{Content: lineage.HashOf("x"), ReceivedAt: tenOClock, Producer: "olu", EventID: "m-1"})
	require.Empty(t, warnings)
	run := folded(contribution)
	require.Equal(t, lineage.RunUnknown, run.State())
	require.Equal(t, marker, run.Markers[0].Marker)
}

func TestEveryKindOfMarkerHasItsPlatformEvent(t *testing.T) {
	for kind, event := range map[lineage.MarkerKind]lineage.PlatformType{
		lineage.Committed: lineage.PublicationMarker, lineage.RolledBackMarker: lineage.PublicationMarker,
		lineage.Validated: lineage.PublicationMarker, lineage.Invalidated: lineage.PublicationMarker,
		lineage.Passed: lineage.QualityResult, lineage.Failed: lineage.QualityResult, lineage.TimedOut: lineage.GateTimedOut,
	} {
		marker := lineage.Marker{Output: orders, Kind: kind, EventTime: tenOClock}
		if event == lineage.QualityResult {
			marker.Gate = "quality"
		}
		payload, err := lineage.EncodeMarker(loadOrdersRun, marker)
		require.NoError(t, err)
		decoded, err := lineage.Decode(lineage.FormatPlatform, payload, lineage.DefaultLimits())
		require.NoError(t, err)
		require.Equal(t, lineage.EventType(event), decoded.Type)
	}
}

func TestMarkerThatSaysNothingIsRefused(t *testing.T) {
	const run = `"run": {"job": {"namespace": "a", "name": "b"}, "runId": "r"}`
	const output = `"output": {"namespace": "n", "name": "t"}, "eventTime": "2024-06-01T10:00:00Z"`
	for payload, code := range map[string]string{
		`{"type": "PublicationMarker", "marker": {"kind": "committed", ` + output + `}}`:                                         "missing_name",
		`{"type": "PublicationMarker", ` + run + `, "marker": {"kind": "committed", "eventTime": "2024-06-01T10:00:00Z"}}`:       "missing_name",
		`{"type": "PublicationMarker", ` + run + `, "marker": {"kind": "passed", ` + output + `}}`:                               "unknown_marker",
		`{"type": "PublicationMarker", ` + run + `, "marker": {"kind": "committed", "gate": "x", ` + output + `}}`:               "unexpected_gate",
		`{"type": "PublicationMarker", ` + run + `, "marker": {"kind": "committed", "output": {"namespace": "n", "name": "t"}}}`: "missing_event_time",
		`{"type": "QualityResult", ` + run + `, "marker": {"kind": "passed", ` + output + `}}`:                                   "missing_gate",
		`{"type": "QualityResult", ` + run + `, "marker": {"kind": "passed", "gate": "commit", ` + output + `}}`:                 "reserved_gate",
		`{"type": "PublicationMarker", ` + run + `, "marker": {"kind": "committed", "facet": "f", ` + output + `}}`:              "unexpected_facet",
		`{"type": "PublicationMarker", ` + run + `, "marker": {"kind": "committed", "by": "\u0000", ` + output + `}}`:            "bad_text",
	} {
		_, err := lineage.Decode(lineage.FormatPlatform, []byte(payload), lineage.DefaultLimits())
		var invalid *lineage.InvalidError
		require.ErrorAs(t, err, &invalid, payload)
		require.Equal(t, code, invalid.Code, payload)
	}
}

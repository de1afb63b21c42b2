package gateway

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	headwaterv1 "github.com/headwater-data/headwater/gen/headwater/v1"
	"github.com/headwater-data/headwater/lineage"
	"github.com/headwater-data/headwater/projection"
)

func TestOfHiddenDatasetsNothingIsSaid(t *testing.T) {
	t.Parallel()
	shown, hidden := lineage.DatasetID{Namespace: "warehouse", Name: "orders"}, lineage.DatasetID{Namespace: "warehouse", Name: "salaries"}
	detail := projection.RunDetail{StoredRun: projection.StoredRun{Run: lineage.Run{
		Inputs: []lineage.Input{{DatasetID: hidden}}, Outputs: []lineage.Output{{DatasetID: shown}},
		Unread: []string{"inputs.facets.storage", "run.facets.environmentVariables"},
	}}, Events: []projection.RunEvent{{Warnings: []lineage.Warning{{Code: "a", Path: "inputs[0].facets.schema"}, {Code: "b", Path: "run.runId"}}}}}
	all := runOf(detail, map[lineage.Node]bool{shown.Node(): true, hidden.Node(): true})
	require.Len(t, all.GetUnreadFacets(), 2)
	require.Len(t, all.GetWarnings(), 2)
	some := runOf(detail, map[lineage.Node]bool{shown.Node(): true})
	require.Equal(t, []string{"run.facets.environmentVariables"}, some.GetUnreadFacets())
	require.Len(t, some.GetWarnings(), 1)
	require.Equal(t, "run.runId", some.GetWarnings()[0].GetPath())
}

func TestMarkersAreListedInTheOrderInWhichTheyCount(t *testing.T) {
	t.Parallel()
	output := lineage.DatasetID{Namespace: "warehouse", Name: "orders"}
	at := time.Date(2026, 7, 19, 6, 0, 0, 0, time.UTC)
	run := lineage.Run{}
	for i, said := range []struct {
		kind  lineage.MarkerKind
		after time.Duration
	}{
		{lineage.RolledBackMarker, time.Millisecond},
		{lineage.Failed, 0},
		{lineage.Passed, 0},
		{lineage.Validated, 2 * time.Millisecond},
		{lineage.Invalidated, time.Microsecond},
		{lineage.Committed, time.Millisecond},
	} {
		moment := lineage.Moment{EffectiveAt: at.Add(said.after), Key: lineage.Hash{byte(i + 1)}}
		run.Add(lineage.Contribution{Moment: moment, Markers: []lineage.Marker{{Output: output, Kind: said.kind, EventTime: moment.EffectiveAt}}})
	}
	answer := &headwaterv1.Run{}
	addMarkers(answer, &run, map[lineage.Node]bool{output.Node(): true})
	var kinds []lineage.MarkerKind
	for _, marker := range answer.GetMarkers() {
		kinds = append(kinds, markerKinds[marker.GetKind()])
	}
	require.Equal(t, []lineage.MarkerKind{
		lineage.Passed, lineage.Failed, lineage.Invalidated, lineage.Committed, lineage.RolledBackMarker, lineage.Validated,
	}, kinds)
}

func TestDecisionsSayWhetherTheyCount(t *testing.T) {
	t.Parallel()
	output := lineage.DatasetID{Namespace: "warehouse", Name: "orders"}
	decided := func(basis, recorded lineage.Offset, end lineage.EventType) lineage.RecordedDecision {
		return lineage.RecordedDecision{
			Decision: lineage.Decision{Output: output, Basis: lineage.Position{Epoch: 1, Offset: basis}, EndType: end, Publication: lineage.Published},
			Recorded: recorded,
		}
	}
	overtaken := decided(9, 12, lineage.Complete)
	overtaken.Overtaken = true
	run := projection.StoredRun{
		Run: lineage.Run{End: &lineage.End{Type: lineage.Complete}},
		Decisions: []lineage.RecordedDecision{
			decided(1, 2, ""), decided(3, 4, lineage.Fail), decided(5, 6, lineage.Complete), overtaken,
		},
	}
	var standings []headwaterv1.DecisionStanding
	for _, decision := range decisionsOf(&run)[output] {
		standings = append(standings, decision.GetStanding())
	}
	require.Equal(t, []headwaterv1.DecisionStanding{
		headwaterv1.DecisionStanding_DECISION_STANDING_OVERRULED, headwaterv1.DecisionStanding_DECISION_STANDING_OTHER_END,
		headwaterv1.DecisionStanding_DECISION_STANDING_RULES, headwaterv1.DecisionStanding_DECISION_STANDING_OVERTAKEN,
	}, standings)
}

package lineage_test

import (
	"cmp"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/headwater-data/headwater/lineage"
)

func TestDefaultPolicyDecidesByTheEnd(t *testing.T) {
	run := func(mode lineage.ProcessingMode, types ...lineage.EventType) *lineage.Run {
		run := folded()
		for i, eventType := range types {
			run.Add(lineage.Contribution{
				Type: eventType, Mode: mode, Outputs: []lineage.DatasetID{orders},
				Moment: lineage.Moment{EffectiveAt: tenOClock, Key: lineage.HashOf(string(eventType), string(rune('0'+i)))},
			})
		}
		return run
	}
	free := lineage.Requirement{}
	require.Equal(t, lineage.Pending, run("", lineage.Start).Decide(orders, free).Publication)
	require.Equal(t, lineage.Published, run("", lineage.Complete).Decide(orders, free).Publication)
	require.Equal(t, lineage.Diagnostic, run("", lineage.Fail).Decide(orders, free).Publication)
	require.Equal(t, lineage.Diagnostic, run("", lineage.Abort).Decide(orders, free).Publication)
	require.Equal(t, lineage.Published, run(lineage.Streaming, lineage.Running).Decide(orders, free).Publication)
	require.Equal(t, lineage.Published, run(lineage.Service, lineage.Fail).Decide(orders, free).Publication, "the end of a service takes nothing back")
	require.Equal(t, lineage.Pending, run("", lineage.Complete).Decide(orders, lineage.Requirement{Gates: []string{"quality"}}).Publication)
}

func TestDecisionIsVoidWhileAnotherKindOfEndHolds(t *testing.T) {
	run := folded(
		lineage.Contribution{Type: lineage.Complete, Outputs: []lineage.DatasetID{orders}, Moment: lineage.Moment{EffectiveAt: tenOClock, Key: lineage.HashOf("1")}},
	)
	published := lineage.RecordedDecision{Decision: lineage.Decision{
		Output: orders, EndType: lineage.Complete, Publication: lineage.Published, Basis: lineage.Position{Epoch: 1, Offset: 1},
	}, Recorded: 2}
	run.ApplyDecisions([]lineage.RecordedDecision{published})
	require.Equal(t, lineage.Published, run.Output(orders).Publication)

	run.Add(lineage.Contribution{Type: lineage.Fail, Moment: lineage.Moment{EffectiveAt: tenOClock, Key: lineage.HashOf("2")}})
	run.ApplyDecisions([]lineage.RecordedDecision{published})
	require.Equal(t, lineage.Pending, run.Output(orders).Publication, "FAIL holds now")

	run.Add(lineage.Contribution{Type: lineage.Complete, Moment: lineage.Moment{EffectiveAt: tenOClock.Add(1), Key: lineage.HashOf("3")}})
	run.ApplyDecisions([]lineage.RecordedDecision{published})
	require.Equal(t, lineage.Published, run.Output(orders).Publication, "a decision comes back with the kind of end that it was taken on")
}

func TestDecisionThatEvidenceOvertookIsVoid(t *testing.T) {
	run := folded(wrote(lineage.Complete, 5))
	run.ApplyDecisions([]lineage.RecordedDecision{{
		Decision: lineage.Decision{Output: orders, EndType: lineage.Complete, Publication: lineage.Published, Basis: lineage.Position{Epoch: 1, Offset: 1}},
		Recorded: 3, Overtaken: true,
	}})
	require.Equal(t, lineage.Pending, run.Output(orders).Publication)
}

var drawnDecisions = rapid.SliceOfNDistinct(rapid.Custom(func(t *rapid.T) lineage.RecordedDecision {
	return lineage.RecordedDecision{
		Decision: lineage.Decision{
			Run:    loadOrdersRun,
			Output: drawnDatasets.Draw(t, "output"),
			Basis: lineage.Position{
				Epoch:  lineage.Epoch(rapid.IntRange(1, 2).Draw(t, "epoch")),
				Offset: lineage.Offset(rapid.IntRange(1, 3).Draw(t, "basis")),
			},
			EndType:     rapid.SampledFrom([]lineage.EventType{"", lineage.Complete, lineage.Fail}).Draw(t, "end"),
			Publication: rapid.SampledFrom([]lineage.Publication{lineage.Published, lineage.Diagnostic, lineage.Suspect}).Draw(t, "publication"),
		},
		Recorded: lineage.Offset(rapid.IntRange(1, 100).Draw(t, "recorded")),
	}
}), 0, 8, func(d lineage.RecordedDecision) lineage.Offset { return d.Recorded })

func TestOfValidDecisionsTheGreatestBasisRulesThenTheLatestInTheLog(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		run := folded(drawnContributions.Draw(t, "contributions")...)
		decisions := drawnDecisions.Draw(t, "decisions")
		run.ApplyDecisions(rapid.Permutation(decisions).Draw(t, "order"))
		for _, output := range run.Outputs {
			valid := slices.DeleteFunc(slices.Clone(decisions), func(d lineage.RecordedDecision) bool {
				return d.Output != output.DatasetID || d.EndType != "" && d.EndType != run.EndType()
			})
			want := lineage.Pending
			if len(valid) > 0 {
				want = slices.MaxFunc(valid, func(a, b lineage.RecordedDecision) int {
					return cmp.Or(cmp.Compare(a.Basis.Epoch, b.Basis.Epoch), cmp.Compare(a.Basis.Offset, b.Basis.Offset), cmp.Compare(a.Recorded, b.Recorded))
				}).Publication
			}
			require.Equal(t, want, output.Publication, output.Name)
		}
	})
}

func TestDecisionIsReadAsItWasWritten(t *testing.T) {
	decision := lineage.Decision{
		Run: loadOrdersRun, Output: orders, Basis: lineage.Position{Epoch: 2, Offset: 7},
		EndType: lineage.Complete, Publication: lineage.Pending, PolicyRevision: "abc",
		Gates: []string{"quality"}, Deadline: tenOClock,
	}
	payload, err := lineage.EncodeDecision(decision)
	require.NoError(t, err)
	again, err := lineage.EncodeDecision(decision)
	require.NoError(t, err)
	require.Equal(t, payload, again, "a repeat is a duplicate")

	event, err := lineage.Decode(lineage.FormatPlatform, payload, lineage.DefaultLimits())
	require.NoError(t, err)
	require.Equal(t, lineage.Event{Kind: lineage.PublicationDecidedEvent, Decision: decision}, event)
	require.Equal(t, loadOrdersRun.Hash(), event.RunHash())
}

func TestDecisionIDFollowsRunOutputBasisPolicyAndWhatItOverrules(t *testing.T) {
	decision := lineage.Decision{Run: loadOrdersRun, Output: orders, Basis: lineage.Position{Epoch: 1, Offset: 7}, PolicyRevision: "abc"}
	same := decision
	same.Publication, same.EndType = lineage.Suspect, lineage.Fail
	require.Equal(t, decision.ID(), same.ID())
	for _, change := range []func(*lineage.Decision){
		func(d *lineage.Decision) { d.Run.RunID = "other" },
		func(d *lineage.Decision) { d.Output = ordersLake },
		func(d *lineage.Decision) { d.Basis.Offset++ },
		func(d *lineage.Decision) { d.Basis.Epoch++ },
		func(d *lineage.Decision) { d.PolicyRevision = "def" },
		func(d *lineage.Decision) { d.Overrules = 9 },
	} {
		other := decision
		change(&other)
		require.NotEqual(t, decision.ID(), other.ID())
	}
}

func TestUnknownPlatformEventIsRefused(t *testing.T) {
	for payload, code := range map[string]string{
		`{"type": "Tomorrow"}`: "unknown_platform_event",
		`{"type": 1}`:          "bad_platform_event",
		`{"type": "PublicationDecided", "decision": 1}`: "bad_platform_event",
	} {
		_, err := lineage.Decode(lineage.FormatPlatform, []byte(payload), lineage.DefaultLimits())
		var invalid *lineage.InvalidError
		require.ErrorAs(t, err, &invalid)
		require.Equal(t, code, invalid.Code)
	}
}

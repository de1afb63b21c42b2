package lineage_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/headwater-data/headwater/lineage"
)

// lists is an event that lists the whole of its window, some minutes after ten.
func lists(eventType lineage.EventType, minutes int, inputs, outputs []string) lineage.Contribution {
	c := said(eventType, minutes, "", "")
	c.Whole = true
	c.Inputs, c.Outputs = idsOf(inputs), idsOf(outputs)
	return c
}

func idsOf(names []string) []lineage.DatasetID {
	var ids []lineage.DatasetID
	for _, name := range names {
		ids = append(ids, lineage.DatasetID{Namespace: "n", Name: name})
	}
	return ids
}

func madeOf(contributions ...lineage.Contribution) []string {
	run := lineage.Fold(loadOrdersRun, contributions)
	publish(&run)
	return edges(run.Statements())
}

func TestLastListingIsTheWholeOfARunThatEnds(t *testing.T) {
	require.Equal(t, []string{"b -> y"}, madeOf(
		lists(lineage.Start, 1, []string{"a", "b"}, []string{"x", "y"}),
		lists(lineage.Running, 2, []string{"b"}, []string{"y"}),
		lists(lineage.Complete, 3, nil, nil),
	), "an empty list says nothing")
	require.Equal(t, []string{"a -> y", "b -> y"}, madeOf(
		lists(lineage.Start, 1, []string{"a", "b"}, []string{"x"}),
		lists(lineage.Complete, 2, nil, []string{"y"}),
	), "inputs and outputs each by themselves")
}

func TestWhatIsNotListedAsWholeAddsUp(t *testing.T) {
	added := said(lineage.Running, 2, "", "")
	added.Inputs = idsOf([]string{"c"})
	require.Equal(t, []string{"b -> x", "c -> x"}, madeOf(
		lists(lineage.Start, 1, []string{"a"}, []string{"x"}), added, lists(lineage.Complete, 3, []string{"b"}, []string{"x"}),
	))
}

func TestListingsOfSeveralWindowsAddUp(t *testing.T) {
	events := []lineage.Contribution{
		lists(lineage.Running, 1, []string{"a"}, []string{"x"}),
		lists(lineage.Running, 2, []string{"b"}, []string{"x"}), // the same five minutes
		lists(lineage.Running, 6, []string{"c"}, []string{"x"}),
		lists(lineage.Complete, 12, []string{"d"}, []string{"x"}),
	}
	for i := range events {
		events[i].WindowSeconds = 300
	}
	require.Equal(t, []string{"b -> x", "c -> x", "d -> x"}, madeOf(events...))
}

func TestStreamStatesWhatItLastListed(t *testing.T) {
	var events []lineage.Contribution
	for minute, inputs := range [][]string{{"a", "b"}, {"a"}, {"a"}, {"a", "c"}} {
		events = append(events, lists(lineage.Running, minute, inputs, []string{"x"}))
		events[minute].Mode = lineage.Streaming
	}
	run := lineage.Fold(loadOrdersRun, events)
	publish(&run)
	var stated []string
	for _, statement := range run.Statements() {
		for _, input := range statement.Flow().Inputs {
			stated = append(stated, statement.EffectiveAt.Format(time.TimeOnly)+" "+input.Name)
		}
	}
	require.Equal(t, []string{"10:00:00 a", "10:00:00 b", "10:01:00 a", "10:03:00 a", "10:03:00 c"}, stated)
	require.Len(t, run.InputListings, 3, "however often a stream repeats itself")
}

func TestReplacedOutputNeedsNoDecision(t *testing.T) {
	run := lineage.Fold(loadOrdersRun, []lineage.Contribution{
		lists(lineage.Start, 1, nil, []string{"x"}), lists(lineage.Complete, 2, nil, []string{"y"}),
	})
	run.ApplyDecisions([]lineage.RecordedDecision{{Decision: lineage.Decision{
		Output: lineage.DatasetID{Namespace: "n", Name: "y"}, EndType: lineage.Complete, Publication: lineage.Published,
	}}})
	require.True(t, run.Settled())
	require.Len(t, run.Written(), 1)
}

// TestListingsGiveTheSameRunInAnyOrder adds events one by one, as the projector does: it folds a run anew that splits.
func TestListingsGiveTheSameRunInAnyOrder(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		contributions := drawnContributions.Draw(t, "contributions")
		window := rapid.SampledFrom([]int64{0, 120}).Draw(t, "window")
		for i := range contributions {
			contributions[i].Whole = rapid.Bool().Draw(t, "whole")
			contributions[i].WindowSeconds = window
		}
		want := lineage.Fold(loadOrdersRun, contributions)
		run, sofar := &lineage.Run{Key: loadOrdersRun}, []lineage.Contribution(nil)
		for _, c := range rapid.Permutation(contributions).Draw(t, "order") {
			sofar = append(sofar, c)
			if run.Splits(c) {
				*run = lineage.Fold(loadOrdersRun, sofar)
			} else {
				run.Add(c)
			}
			run = reread(t, run)
		}
		requireEqualRuns(t, &want, run)
	})
}

func TestContentModeIsReadFromTheJobType(t *testing.T) {
	for facet, want := range map[string]lineage.Contribution{
		`{"processingType": "STREAMING", "emissionPattern": {"eventTrigger": "PERIODIC", "eventContentMode": "COMPLETE_SNAPSHOT", "windowDuration": 300}}`: {Mode: lineage.Streaming, Whole: true, WindowSeconds: 300},
		`{"processingType": "BATCH", "emissionPattern": {"eventContentMode": "complete_snapshot", "windowDuration": "60"}}`:                                {Mode: lineage.Batch, Whole: true, WindowSeconds: 60},
		`{"processingType": "BATCH", "emissionPattern": {"eventContentMode": "ACCUMULATIVE"}}`:                                                             {Mode: lineage.Batch},
		`{"emissionPattern": null}`: {},
	} {
		c, warnings := contributed(t, edited(t, completeRun, `load_orders", "facets": {}`, `load_orders", "facets": {"jobType": `+facet+`}`))
		require.Empty(t, warnings)
		require.Equal(t, want, lineage.Contribution{Mode: c.Mode, Whole: c.Whole, WindowSeconds: c.WindowSeconds}, facet)
	}
}

func TestAWindowThatCannotBeReadCostsNotTheMode(t *testing.T) {
	for _, pattern := range []string{`"x"`, `[]`, `{"eventContentMode": "COMPLETE_SNAPSHOT", "windowDuration": -1}`} {
		c, warnings := contributed(t, edited(t, completeRun, `load_orders", "facets": {}`,
			`load_orders", "facets": {"jobType": {"processingType": "STREAMING", "emissionPattern": `+pattern+`}}`))
		require.Equal(t, lineage.Streaming, c.Mode)
		require.False(t, c.Whole)
		require.Equal(t, []string{"malformed_facet job.facets.jobType.emissionPattern"}, warningCodes(warnings))
	}
}

package lineage_test

import (
	"encoding/json/v2"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/headwater-data/headwater/lineage"
)

// reread stores a run and reads it again, as happens between batches.
func reread(t require.TestingT, run *lineage.Run) *lineage.Run {
	body, err := json.Marshal(run)
	require.NoError(t, err)
	var again lineage.Run
	require.NoError(t, json.Unmarshal(body, &again))
	return &again
}

func requireEqualRuns(t require.TestingT, want, got *lineage.Run) {
	require.Empty(t, cmp.Diff(want, got))
	wantBody, err := json.Marshal(want)
	require.NoError(t, err)
	gotBody, err := json.Marshal(got)
	require.NoError(t, err)
	require.Equal(t, string(wantBody), string(gotBody))
}

func TestAnyOrderAndAnyRepetitionGivesTheSameRun(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		contributions := drawnContributions.Draw(t, "contributions")
		want := folded(contributions...)

		repeated := slices.Concat(contributions, rapid.SliceOf(rapid.SampledFrom(contributions)).Draw(t, "repeated"))
		requireEqualRuns(t, want, folded(rapid.Permutation(repeated).Draw(t, "order")...))
	})
}

func TestRunIsTheSameWhereverBatchesAreCut(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		contributions := drawnContributions.Draw(t, "contributions")
		stored := &lineage.Run{Key: loadOrdersRun}
		for _, c := range contributions {
			stored.Add(c)
			stored = reread(t, stored)
		}
		requireEqualRuns(t, folded(contributions...), stored)
	})
}

func TestOneContentUnderTwoIDsIsTheSameRunInAnyOrder(t *testing.T) {
	event := decode(t, []byte(completeRun))
	content := contentHash(t, completeRun)
	first, _ := lineage.NewContribution(event, lineage.Arrival{Content: content, ReceivedAt: tenOClock, Producer: "p", EventID: "1"})
	second, _ := lineage.NewContribution(event, lineage.Arrival{Content: content, ReceivedAt: tenOClock, Producer: "p", EventID: "2"})
	requireEqualRuns(t, folded(first, second), folded(second, first))
}

func TestTerminalIsFinal(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		contributions := drawnContributions.Draw(t, "contributions")
		run := folded(contributions...)
		if !run.State().Terminal() {
			t.Skip("the run is open")
		}
		before := *run.End
		late := contributions[0]
		late.Type = rapid.SampledFrom([]lineage.EventType{lineage.Start, lineage.Running, lineage.Other}).Draw(t, "late")
		late.EffectiveAt = drawnTimes.Draw(t, "at").Add(3 * time.Minute)
		run.Add(late)
		require.Equal(t, before, *run.End)
		require.True(t, run.State().Terminal())
	})
}

func TestTheLatestEndHoldsAndAtEqualTimesTheWorst(t *testing.T) {
	rank := map[lineage.EventType]int{lineage.Complete: 1, lineage.Abort: 2, lineage.Fail: 3}
	states := map[lineage.EventType]lineage.RunState{
		lineage.Complete: lineage.RunCompleted, lineage.Abort: lineage.RunAborted, lineage.Fail: lineage.RunFailed,
	}
	rapid.Check(t, func(t *rapid.T) {
		contributions := drawnContributions.Draw(t, "contributions")
		var best *lineage.Contribution
		kinds := map[lineage.EventType]bool{}
		for i := range contributions {
			c := &contributions[i]
			if !c.Type.Terminal() {
				continue
			}
			kinds[c.Type] = true
			if best == nil || c.EffectiveAt.After(best.EffectiveAt) || c.EffectiveAt.Equal(best.EffectiveAt) && rank[c.Type] > rank[best.Type] {
				best = c
			}
		}
		run := folded(contributions...)
		require.Equal(t, len(kinds) > 1, run.Disputed())
		if best == nil {
			require.Nil(t, run.End)
			require.Empty(t, run.EndType())
			return
		}
		require.Equal(t, best.Type, run.EndType())
		require.Equal(t, states[best.Type], run.State())
		require.True(t, best.EffectiveAt.Equal(run.End.EffectiveAt))
	})
}

func TestRunStateFollowsWhatIsNotTerminal(t *testing.T) {
	for _, test := range []struct {
		types []lineage.EventType
		want  lineage.RunState
	}{
		{nil, lineage.RunUnknown},
		{[]lineage.EventType{lineage.Other}, lineage.RunUnknown},
		{[]lineage.EventType{lineage.Start}, lineage.RunStarted},
		{[]lineage.EventType{lineage.Running}, lineage.RunRunning},
		{[]lineage.EventType{lineage.Running, lineage.Start, lineage.Other}, lineage.RunRunning},
	} {
		run := folded()
		for _, eventType := range test.types {
			run.Add(lineage.Contribution{Type: eventType})
		}
		require.Equal(t, test.want, run.State(), "%v", test.types)
	}
}

func TestRunStartedAtItsEarliestStart(t *testing.T) {
	run := folded(said(lineage.Complete, 1, "", ""), said(lineage.Start, 5, "", ""), said(lineage.Start, 3, "", ""), said(lineage.Start, 4, "", ""))
	require.Equal(t, tenOClock.Add(3*time.Minute), run.StartedAt)
	require.Equal(t, tenOClock.Add(5*time.Minute), run.LastEventAt)
	require.Equal(t, tenOClock.Add(time.Minute), run.FirstEventAt)
}

func TestEmptyListsRemoveNothing(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		contributions := drawnContributions.Draw(t, "contributions")
		before := folded(contributions...)
		empty := lineage.Contribution{
			Type: lineage.Running, EventTime: tenOClock,
			Moment: lineage.Moment{EffectiveAt: drawnTimes.Draw(t, "at"), Key: lineage.HashOf("empty")},
		}
		after := folded(append(contributions, empty)...)
		require.Empty(t, cmp.Diff(before.Inputs, after.Inputs))
		require.Empty(t, cmp.Diff(before.Outputs, after.Outputs))
		require.Empty(t, cmp.Diff(before.Explicit, after.Explicit))
		require.Empty(t, cmp.Diff(before.Witnesses, after.Witnesses))
	})
}

func TestRunSettlesWhenItHasEndedAndEveryOutputIsDecided(t *testing.T) {
	c := lineage.Contribution{Type: lineage.Start, Outputs: []lineage.DatasetID{orders}, Moment: lineage.Moment{EffectiveAt: tenOClock, Key: lineage.HashOf("1")}}
	require.True(t, folded().Settled(), "nothing is known of it")
	run := folded(c)
	require.False(t, run.Settled())
	c.Type, c.Key = lineage.Complete, lineage.HashOf("2")
	run.Add(c)
	require.False(t, run.Settled())
	run.Output(orders).Publication = lineage.Published
	require.True(t, run.Settled())
	require.Nil(t, run.Output(ordersLake))
}

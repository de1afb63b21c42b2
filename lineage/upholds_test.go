package lineage_test

import (
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/headwater-data/headwater/lineage"
)

// TestWhatCameInBetweenEntailsOnlyADecisionThatItLeadsTo draws what a worker weighed and what came before its decision was recorded:
// the decision stands only where whoever weighed all of it would have decided the same, and always there unless time was up.
func TestWhatCameInBetweenEntailsOnlyADecisionThatItLeadsTo(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		said := drawnMarkers.Draw(t, "markers")
		if end := rapid.SampledFrom([]lineage.EventType{lineage.Complete, lineage.Fail, lineage.Running}).Draw(t, "end"); end == lineage.Running {
			stream := wrote(lineage.Running, 5)
			stream.Mode = lineage.Streaming
			said = append(said, stream)
		} else {
			said = append(said, wrote(end, 5))
		}
		requires := drawnRequirements.Draw(t, "requires")
		if !requires.Deadline.IsZero() {
			requires.Deadline = tenOClock // so that every timeout counts
		}
		said = rapid.Permutation(said).Draw(t, "order")
		weighed := folded(said[:rapid.IntRange(0, len(said)).Draw(t, "weighed")]...).Decide(orders, requires)
		decision := lineage.Decision{Output: orders, Publication: weighed.Publication, Until: weighed.Until, Gates: requires.Gates}
		if weighed.Publication == lineage.Pending {
			decision.Deadline = requires.Deadline
		}
		now := folded(said...)
		verdict := now.Decide(orders, requires)
		same := verdict.Publication == weighed.Publication && verdict.Until.Equal(weighed.Until)
		timeIsUp := slices.ContainsFunc(said, func(c lineage.Contribution) bool {
			return len(c.Markers) > 0 && c.Markers[0].Kind == lineage.TimedOut
		})
		if !timeIsUp || now.Entails(decision) {
			require.Equal(t, same, now.Entails(decision), "decided %v, would decide %v", weighed, verdict)
		}
	})
}

func TestStreamThatIsCheckedAndCommittedWithoutPauseEntailsItsDecision(t *testing.T) {
	stream := wrote(lineage.Running, 0)
	stream.Mode = lineage.Streaming
	run := folded(stream, marked(lineage.Passed, 1, "quality"), marked(lineage.Committed, 2, ""))
	verdict := run.Decide(orders, onBoth)
	require.Equal(t, lineage.Published, verdict.Publication)
	decision := lineage.Decision{Output: orders, Publication: verdict.Publication, Gates: onBoth.Gates}
	for minute := 3; minute < 30; minute += 2 {
		run.Add(marked(lineage.Passed, minute, "quality"))
		require.True(t, run.Entails(decision))
		run.Add(marked(lineage.Committed, minute+1, ""))
		require.True(t, run.Entails(decision))
	}
	run.Add(marked(lineage.Failed, 40, "quality"))
	require.False(t, run.Entails(decision))
}

func TestDecisionThatFollowedFromATimeoutIsUpheldUntilItsGateAnswers(t *testing.T) {
	run := folded(wrote(lineage.Complete, 5), marked(lineage.TimedOut, 70, ""))
	suspect := lineage.Decision{Output: orders, Publication: lineage.Suspect, Gates: onQuality.Gates}
	require.True(t, run.Upholds(suspect))
	run.Add(marked(lineage.Passed, 80, "quality"))
	require.False(t, run.Upholds(suspect))
	require.False(t, run.Upholds(lineage.Decision{Output: orders, Publication: lineage.Pending, Gates: onQuality.Gates, Deadline: tenOClock.Add(70 * time.Minute)}))
}

func TestDecisionIsUpheldByWhatItWasTakenFrom(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		said := drawnMarkers.Draw(t, "markers")
		run := folded(append(said, wrote(rapid.SampledFrom([]lineage.EventType{lineage.Complete, lineage.Fail}).Draw(t, "end"), 5))...)
		requires := drawnRequirements.Draw(t, "requires")
		if !requires.Deadline.IsZero() {
			requires.Deadline = tenOClock.Add(time.Duration(rapid.IntRange(0, 9).Draw(t, "deadline")) * time.Minute)
		}
		requires.AtTimeout = rapid.SampledFrom([]lineage.Publication{
			lineage.Published, lineage.Suspect, lineage.Diagnostic, lineage.Rejected,
		}).Draw(t, "at timeout")
		verdict := run.Decide(orders, requires)
		decision := lineage.Decision{
			Output: orders, EndType: run.EndType(), Publication: verdict.Publication, Until: verdict.Until, Gates: requires.Gates,
		}
		if verdict.Publication == lineage.Pending {
			decision.Deadline = requires.Deadline
		}
		require.True(t, run.Upholds(decision), "%v", verdict)
		require.False(t, run.Outdated(run.ApplyDecisions([]lineage.RecordedDecision{{Decision: decision, Recorded: 1}})))
	})
}

func TestRollBackIsOutdatedByACommitAlthoughTimeIsUp(t *testing.T) {
	run := folded(wrote(lineage.Complete, 5), marked(lineage.TimedOut, 70, ""), marked(lineage.RolledBackMarker, 80, ""))
	ruling := run.ApplyDecisions([]lineage.RecordedDecision{{Decision: lineage.Decision{
		Output: orders, EndType: lineage.Complete, Publication: lineage.RolledBack, Gates: onQuality.Gates,
	}, Recorded: 1}})
	require.False(t, run.Outdated(ruling))
	run.Add(marked(lineage.Committed, 90, ""))
	require.True(t, run.Outdated(ruling))
}

func TestRunIsOutdatedUntilItIsDecidedByWhatCame(t *testing.T) {
	run := folded(wrote(lineage.Complete, 5))
	decided := []lineage.RecordedDecision{{Decision: lineage.Decision{Output: orders, EndType: lineage.Complete, Publication: lineage.Published}, Recorded: 1}}
	require.False(t, run.Outdated(run.Ruling(decided)))
	run.Add(marked(lineage.RolledBackMarker, 9, ""))
	require.True(t, run.Outdated(run.Ruling(decided)))
	decided = append(decided, lineage.RecordedDecision{Decision: lineage.Decision{
		Output: orders, EndType: lineage.Complete, Publication: lineage.RolledBack, Until: tenOClock.Add(9 * time.Minute),
	}, Recorded: 2})
	require.False(t, run.Outdated(run.Ruling(decided)))
}

package projection_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/headwater-data/headwater/lineage"
	"github.com/headwater-data/headwater/projection"
)

func TestEndedRunsAwaitADecisionFromTheirLastEvidence(t *testing.T) {
	b := setup(t)
	none, err := b.store.Awaiting(t.Context())
	require.NoError(t, err)
	require.Equal(t, projection.Awaiting{}, none)

	b.tell(story{run: "under way", job: "j", kind: lineage.Start, outputs: []string{"a"}})
	b.tell(story{run: "ended", job: "j", kind: lineage.Complete, minute: 1, outputs: []string{"a"}})
	b.tell(story{run: "later", job: "j", kind: lineage.Complete, minute: 2, outputs: []string{"a"}})
	b.tell(story{run: "without outputs", job: "j", kind: lineage.Complete, minute: 3})
	b.fold(b.active, len(b.log))
	awaiting, err := b.store.Awaiting(t.Context())
	require.NoError(t, err)
	require.EqualValues(t, 2, awaiting.Decision)
	require.InDelta(t, time.Since(b.log[1].ReceivedAt).Seconds(), awaiting.Oldest.Seconds(), 60)
}

func TestRunThatWasDecidedToWaitAwaitsItsGatesUntilTheyAnswer(t *testing.T) {
	b := setup(t)
	held := story{run: "held", job: "j", kind: lineage.Complete, outputs: []string{"a"}}
	b.tell(held)
	b.hold(held, "a", "quality")
	b.fold(b.active, len(b.log))
	awaiting, err := b.store.Awaiting(t.Context())
	require.NoError(t, err)
	require.Equal(t, projection.Awaiting{Gates: 1}, awaiting)
	answer := b.traverse(request(dataset("a"), projection.Upstream))
	require.Zero(t, answer.View.AwaitingDecision, "what waits as the policy wants it is no gap")
	require.EqualValues(t, 1, answer.View.AwaitingGates)

	b.mark(held, "a", lineage.Passed, "quality", 1)
	b.fold(b.active, len(b.log))
	awaiting, err = b.store.Awaiting(t.Context())
	require.NoError(t, err)
	require.EqualValues(t, 1, awaiting.Decision, "its gate has answered, so it is to be decided again")
	require.Zero(t, awaiting.Gates)
}

func TestRunIsDecidedAgainWhenWhatCameLeadsElsewhere(t *testing.T) {
	b := setup(t)
	load := story{run: "r", job: "j", minute: 1, outputs: []string{"a"}}
	b.complete(load)
	b.fold(b.active, 10)
	awaiting := func() projection.Awaiting {
		now, err := b.store.Awaiting(t.Context())
		require.NoError(t, err)
		now.Oldest = 0
		return now
	}
	undecided := func() []projection.RunEvidence {
		evidence, err := b.store.Evidence(t.Context(), 1000)
		require.NoError(t, err)
		if evidence.From != evidence.Through {
			require.NoError(t, b.store.MoveDispatch(t.Context(), evidence.From, evidence.Through))
		}
		runs, _, err := b.store.Unsettled(t.Context(), 0, 10)
		require.NoError(t, err)
		return runs
	}
	require.Zero(t, awaiting())
	require.Empty(t, undecided())

	b.mark(load, "a", lineage.Passed, "quality", 2)
	b.fold(b.active, 10)
	require.Zero(t, awaiting(), "nothing follows from it")

	b.mark(load, "a", lineage.Failed, "quality", 3)
	b.fold(b.active, 10)
	require.Equal(t, projection.Awaiting{Decision: 1}, awaiting())
	require.Len(t, undecided(), 1, "its signal may have been lost")

	b.decide(load, "a", lineage.Complete, lineage.Suspect)
	b.fold(b.active, 10)
	require.Zero(t, awaiting())
	require.Empty(t, undecided())
}

// hold logs the decision that an output of a completed run waits for a gate.
func (b *bundle) hold(s story, output, gate string) {
	payload, err := lineage.EncodeDecision(lineage.Decision{
		Run: runKey(s), Output: lineage.DatasetID{Namespace: "warehouse", Name: output},
		Basis:   lineage.Position{Epoch: 1, Offset: lineage.Offset(len(b.log))},
		EndType: lineage.Complete, Publication: lineage.Pending, Gates: []string{gate}, PolicyRevision: "test",
	})
	require.NoError(b.t, err)
	b.logged(lineage.FormatPlatform, payload)
}

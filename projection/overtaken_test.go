package projection_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/headwater-data/headwater/lineage"
	"github.com/headwater-data/headwater/projection"
)

// decideLate logs a decision whose basis is an earlier offset: a worker stood still between weighing and appending.
func (b *bundle) decideLate(s story, output string, basis lineage.Offset, publication lineage.Publication) {
	b.t.Helper()
	late, err := lineage.EncodeDecision(lineage.Decision{
		Run: runKey(s), Output: lineage.DatasetID{Namespace: "warehouse", Name: output},
		Basis: lineage.Position{Epoch: 1, Offset: basis}, EndType: lineage.Complete, Publication: publication, PolicyRevision: "test",
	})
	require.NoError(b.t, err)
	b.logged(lineage.FormatPlatform, late)
}

func (b *bundle) run(s story) projection.StoredRun {
	b.t.Helper()
	run, err := b.store.Run(b.ctx, runKey(s).Hash())
	require.NoError(b.t, err)
	return run
}

// TestDecisionThatEvidenceOvertookIsVoid has a worker stand still between weighing a run and appending what it decided.
// Meanwhile evidence came, and whoever weighed that found that what stood was right.
func TestDecisionThatEvidenceOvertookIsVoid(t *testing.T) {
	b := setup(t)
	load := story{run: "r", job: "load", kind: lineage.Complete, minute: 5, inputs: []string{"raw"}, outputs: []string{"orders"}}
	b.complete(load)
	b.mark(load, "orders", lineage.Failed, "quality", 6) // offset 3
	b.mark(load, "orders", lineage.Passed, "quality", 7)
	b.decideLate(load, "orders", 3, lineage.Suspect)
	b.fold(b.active, 2)

	run := b.run(load)
	require.Equal(t, lineage.Published, run.Outputs[0].Publication)
	require.Len(t, run.Decisions, 2, "it is kept, and shows")
	require.True(t, run.Decisions[1].Overtaken)
}

func TestEvidenceThatChangesNothingOvertakesNoDecision(t *testing.T) {
	b := setup(t)
	load := story{run: "r", job: "load", kind: lineage.Complete, minute: 5, inputs: []string{"raw"}, outputs: []string{"orders"}}
	b.tell(load, story{run: "r", job: "load", kind: lineage.Other, minute: 6, inputs: []string{"more"}}, story{run: "r", job: "load", kind: lineage.Running, minute: 4})
	b.decideLate(load, "orders", 1, lineage.Published)
	b.fold(b.active, 2)
	require.Equal(t, lineage.Published, b.run(load).Outputs[0].Publication)
}

// TestEvidenceThatLeadsToADecisionDoesNotOvertakeIt has a stream checked and committed over and over, faster than it is decided.
func TestEvidenceThatLeadsToADecisionDoesNotOvertakeIt(t *testing.T) {
	b := setup(t)
	load := story{run: "r", job: "load", kind: lineage.Complete, minute: 5, inputs: []string{"raw"}, outputs: []string{"orders"}}
	b.tell(load)
	b.mark(load, "orders", lineage.Failed, "quality", 6) // offset 2
	b.mark(load, "orders", lineage.Committed, "", 7)
	b.mark(load, "orders", lineage.Failed, "quality", 8)
	b.decideLate(load, "orders", 2, lineage.Suspect)
	b.fold(b.active, 2)
	require.Equal(t, lineage.Suspect, b.run(load).Outputs[0].Publication)

	b.mark(load, "orders", lineage.Passed, "quality", 9)
	b.decideLate(load, "orders", 4, lineage.Suspect)
	b.fold(b.active, 2)
	require.True(t, b.run(load).Decisions[1].Overtaken, "the check passes by now")
}

func TestWithdrawalOvertakesDecisions(t *testing.T) {
	b := setup(t)
	load := story{run: "r", job: "load", kind: lineage.Complete, minute: 5, inputs: []string{"raw"}, outputs: []string{"orders"}}
	said := story{run: "r", job: "load", kind: lineage.Other, minute: 6}
	b.tell(load, said)
	b.withdraw(lineage.Withdrawal{Event: eventOf(said)}, 7)
	b.decideLate(load, "orders", 2, lineage.Suspect)
	b.fold(b.active, 2)
	require.True(t, b.run(load).Decisions[0].Overtaken, "it may have weighed what was withdrawn")
}

func TestRunThatIsDecidedOverAndOverKeepsTheLastDecisions(t *testing.T) {
	b := setup(t)
	load := story{run: "r", job: "load", kind: lineage.Complete, minute: 5, inputs: []string{"raw"}, outputs: []string{"orders"}}
	b.tell(load)
	for i := range lineage.KeptDecisions + 20 {
		b.decideLate(load, "orders", 1, []lineage.Publication{lineage.Published, lineage.Suspect}[i%2])
	}
	b.fold(b.active, 50)
	run := b.run(load)
	require.Len(t, run.Decisions, lineage.KeptDecisions)
	require.Equal(t, lineage.Suspect, run.Outputs[0].Publication)
}

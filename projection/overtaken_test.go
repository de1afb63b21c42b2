package projection_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/headwater-data/headwater/lineage"
)

// TestDecisionThatEvidenceOvertookIsVoid has a worker stand still between weighing a run and appending what it decided.
// Meanwhile evidence came, and whoever weighed that found that what stood was right.
func TestDecisionThatEvidenceOvertookIsVoid(t *testing.T) {
	b := setup(t)
	load := story{run: "r", job: "load", kind: lineage.Complete, minute: 5, inputs: []string{"raw"}, outputs: []string{"orders"}}
	b.complete(load)
	b.tell(story{run: "r", job: "load", kind: lineage.Other, minute: 6}, story{run: "r", job: "load", kind: lineage.Other, minute: 7})
	late, err := lineage.EncodeDecision(lineage.Decision{
		Run: runKey(load), Output: lineage.DatasetID{Namespace: "warehouse", Name: "orders"},
		Basis: lineage.Position{Epoch: 1, Offset: 3}, EndType: lineage.Complete, Publication: lineage.Suspect, PolicyRevision: "test",
	})
	require.NoError(t, err)
	b.logged(lineage.FormatPlatform, late)
	b.fold(b.active, 2)

	run, err := b.store.Run(b.ctx, runKey(load).Hash())
	require.NoError(t, err)
	require.Equal(t, lineage.Published, run.Outputs[0].Publication)
	require.Len(t, run.Decisions, 2, "it is kept, and shows")
	require.True(t, run.Decisions[1].Overtaken)
}

package worker_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/headwater-data/headwater/lineage"
	"github.com/headwater-data/headwater/projection"
)

func TestRunWhoseWorkflowWasLostIsDecided(t *testing.T) {
	b := setup(t)
	ended, streaming, open := run("ended"), run("streaming"), run("open")
	b.complete(ended)
	b.send(streaming, lineage.Running, morning, lineage.Streaming)
	b.send(open, lineage.Running, morning, lineage.Batch)
	active, err := b.projections.Active(t.Context())
	require.NoError(t, err)
	entries := b.entries()
	require.NoError(t, b.projections.Apply(t.Context(), active.ID, entries))
	// All were signalled, and then Temporal lost its store.
	require.NoError(t, b.projections.MoveDispatch(t.Context(), 0, entries[len(entries)-1].Offset))

	address, _ := b.start()
	b.awaitRun(ended, published)
	b.awaitRun(streaming, published)
	require.Eventually(t, func() bool {
		return metric(t, address, "headwater_resumed_runs_total") == "2"
	}, patience, interval, "a run that is under way needs no decision")
}

// TestEvidenceOfADecidedRunIsWeighedThoughItsSignalWasLost rolls back what was published, and loses Temporal's store before anybody
// has weighed that.
func TestEvidenceOfADecidedRunIsWeighedThoughItsSignalWasLost(t *testing.T) {
	b := setup(t)
	orders := run("rolled back")
	b.complete(orders)
	_, stop := b.start()
	b.awaitRun(orders, published)
	stop()

	b.mark(orders, lineage.RolledBackMarker, "")
	active, err := b.projections.Active(t.Context())
	require.NoError(t, err)
	entries := b.entries()
	require.NoError(t, b.projections.Apply(t.Context(), active.ID, entries[active.Cursor.Offset:]))
	signalled, err := b.projections.Evidence(t.Context(), 100)
	require.NoError(t, err)
	require.NoError(t, b.projections.MoveDispatch(t.Context(), signalled.From, entries[len(entries)-1].Offset))

	b.start()
	b.awaitRun(orders, func(stored projection.StoredRun) bool { return stored.Outputs[0].Publication == lineage.RolledBack })
}

// metric reads one value from the worker's metrics.
func metric(t *testing.T, address, name string) string {
	t.Helper()
	for line := range strings.Lines(scrape(t, address)) {
		if value, found := strings.CutPrefix(line, name+" "); found {
			return strings.TrimSpace(value)
		}
	}
	return ""
}

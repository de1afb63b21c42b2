package worker_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/headwater-data/headwater/lineage"
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

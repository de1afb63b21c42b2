package worker_test

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"go.temporal.io/sdk/client"

	"github.com/headwater-data/headwater/internal/stack"
	"github.com/headwater-data/headwater/lineage"
	"github.com/headwater-data/headwater/projection"
	"github.com/headwater-data/headwater/workflows/contract"
)

// TestLosingTemporalsStoreChangesNothing gives two systems the same evidence. The Temporal of one is stopped while runs wait
// for their gates, and comes back knowing nothing.
func TestLosingTemporalsStoreChangesNothing(t *testing.T) {
	var kept, lost string
	t.Run("systems", func(t *testing.T) {
		for name, state := range map[string]*string{"kept": &kept, "lost": &lost} {
			t.Run(name, func(t *testing.T) {
				b := setup(t)
				b.policies = gatedPolicies(t)
				temporal := b.ownTemporal()
				b.start()
				*state = b.waitForGates(func() {
					if name == "lost" {
						temporal.wipe()
					}
				})
			})
		}
	})
	require.NotEmpty(t, kept)
	require.Equal(t, kept, lost)
}

// waitForGates plays runs of which some wait for their gates when something happens to Temporal, and gives the digest of what
// is believed in the end.
func (b *bundle) waitForGates(happens func()) string {
	b.t.Helper()
	early, late, never, stream, failed, open := run("early"), run("late"), run("never"), run("stream"), run("failed"), run("open")
	for _, key := range []lineage.RunKey{early, late, never} {
		b.complete(key)
	}
	b.send(stream, lineage.Running, morning, lineage.Streaming)
	b.send(failed, lineage.Fail, morning, lineage.Batch)
	b.send(open, lineage.Start, morning, lineage.Batch)
	for _, key := range []lineage.RunKey{early, late, never} {
		b.awaitRun(key, held)
	}
	b.awaitRun(stream, published)
	b.awaitRun(failed, func(stored projection.StoredRun) bool { return stored.Outputs[0].Publication == lineage.Diagnostic })

	b.pass(early)
	happens()
	b.awaitRun(early, published)
	b.pass(late)
	b.awaitRun(late, published)
	b.send(open, lineage.Complete, morning.Add(time.Hour), lineage.Batch)
	b.awaitRun(open, held)

	c := b.temporal()
	for _, key := range []lineage.RunKey{never, open} {
		require.Eventually(b.t, func() bool {
			var waiting contract.WaitingFor
			answer, err := c.QueryWorkflow(b.t.Context(), contract.RunWorkflowID(key), "", contract.WaitingForQuery)
			return err == nil && answer.Get(&waiting) == nil && waiting.Weighed.Deadline.Equal(b.deadline(key))
		}, patience, interval, "%s waits for its gate, until the time that was decided", key.RunID)
	}
	active, err := b.projections.Active(b.t.Context())
	require.NoError(b.t, err)
	digests, err := b.projections.Digest(b.t.Context(), active.ID)
	require.NoError(b.t, err)
	return digests.State
}

// ownTemporal is a Temporal server for this bundle alone.
type ownTemporal struct {
	*stack.Temporal
	t      *testing.T
	config stack.TemporalConfig
}

func (b *bundle) ownTemporal() *ownTemporal {
	b.t.Helper()
	port, err := stack.FreePort()
	require.NoError(b.t, err)
	own := &ownTemporal{t: b.t, config: stack.TemporalConfig{Binary: "../.bin/temporal", Dir: b.t.TempDir(), Port: port}}
	own.start()
	b.t.Cleanup(func() { own.Stop() })
	b.options.HostPort, b.options.Namespace = own.HostPort(), client.DefaultNamespace
	return own
}

func (o *ownTemporal) start() {
	o.t.Helper()
	var err error
	o.Temporal, err = stack.StartTemporal(o.t.Context(), o.config)
	require.NoError(o.t, err)
}

// wipe starts the server anew at its address, without its store.
func (o *ownTemporal) wipe() {
	o.t.Helper()
	o.Stop()
	files, err := filepath.Glob(filepath.Join(o.config.Dir, "temporal.db*"))
	require.NoError(o.t, err)
	require.NotEmpty(o.t, files)
	for _, file := range files {
		require.NoError(o.t, os.Remove(file))
	}
	o.start()
}

package worker_test

import (
	"context"
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"
	"go.temporal.io/sdk/client"

	"github.com/headwater-data/headwater/lineage"
	"github.com/headwater-data/headwater/projection"
	"github.com/headwater-data/headwater/workflows/contract"
)

func TestReplayEqualsTheLiveProjectionAndReplacesIt(t *testing.T) {
	b := setup(t)
	b.start()
	const runs = 20
	for i := range runs / 2 {
		b.complete(run(strconv.Itoa(i)))
	}
	b.awaitRun(run("0"), published)
	require.Eventually(t, func() bool { // so that the replay has an archive and a tail to fold
		last, err := b.catalogue.Last(context.Background())
		return err == nil && last > 0
	}, patience, interval)
	for i := runs / 2; i < runs; i++ {
		b.complete(run(strconv.Itoa(i)))
	}

	reading, stopReading := context.WithCancel(t.Context())
	failed := make(chan error, 1)
	go func() { failed <- readForEver(reading, b.projections, run("0")) }()

	replay := b.startReplay("rebuilt")
	progress := b.awaitVerdict("rebuilt")
	require.True(t, progress.Comparison.Equal(), "%+v", progress.Comparison)
	require.NotZero(t, progress.Archive.Cursor)
	b.give("rebuilt", contract.ApproveUpdate)

	var result contract.ReplayResult
	require.NoError(t, replay.Get(t.Context(), &result))
	require.Equal(t, contract.Switched, result.Outcome)
	require.Equal(t, "main", result.Replaced)
	active, err := b.projections.Active(t.Context())
	require.NoError(t, err)
	require.Equal(t, "rebuilt", active.Name)
	require.NotEmpty(t, active.Comparison)
	before, err := b.projections.Get(t.Context(), "main")
	require.NoError(t, err)
	require.Equal(t, projection.Retired, before.Status)

	b.complete(run("after the switch"))
	b.awaitRun(run("after the switch"), published)
	stopReading()
	require.NoError(t, <-failed)
}

func TestRejectedReplayChangesNothingForReaders(t *testing.T) {
	b := setup(t)
	b.start()
	b.complete(run("kept"))
	b.awaitRun(run("kept"), published)
	replay := b.startReplay("rejected")
	b.awaitVerdict("rejected")
	b.give("rejected", contract.RejectUpdate)
	require.NoError(t, replay.Get(t.Context(), nil))

	active, err := b.projections.Active(t.Context())
	require.NoError(t, err)
	require.Equal(t, "main", active.Name)
	rejected, err := b.projections.Get(t.Context(), "rejected")
	require.NoError(t, err)
	require.Equal(t, projection.Retired, rejected.Status)
}

func TestReplayRefusesANameThatIsTaken(t *testing.T) {
	b := setup(t)
	b.start()
	require.ErrorContains(t, b.startReplay("main").Get(t.Context(), nil), "choose another name")
}

func (b *bundle) startReplay(name string) client.WorkflowRun {
	b.t.Helper()
	replay, err := b.temporal().ExecuteWorkflow(b.t.Context(),
		client.StartWorkflowOptions{ID: contract.ReplayWorkflowID(name), TaskQueue: contract.TaskQueue},
		contract.ReplayWorkflow, contract.Replay{Name: name})
	require.NoError(b.t, err)
	return replay
}

// awaitVerdict waits until a replay wants a verdict, and returns how far it is.
func (b *bundle) awaitVerdict(name string) contract.ReplayProgress {
	b.t.Helper()
	c := b.temporal()
	var progress contract.ReplayProgress
	require.Eventually(b.t, func() bool {
		value, err := c.QueryWorkflow(context.Background(), contract.ReplayWorkflowID(name), "", contract.ProgressQuery)
		return err == nil && value.Get(&progress) == nil && progress.Step == contract.AwaitingApproval
	}, patience, interval)
	return progress
}

func (b *bundle) give(name, verdict string) {
	b.t.Helper()
	_, err := b.temporal().UpdateWorkflow(b.t.Context(), client.UpdateWorkflowOptions{
		WorkflowID: contract.ReplayWorkflowID(name), UpdateName: verdict,
		Args: []any{contract.Verdict{By: "alice"}}, WaitForStage: client.WorkflowUpdateStageCompleted,
	})
	require.NoError(b.t, err)
}

// readForEver reads a run again and again, and returns the first error.
func readForEver(ctx context.Context, store *projection.Store, key lineage.RunKey) error {
	for {
		_, err := store.Run(ctx, key.Hash())
		if ctx.Err() != nil {
			return nil //nolint:nilerr // the reader was stopped
		}
		if err != nil {
			return err
		}
	}
}

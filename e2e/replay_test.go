package e2e

import (
	"context"
	"encoding/json/jsontext"
	"errors"
	"fmt"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"go.temporal.io/sdk/client"

	"github.com/headwater-data/headwater/demo"
	"github.com/headwater-data/headwater/workflows/contract"
)

// replay starts a replay as the form of the Temporal UI does, with one JSON payload, and waits until it asks for a
// verdict. It returns what was found by then.
func replay(t *testing.T, temporal client.Client, name string) (client.WorkflowRun, contract.Comparison) {
	t.Helper()
	input := jsontext.Value(fmt.Sprintf(`{"name": %q, "reason": "end-to-end test"}`, name))
	options := client.StartWorkflowOptions{ID: contract.ReplayWorkflowID(name), TaskQueue: contract.TaskQueue}
	started, err := temporal.ExecuteWorkflow(t.Context(), options, contract.ReplayWorkflow, input)
	require.NoError(t, err)
	var progress contract.ReplayProgress
	within(t, 2*time.Minute, func() error {
		answered, err := temporal.QueryWorkflow(t.Context(), started.GetID(), "", contract.ProgressQuery)
		if err != nil {
			return err
		}
		if err := answered.Get(&progress); err != nil {
			return err
		}
		if progress.Step != contract.AwaitingApproval {
			return fmt.Errorf("the replay is %s", progress.Step)
		}
		return nil
	})
	require.NotNil(t, progress.Comparison)
	return started, *progress.Comparison
}

// decide gives a verdict on a replay and returns what the replay came to.
func decide(t *testing.T, temporal client.Client, started client.WorkflowRun, update string) contract.ReplayResult {
	t.Helper()
	handle, err := temporal.UpdateWorkflow(t.Context(), client.UpdateWorkflowOptions{
		WorkflowID: started.GetID(), UpdateName: update, WaitForStage: client.WorkflowUpdateStageCompleted,
		Args: []any{jsontext.Value(`{"by": "e2e", "reason": "the digests are equal"}`)},
	})
	require.NoError(t, err)
	require.NoError(t, handle.Get(t.Context(), nil))
	var result contract.ReplayResult
	require.NoError(t, started.Get(t.Context(), &result))
	return result
}

// requireEqual checks that live projection and replay are the same, row for row.
func requireEqual(t *testing.T, comparison contract.Comparison) {
	t.Helper()
	for _, table := range comparison.Tables {
		require.True(t, table.Equal, "%s: %d rows live, %d rows in the replay", table.Table, table.LiveRows, table.ShadowRows)
	}
	require.Equal(t, comparison.Live.History, comparison.Shadow.History)
	require.Equal(t, comparison.Live.State, comparison.Shadow.State)
}

func TestApprovedReplaySwitchesReadersWithoutAFailedQuery(t *testing.T) {
	awaitQuiet(t, time.Minute)
	before, err := headwater.reader.upstream(t, demo.MainOutput, demo.Depth)
	require.NoError(t, err)

	asking, stop := context.WithCancel(t.Context())
	var asked atomic.Int64
	failed := make(chan error, 1)
	go func() {
		defer close(failed)
		for asking.Err() == nil {
			got, err := headwater.reader.upstream(t, demo.MainOutput, demo.Depth)
			if err == nil && len(got.GetEdges()) != len(before.GetEdges()) {
				err = fmt.Errorf("%d edges instead of %d", len(got.GetEdges()), len(before.GetEdges()))
			}
			if err == nil {
				_, err = headwater.reader.run(t, demo.PartialWrite(night))
			}
			if err != nil {
				failed <- err
				return
			}
			asked.Add(1)
		}
	}()

	temporal := operator(t)
	started, comparison := replay(t, temporal, "e2e-approved")
	requireEqual(t, comparison)
	result := decide(t, temporal, started, contract.ApproveUpdate)
	require.Equal(t, contract.Switched, result.Outcome)

	within(t, patience, func() error {
		got, err := headwater.reader.upstream(t, demo.MainOutput, 1)
		if err == nil && got.GetProjection().GetName() != "e2e-approved" {
			err = fmt.Errorf("readers see %s", got.GetProjection().GetName())
		}
		return err
	})
	duringSwitch := asked.Load()
	require.Positive(t, duringSwitch)
	within(t, patience, func() error {
		select {
		case err := <-failed:
			require.NoError(t, err)
		default:
		}
		if asked.Load() < duringSwitch+2 { // one of them may have begun before
			return errors.New("nothing was asked of the new projection")
		}
		return nil
	})
	stop()
	require.NoError(t, <-failed)

	after, err := headwater.reader.upstream(t, demo.MainOutput, demo.Depth)
	require.NoError(t, err)
	require.Equal(t, names(before), names(after))
}

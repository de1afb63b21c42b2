package workflows_test

import (
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"go.temporal.io/api/enums/v1"
	"go.temporal.io/api/history/v1"
	"go.temporal.io/sdk/client"
	"go.temporal.io/sdk/worker"

	"github.com/headwater-data/headwater/internal/testenv"
	"github.com/headwater-data/headwater/lineage"
	"github.com/headwater-data/headwater/workflows/contract"
)

// patience is how long a test waits for what has to come: enough for a machine with much else to do.
const patience = 2 * time.Minute

// stage is a real Temporal server on which workflows play against scripted activities.
type stage struct {
	t      *testing.T
	client client.Client
	worker worker.Worker
}

func newStage(t *testing.T) *stage {
	t.Helper()
	hostPort, namespace := testenv.Temporal(t)
	c, err := client.DialContext(t.Context(), client.Options{HostPort: hostPort, Namespace: namespace, Logger: quiet(), Identity: "recorder"})
	require.NoError(t, err)
	t.Cleanup(c.Close)
	w := worker.New(c, contract.TaskQueue, worker.Options{})
	register(w)
	require.NoError(t, w.Start())
	t.Cleanup(w.Stop)
	return &stage{t: t, client: c, worker: w}
}

func (s *stage) signalWithStart(offset int) client.WorkflowRun {
	run, err := s.client.SignalWithStartWorkflow(s.t.Context(), contract.RunWorkflowID(dailyOrders),
		contract.EvidenceSignal, contract.Evidence{Offset: lineage.Offset(offset)},
		client.StartWorkflowOptions{TaskQueue: contract.TaskQueue},
		contract.RunLifecycleWorkflow, contract.RunLifecycle{Run: dailyOrders})
	require.NoError(s.t, err)
	return run
}

// judge starts a replay and gives a verdict on it.
func (s *stage) judge(verdict string) client.WorkflowRun {
	run, err := s.client.ExecuteWorkflow(s.t.Context(),
		client.StartWorkflowOptions{ID: contract.ReplayWorkflowID(fixedMapping.Name), TaskQueue: contract.TaskQueue},
		contract.ReplayWorkflow, fixedMapping)
	require.NoError(s.t, err)
	ask(s, run, contract.ProgressQuery, func(progress contract.ReplayProgress) bool {
		return progress.Step == contract.AwaitingApproval
	})
	_, err = s.client.UpdateWorkflow(s.t.Context(), client.UpdateWorkflowOptions{
		WorkflowID: run.GetID(), UpdateName: verdict, Args: []any{alice}, WaitForStage: client.WorkflowUpdateStageCompleted,
	})
	require.NoError(s.t, err)
	require.NoError(s.t, run.Get(s.t.Context(), nil))
	return run
}

// ask repeats a query until the answer is the one that is waited for.
func ask[Answer any](s *stage, run client.WorkflowRun, name string, reached func(Answer) bool) {
	require.Eventually(s.t, func() bool {
		value, err := s.client.QueryWorkflow(s.t.Context(), run.GetID(), "", name)
		var answer Answer
		return err == nil && value.Get(&answer) == nil && reached(answer)
	}, patience, 20*time.Millisecond)
}

func (s *stage) history(run client.WorkflowRun) *history.History {
	recorded := &history.History{}
	events := s.client.GetWorkflowHistory(s.t.Context(), run.GetID(), run.GetRunID(), false, enums.HISTORY_EVENT_FILTER_TYPE_ALL_EVENT)
	for events.HasNext() {
		event, err := events.Next()
		require.NoError(s.t, err)
		recorded.Events = append(recorded.Events, event)
	}
	return recorded
}

// latest is the execution that carries on what one began, which may be that one.
func (s *stage) latest(run client.WorkflowRun) client.WorkflowRun {
	s.t.Helper()
	described, err := s.client.DescribeWorkflow(s.t.Context(), run.GetID(), "")
	require.NoError(s.t, err)
	return s.client.GetWorkflow(s.t.Context(), run.GetID(), described.WorkflowExecution.RunID)
}

// awaitWeighed waits until a run was last weighed so.
func (s *stage) awaitWeighed(run client.WorkflowRun, want contract.Weighed) {
	s.t.Helper()
	ask(s, run, contract.WaitingForQuery, func(waiting contract.WaitingFor) bool {
		return waiting.Weighed.State == want.State && slices.Equal(waiting.Weighed.Gates, want.Gates) &&
			slices.Equal(waiting.Weighed.Outputs, want.Outputs)
	})
}

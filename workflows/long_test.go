package workflows_test

import (
	"testing"

	"github.com/stretchr/testify/require"
	"go.temporal.io/api/enums/v1"
	"go.temporal.io/api/workflowservice/v1"
	"golang.org/x/sync/errgroup"

	"github.com/headwater-data/headwater/lineage"
	"github.com/headwater-data/headwater/workflows/contract"
)

// TestRunOfManySignalsContinuesInShortHistories signals a run more often than one history may hold, which the dispatcher's
// rounds avoid, but a backlog after a long outage need not. No signal is lost where one history ends and the next begins.
func TestRunOfManySignalsContinuesInShortHistories(t *testing.T) {
	// Temporal suggests to continue as new at longHistory events, and refuses signals after refused.
	const end, longHistory, refused = 1 << 20, 4096, 10_000
	s := newStage(t)
	script(s.worker, contract.WeighRunActivity, func(weighing contract.Weighing) (contract.Weighed, error) {
		if weighing.UpTo < end {
			return started, nil
		}
		return completed, nil
	})
	first := s.signalWithStart(1)
	sent := 1
	for s.latest(first).GetRunID() == first.GetRunID() {
		require.Less(t, sent, refused, "it has not continued")
		var group errgroup.Group
		group.SetLimit(8)
		for range 250 {
			sent++
			offset := lineage.Offset(sent)
			group.Go(func() error {
				return s.client.SignalWorkflow(t.Context(), first.GetID(), "", contract.EvidenceSignal, contract.Evidence{Offset: offset})
			})
		}
		require.NoError(t, group.Wait())
	}
	s.signalWithStart(end)
	require.NoError(t, s.latest(first).Get(t.Context(), nil))

	listed, err := s.client.ListWorkflow(t.Context(), &workflowservice.ListWorkflowExecutionsRequest{Query: `WorkflowType = "RunLifecycle"`})
	require.NoError(t, err)
	require.GreaterOrEqual(t, len(listed.GetExecutions()), 2)
	for _, execution := range listed.GetExecutions() {
		require.NotEqual(t, enums.WORKFLOW_EXECUTION_STATUS_RUNNING, execution.GetStatus())
		require.Less(t, execution.GetHistoryLength(), int64(longHistory))
	}
}

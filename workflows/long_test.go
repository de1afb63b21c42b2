package workflows_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
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
	weighed := newWeighings()
	script(s.worker, contract.WeighRunActivity, func(weighing contract.Weighing) (contract.Weighed, error) {
		weighed.add(weighing)
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
		// A slow worker would be sent more than one history holds before it has seen that.
		require.NoError(t, weighed.await(t.Context(), dailyOrders.RunID, lineage.Offset(sent)))
	}
	s.signalWithStart(end)
	require.NoError(t, s.latest(first).Get(t.Context(), nil))

	var listed *workflowservice.ListWorkflowExecutionsResponse
	require.EventuallyWithT(t, func(c *assert.CollectT) { // Temporal brings its list up to date after the fact
		var err error
		listed, err = s.client.ListWorkflow(t.Context(), &workflowservice.ListWorkflowExecutionsRequest{Query: `WorkflowType = "RunLifecycle"`})
		assert.NoError(c, err)
		assert.GreaterOrEqual(c, len(listed.GetExecutions()), 2)
		for _, execution := range listed.GetExecutions() {
			assert.NotEqual(c, enums.WORKFLOW_EXECUTION_STATUS_RUNNING, execution.GetStatus())
		}
	}, patience, 20*time.Millisecond)
	for _, execution := range listed.GetExecutions() {
		require.Less(t, execution.GetHistoryLength(), int64(longHistory))
	}
}

package worker_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.temporal.io/api/enums/v1"
	"go.temporal.io/api/workflowservice/v1"

	"github.com/headwater-data/headwater/eventlog"
	"github.com/headwater-data/headwater/lineage"
	"github.com/headwater-data/headwater/projection"
	"github.com/headwater-data/headwater/workflows/contract"
)

// TestRunOfAHundredThousandEventsHasASmallHistory counts what Temporal keeps of such a run, not how long it takes: Temporal is
// told of evidence by the round, never by the event.
func TestRunOfAHundredThousandEventsHasASmallHistory(t *testing.T) {
	const events, chunk = 100_000, 500
	// Temporal suggests to continue as new at this many events of one history.
	const longHistory = 4096
	b := setup(t)
	b.start()
	orders := run("crowded")
	for first := 0; first < events; first += chunk {
		records := make([]eventlog.Record, chunk)
		for i := range records {
			records[i] = b.progress(orders, first+i)
		}
		b.append(records...)
	}
	b.send(orders, lineage.Complete, morning.Add(48*time.Hour), lineage.Batch)
	stored := b.awaitRunWithin(10*time.Minute, orders, func(stored projection.StoredRun) bool {
		return len(stored.Outputs) > 0 && published(stored)
	})
	require.EqualValues(t, events+1, stored.Basis.Offset, "all of it was weighed")

	c := b.temporal()
	require.NoError(t, c.GetWorkflow(t.Context(), contract.RunWorkflowID(orders), "").Get(t.Context(), nil))
	var listed *workflowservice.ListWorkflowExecutionsResponse
	require.EventuallyWithT(t, func(collect *assert.CollectT) { // Temporal brings its list up to date after the fact
		var err error
		listed, err = c.ListWorkflow(t.Context(), &workflowservice.ListWorkflowExecutionsRequest{
			Query: fmt.Sprintf("WorkflowId = %q", contract.RunWorkflowID(orders)),
		})
		assert.NoError(collect, err)
		assert.NotEmpty(collect, listed.GetExecutions())
		for _, execution := range listed.GetExecutions() {
			assert.NotEqual(collect, enums.WORKFLOW_EXECUTION_STATUS_RUNNING, execution.GetStatus(), "all signals were drained")
		}
	}, patience, interval)
	var total int64
	for _, execution := range listed.GetExecutions() {
		require.Less(t, execution.GetHistoryLength(), int64(longHistory))
		total += execution.GetHistoryLength()
	}
	t.Logf("%d executions, %d history events", len(listed.GetExecutions()), total)
	require.Positive(t, total)
	require.Less(t, total, int64(events/20))
}

// progress is a RUNNING event, one of many of a run.
func (b *bundle) progress(key lineage.RunKey, i int) eventlog.Record {
	b.t.Helper()
	payload := fmt.Appendf(nil, `{"eventType":"RUNNING","eventTime":%q,"run":{"runId":%q},"job":{"namespace":%q,"name":%q},"producer":"x:y"}`,
		morning.Add(time.Duration(i)*time.Second).Format(time.RFC3339), key.RunID, key.Job.Namespace, key.Job.Name)
	content, err := lineage.ContentHash(payload)
	require.NoError(b.t, err)
	return eventlog.Record{
		Producer: "spark", EventID: lineage.DerivedEventID(content), Format: lineage.FormatOpenLineage,
		RunKey: key.Hash(), ContentHash: content, Payload: payload,
	}
}

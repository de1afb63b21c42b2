package worker_test

import (
	"testing"
	"testing/fstest"
	"time"

	"github.com/stretchr/testify/require"
	"go.temporal.io/api/enums/v1"
	"go.temporal.io/api/workflowservice/v1"
	"go.temporal.io/sdk/client"
	"go.temporal.io/sdk/converter"

	"github.com/headwater-data/headwater/eventlog"
	"github.com/headwater-data/headwater/lineage"
	"github.com/headwater-data/headwater/policies"
	"github.com/headwater-data/headwater/projection"
	"github.com/headwater-data/headwater/workflows/contract"
)

// gatedPolicies hold what is written to the mart until the gate quality has answered.
func gatedPolicies(t *testing.T) fstest.MapFS {
	t.Helper()
	files := fstest.MapFS{"data.json": {Data: []byte(
		`{"headwater": {"hidden": [], "gates": [{"namespace": "warehouse", "name": "mart.*", "gates": ["quality"], "wait": "1h"}]}}`)}}
	for _, name := range []string{"authz.rego", "visibility.rego", "publication.rego"} {
		content, err := policies.Files.ReadFile(name)
		require.NoError(t, err)
		files[name] = &fstest.MapFile{Data: content}
	}
	return files
}

// pass appends that the run's output has passed its gate.
func (b *bundle) pass(key lineage.RunKey) {
	b.mark(key, lineage.Passed, "quality")
}

// mark appends a marker of the run's output, as the gateway does.
func (b *bundle) mark(key lineage.RunKey, kind lineage.MarkerKind, gate string) {
	b.t.Helper()
	payload, err := lineage.EncodeMarker(key, lineage.Marker{
		Output: lineage.DatasetID{Namespace: "warehouse", Name: "mart.daily_orders"}, Kind: kind, Gate: gate,
		EventTime: morning.Add(time.Hour), By: "dq",
	})
	require.NoError(b.t, err)
	content, err := lineage.ContentHash(payload)
	require.NoError(b.t, err)
	b.append(eventlog.Record{
		Producer: "dq", EventID: string(kind) + " of " + key.RunID, Format: lineage.FormatPlatform, RunKey: key.Hash(), ContentHash: content, Payload: payload,
	})
}

// held reports that the run was decided to wait for its gate.
func held(stored projection.StoredRun) bool { return stored.AwaitsGates(stored.Decisions) }

func TestOperatorFindsTheRunsThatWaitForAGate(t *testing.T) {
	b := setup(t)
	b.policies = gatedPolicies(t)
	b.start()
	waiting, other := run("waiting"), run("other")
	b.complete(waiting)
	b.complete(other)
	b.awaitRun(waiting, held)
	b.awaitRun(other, held)
	b.pass(other)
	b.awaitRun(other, published)

	c := b.temporal()
	require.Eventually(t, func() bool {
		found, err := c.ListWorkflow(t.Context(), &workflowservice.ListWorkflowExecutionsRequest{Query: `HeadwaterGates = "quality"`})
		return err == nil && len(found.GetExecutions()) == 1 &&
			found.GetExecutions()[0].GetExecution().GetWorkflowId() == contract.RunWorkflowID(waiting)
	}, patience, interval)
	described, err := c.DescribeWorkflow(t.Context(), contract.RunWorkflowID(waiting), "")
	require.NoError(t, err)
	gates, _ := described.TypedSearchAttributes.GetKeywordList(contract.GatesAttribute)
	require.Equal(t, []string{"quality"}, gates)
	require.Equal(t, "wait for the gate quality until "+b.deadline(waiting).Format("2006-01-02 15:04:05 MST"), b.timerSummary(c, waiting))
}

// deadline is until when a run's output waits, as it was decided.
func (b *bundle) deadline(key lineage.RunKey) time.Time {
	b.t.Helper()
	stored, err := b.projections.Run(b.t.Context(), key.Hash())
	require.NoError(b.t, err)
	return stored.Decisions[0].Deadline
}

// timerSummary is what the Temporal UI shows of the first timer of a run's workflow.
func (b *bundle) timerSummary(c client.Client, key lineage.RunKey) string {
	b.t.Helper()
	events := c.GetWorkflowHistory(b.t.Context(), contract.RunWorkflowID(key), "", false, enums.HISTORY_EVENT_FILTER_TYPE_ALL_EVENT)
	for events.HasNext() {
		event, err := events.Next()
		require.NoError(b.t, err)
		if event.GetEventType() == enums.EVENT_TYPE_TIMER_STARTED {
			var summary string
			require.NoError(b.t, converter.GetDefaultDataConverter().FromPayload(event.GetUserMetadata().GetSummary(), &summary))
			return summary
		}
	}
	return ""
}

func TestLateEvidenceIsWeighedByTheWorkflowThatStays(t *testing.T) {
	b := setup(t)
	b.lateness = time.Hour
	b.start()
	orders := run("late")
	b.complete(orders)
	b.awaitRun(orders, published)
	c := b.temporal()
	before, err := c.DescribeWorkflow(t.Context(), contract.RunWorkflowID(orders), "")
	require.NoError(t, err)

	b.send(orders, lineage.Fail, morning.Add(time.Hour), lineage.Batch)
	b.awaitRun(orders, func(stored projection.StoredRun) bool { return stored.Outputs[0].Publication == lineage.Diagnostic })
	after, err := c.DescribeWorkflow(t.Context(), contract.RunWorkflowID(orders), "")
	require.NoError(t, err)
	require.Equal(t, enums.WORKFLOW_EXECUTION_STATUS_RUNNING, after.Status)
	require.Equal(t, before.WorkflowExecution.RunID, after.WorkflowExecution.RunID)
}

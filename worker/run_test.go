package worker_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.temporal.io/api/enums/v1"
	"go.temporal.io/sdk/temporal"

	"github.com/headwater-data/headwater/eventlog"
	"github.com/headwater-data/headwater/lineage"
	"github.com/headwater-data/headwater/projection"
	"github.com/headwater-data/headwater/workflows/contract"
)

func TestCompletedRunIsPublished(t *testing.T) {
	b := setup(t)
	b.start()
	orders := run("53ee3770-86fa-4cb9-8c31-a09072dd88f7")
	b.complete(orders)

	stored := b.awaitRun(orders, published)
	require.True(t, stored.Settled())
	require.Equal(t, lineage.Offset(2), stored.Basis.Offset, "a decision is no evidence")

	entries := b.entries()
	require.Len(t, entries, 3)
	decided, err := lineage.Decode(entries[2].Format, entries[2].Payload, lineage.DefaultLimits())
	require.NoError(t, err)
	require.Equal(t, lineage.PublicationDecidedEvent, decided.Kind)
	require.Equal(t, lineage.Published, decided.Decision.Publication)
	require.Equal(t, decided.Decision.ID().String(), entries[2].EventID)

	c := b.temporal()
	require.NoError(t, c.GetWorkflow(t.Context(), contract.RunWorkflowID(orders), "").Get(t.Context(), nil))
	described, err := c.DescribeWorkflow(t.Context(), contract.RunWorkflowID(orders), "")
	require.NoError(t, err)
	attribute := func(key temporal.SearchAttributeKeyKeyword) string {
		value, _ := described.TypedSearchAttributes.GetKeyword(key)
		return value
	}
	require.Equal(t, "daily_orders", attribute(contract.JobAttribute))
	require.Equal(t, "spark-prod", attribute(contract.NamespaceAttribute))
	require.Equal(t, "COMPLETED", attribute(contract.RunStateAttribute))
	require.Equal(t, "published", attribute(contract.PublicationAttribute))
	summary, err := described.GetStaticSummary()
	require.NoError(t, err)
	require.Equal(t, "daily_orders in spark-prod", summary)
}

func TestRunsOfAnyIDAreDecided(t *testing.T) {
	b := setup(t)
	b.start()
	ids := []string{"é🚀", "a\nb c", "../..", strings.Repeat("é", 250), "53ee3770-86fa-4cb9-8c31-a09072dd88f7"}
	for _, id := range ids {
		b.complete(run(id))
	}
	for _, id := range ids { // the last of them waits for those before it
		b.awaitRun(run(id), published)
	}
}

func TestLaterEndOverrulesAPublishedRun(t *testing.T) {
	b := setup(t)
	b.start()
	orders := run("overruled")
	b.complete(orders)
	b.awaitRun(orders, published)
	b.send(orders, lineage.Fail, morning.Add(time.Hour), lineage.Batch)

	stored := b.awaitRun(orders, func(stored projection.StoredRun) bool {
		return stored.Outputs[0].Publication == lineage.Diagnostic
	})
	require.True(t, stored.Disputed())
}

func TestStreamingRunIsPublishedWhileItRuns(t *testing.T) {
	b := setup(t)
	b.start()
	orders := run("stream")
	b.send(orders, lineage.Running, morning, lineage.Streaming)
	b.awaitRun(orders, published)

	described, err := b.temporal().DescribeWorkflow(t.Context(), contract.RunWorkflowID(orders), "")
	require.NoError(t, err)
	require.Equal(t, enums.WORKFLOW_EXECUTION_STATUS_RUNNING, described.Status)
}

func TestRepeatedEventsChangeNothing(t *testing.T) {
	b := setup(t)
	b.start()
	orders := run("repeated")
	b.complete(orders)
	b.awaitRun(orders, published)
	active, err := b.projections.Active(t.Context())
	require.NoError(t, err)
	before, err := b.projections.Digest(t.Context(), active.ID)
	require.NoError(t, err)

	b.complete(orders)
	after, err := b.projections.Digest(t.Context(), active.ID)
	require.NoError(t, err)
	require.Equal(t, before, after)
	require.Len(t, b.entries(), 3)
}

func TestEvidenceDoesNotWaitForTemporal(t *testing.T) {
	b := setup(t)
	reachable := b.options.HostPort
	b.options.HostPort = "127.0.0.1:1"
	address, stop := b.start()
	orders := run("without-temporal")
	b.complete(orders)
	b.awaitRun(orders, func(stored projection.StoredRun) bool { return stored.State() == lineage.RunCompleted })

	status, _ := get(t, address, "/healthz")
	require.Equal(t, 200, status)
	require.Eventually(t, func() bool { // checks have little time, so a busy machine may fail others too
		status, body := get(t, address, "/readyz")
		checks := body["checks"].(map[string]any)
		return status == 503 && strings.Contains(checks["temporal"].(string), "failing") && checks["database"] == "ok"
	}, patience, interval)
	stop()

	b.options.HostPort = reachable
	b.start()
	b.awaitRun(orders, published)
}

func TestNothingIsLostBetweenFoldingAndDispatching(t *testing.T) {
	b := setup(t)
	orders := run("crashed")
	b.complete(orders)
	active, err := b.projections.Active(t.Context())
	require.NoError(t, err)
	require.NoError(t, b.projections.Apply(t.Context(), active.ID, b.entries())) // and here the worker died

	b.start()
	b.awaitRun(orders, published)
}

func TestRunWhoseWorkflowIsGoneIsDecidedByTheNextWorker(t *testing.T) {
	b := setup(t)
	orders := run("terminated")
	b.complete(orders)
	active, err := b.projections.Active(t.Context())
	require.NoError(t, err)
	require.NoError(t, b.projections.Apply(t.Context(), active.ID, b.entries()))
	require.NoError(t, b.projections.MoveDispatch(t.Context(), 0, 2)) // signalled, and then Temporal lost it

	b.start()
	b.awaitRun(orders, published)
}

func TestUnreadableEntryHoldsUpNothing(t *testing.T) {
	b := setup(t)
	b.start()
	b.append(eventlog.Record{
		Producer: "spark", EventID: "poison", Format: lineage.FormatOpenLineage,
		ContentHash: lineage.HashOf("poison"), Payload: []byte(`{"run":{"runId":7},`),
	})
	orders := run("behind-poison")
	b.complete(orders)
	b.awaitRun(orders, published)
}

func TestTwoWorkersDecideOnce(t *testing.T) {
	b := setup(t)
	b.start()
	_, stopSecond := b.start()
	const runs = 10
	for i := range runs {
		b.complete(run(string(rune('a' + i))))
	}
	stopSecond()
	for i := range runs {
		b.awaitRun(run(string(rune('a'+i))), published)
	}
	require.Len(t, b.entries(), 3*runs)
}

func TestReadyWorkerTellsHowFarItIs(t *testing.T) {
	b := setup(t)
	address, _ := b.start()
	require.Eventually(t, func() bool {
		status, _ := get(t, address, "/readyz")
		return status == 200
	}, patience, interval)
	b.complete(run("measured"))
	b.awaitRun(run("measured"), published)

	require.EventuallyWithT(t, func(c *assert.CollectT) { // what cannot be measured in time is left out
		metrics := scrape(t, address)
		assert.Contains(c, metrics, "headwater_log_offset 3")
		assert.Contains(c, metrics, `headwater_projection_offset{projection="main",status="active"} 3`)
		assert.Contains(c, metrics, "headwater_quarantine_waiting_documents 0")
		assert.Contains(c, metrics, "headwater_temporal_connected 1")
		assert.Contains(c, metrics, "headwater_runs_awaiting_decision 0")
		assert.Contains(c, metrics, "headwater_runs_awaiting_gates 0")
		assert.Contains(c, metrics, "headwater_oldest_undecided_run_seconds 0")
		assert.Contains(c, metrics, `headwater_dispatch_signals_total{outcome="sent"}`)
	}, patience, interval)
}

func TestLogIsArchivedBySchedule(t *testing.T) {
	b := setup(t)
	b.start()
	b.complete(run("archived"))
	require.Eventually(t, func() bool {
		last, err := b.catalogue.Last(context.Background())
		return err == nil && last == 3
	}, patience, interval)
}

package gateway_test

import (
	"encoding/json/v2"
	"fmt"
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"

	headwaterv1 "github.com/headwater-data/headwater/gen/headwater/v1"
)

func TestRunSaysWhichEventsWereWithdrawnByWhomAndWhy(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.publish(t, "raw.orders", "mart.daily")
	request := &headwaterv1.GetRunRequest{RunId: "run of mart.daily"}
	before, err := b.runs().GetRun(t.Context(), request)
	require.NoError(t, err)
	event := before.GetRun().GetEvents()[0]
	require.Nil(t, event.GetWithdrawn())

	_, err = b.admin().SubmitFacts(t.Context(), &headwaterv1.SubmitFactsRequest{
		Facts: []*headwaterv1.Fact{withdrawn(event.GetProducer(), event.GetEventId())},
	})
	require.NoError(t, err)
	b.fold(t)
	after, err := b.runs().GetRun(t.Context(), request)
	require.NoError(t, err)
	run := after.GetRun()
	require.Equal(t, "dev", run.GetEvents()[0].GetWithdrawn().GetBy())
	require.Equal(t, "sent by a test", run.GetEvents()[0].GetWithdrawn().GetReason())
	require.Equal(t, "EvidenceWithdrawn", run.GetEvents()[1].GetEventType())
	require.Empty(t, run.GetOutputs())
	require.Equal(t, headwaterv1.RunState_RUN_STATE_UNKNOWN, run.GetState())
	require.False(t, run.GetPlaceholder())
	require.False(t, run.GetMissingStart(), "nothing of it counts, so nothing is missing")
}

// treeEvent is an event of a run below another.
func treeEvent(t *testing.T, run, job, parent, parentJob string) []byte {
	t.Helper()
	document, err := json.Marshal(map[string]any{
		"eventType": "START", "eventTime": "2026-07-19T00:00:00Z",
		"job": map[string]any{"namespace": "airflow", "name": job},
		"run": map[string]any{"runId": run, "facets": map[string]any{"parent": map[string]any{
			"run": map[string]any{"runId": parent}, "job": map[string]any{"namespace": "airflow", "name": parentJob},
		}}},
	})
	require.NoError(t, err)
	return document
}

func TestTreeOfRunsIsThatWithoutHiddenJobs(t *testing.T) {
	t.Parallel()
	b := setup(t, hiding(t, `{"namespace": "airflow", "name": "secret", "unless_roles": []}`))
	for _, event := range [][]byte{
		treeEvent(t, "task", "load", "dag", "shop"), treeEvent(t, "action", "secret", "task", "load"),
		treeEvent(t, "below", "deep", "action", "secret"), treeEvent(t, "beside", "check", "task", "load"),
	} {
		require.Equal(t, http.StatusCreated, b.post(t, "/api/v1/lineage", event).Status)
	}
	b.fold(t)
	tree := func(run string) []string {
		answer, err := b.runs().GetRun(t.Context(), &headwaterv1.GetRunRequest{RunId: run})
		require.NoError(t, err)
		var ids []string
		for _, member := range answer.GetRun().GetTree() {
			ids = append(ids, fmt.Sprintf("%d %s", member.GetDepth(), member.GetRun().GetRunId()))
		}
		return ids
	}
	require.Equal(t, []string{"0 dag", "1 task", "2 beside"}, tree("task"), "nothing hidden and nothing below it")
	require.Equal(t, []string{"0 below"}, tree("below"), "nothing that a hidden run separates from it")
}

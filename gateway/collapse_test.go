package gateway_test

import (
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/headwater-data/headwater/lineage"
)

func TestCollapsedAnswerNamesTheJobThatRanWithin(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.publish(t, "in", "out")
	action := lineage.RunKey{Job: lineage.JobID{Namespace: "spark-prod", Name: "action"}, RunID: "an action"}
	require.Equal(t, http.StatusCreated, b.post(t, singleDoor, []byte(`{
		"eventType": "COMPLETE", "eventTime": "2026-07-19T00:00:00Z",
		"run": {"runId": "an action", "facets": {"parent": {"run": {"runId": "run of out"}, "job": {"namespace": "spark-prod", "name": "make out"}}}},
		"job": {"namespace": "spark-prod", "name": "action"},
		"inputs": [{"namespace": "warehouse", "name": "in"}], "outputs": [{"namespace": "warehouse", "name": "out"}]}`)).Status)
	b.published(t, action, "out")

	request := traverseRequest("out", 1)
	answer, err := b.lineage().Traverse(t.Context(), request)
	require.NoError(t, err)
	require.Len(t, answer.GetEdges(), 2)
	request.Collapse = true
	answer, err = b.lineage().Traverse(t.Context(), request)
	require.NoError(t, err)
	require.Len(t, answer.GetEdges(), 1)
	edge := answer.GetEdges()[0]
	require.Equal(t, "make out", edge.GetJob().GetName())
	require.Len(t, edge.GetFolded(), 1)
	require.Equal(t, "action", edge.GetFolded()[0].GetName())
}

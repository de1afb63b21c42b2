package gateway_test

import (
	"net/http"
	"testing"
	"time"

	"connectrpc.com/connect/v2"
	"connectrpc.com/connect/v2/connecthttp"
	"github.com/stretchr/testify/require"
	"google.golang.org/protobuf/types/known/durationpb"

	"github.com/headwater-data/headwater/eventlog"
	headwaterv1 "github.com/headwater-data/headwater/gen/headwater/v1"
	"github.com/headwater-data/headwater/gen/headwater/v1/headwaterv1connect"
	"github.com/headwater-data/headwater/lineage"
	"github.com/headwater-data/headwater/policy"
)

func TestTraverseAnswersInTheContractsJSON(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.publish(t, "raw.orders", "mart.daily_orders")
	answered := b.post(t, "/headwater.v1.LineageService/Traverse", []byte(
		`{"start":{"dataset":{"namespace":"warehouse","name":"mart.daily_orders"}},"direction":"DIRECTION_UPSTREAM","depth":3,"timeBudget":"30s"}`))
	require.Equal(t, http.StatusOK, answered.Status, answered.Body)

	nodes := answered.Body["nodes"].([]any)
	require.Len(t, nodes, 2)
	start, source := nodes[0].(map[string]any), nodes[1].(map[string]any)
	require.EqualValues(t, 0, start["depth"])
	require.EqualValues(t, 1, source["depth"])
	require.Equal(t, map[string]any{"namespace": "warehouse", "name": "raw.orders"}, source["dataset"])

	edge := answered.Body["edges"].([]any)[0].(map[string]any)
	require.Equal(t, source["id"], edge["from"])
	require.Equal(t, start["id"], edge["to"])
	require.Equal(t, map[string]any{"namespace": "spark-prod", "name": "make mart.daily_orders"}, edge["job"])
	require.Equal(t, "ORIGIN_OBSERVED", edge["origin"])
	require.Equal(t, "PUBLICATION_PUBLISHED", edge["publication"])
	require.Equal(t, "RUN_STATE_COMPLETED", edge["runState"])
	require.Equal(t, "run of mart.daily_orders", edge["runId"])
	require.Equal(t, "DERIVATION_INPUTS_OUTPUTS", edge["derivation"])
	require.NotEmpty(t, edge["validFrom"])
	require.NotContains(t, edge, "validTo")
	require.NotContains(t, edge, "jobVersion")

	require.Equal(t, map[string]any{"complete": true, "reasons": []any{}}, answered.Body["completeness"])
	require.Equal(t, "main", answered.Body["projection"].(map[string]any)["name"])
	require.NotContains(t, start["id"], lineage.HashOf("dataset", "warehouse", "mart.daily_orders").String())
}

func TestDepthReachedMakesAnAnswerIncomplete(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.publish(t, "a", "b")
	b.publish(t, "b", "c")
	answer := b.traverse(t, "c", 1)
	require.False(t, answer.GetCompleteness().GetComplete())
	require.Equal(t, []headwaterv1.IncompleteReason{headwaterv1.IncompleteReason_INCOMPLETE_REASON_DEPTH}, answer.GetCompleteness().GetReasons())
	require.True(t, b.traverse(t, "c", 2).GetCompleteness().GetComplete())
}

func TestWhatMayNotBeSeenDoesNotExist(t *testing.T) {
	t.Parallel()
	b := setup(t, hiding(t, `{"namespace": "warehouse", "name": "b", "unless_roles": []}`))
	b.publish(t, "a", "b")
	b.publish(t, "b", "c")
	token, err := b.principals.Add(t.Context(), policy.Principal{Name: "mara", Kind: policy.User, Roles: []string{"reader"}})
	require.NoError(t, err)
	reader := "Bearer " + token.Reveal()

	answer, err := b.lineage().Traverse(withToken(t, reader), traverseRequest("c", 5))
	require.NoError(t, err)
	require.Len(t, answer.GetNodes(), 1, "the path is cut before the hidden node")
	require.Equal(t, []headwaterv1.IncompleteReason{headwaterv1.IncompleteReason_INCOMPLETE_REASON_RESTRICTED}, answer.GetCompleteness().GetReasons())

	_, hidden := b.lineage().Traverse(withToken(t, reader), traverseRequest("b", 5))
	_, missing := b.lineage().Traverse(withToken(t, reader), traverseRequest("x", 5))
	require.Equal(t, connect.CodeNotFound, connect.CodeOf(hidden))
	require.Equal(t, connect.CodeNotFound, connect.CodeOf(missing))

	run, err := b.runs().GetRun(withToken(t, reader), &headwaterv1.GetRunRequest{RunId: "run of c"})
	require.NoError(t, err)
	require.Empty(t, run.GetRun().GetInputs())
	require.Len(t, run.GetRun().GetOutputs(), 1)
}

func TestRequestsAreValidated(t *testing.T) {
	t.Parallel()
	b := setup(t)
	for name, body := range map[string]string{
		"no start":     `{"direction":"DIRECTION_UPSTREAM"}`,
		"empty start":  `{"start":{},"direction":"DIRECTION_UPSTREAM"}`,
		"no direction": `{"start":{"dataset":{"namespace":"w","name":"t"}}}`,
		"no name":      `{"start":{"dataset":{"namespace":"w"}},"direction":"DIRECTION_UPSTREAM"}`,
		"depth":        `{"start":{"dataset":{"namespace":"w","name":"t"}},"direction":"DIRECTION_UPSTREAM","depth":101}`,
		"no path":      `{"start":{"field":{"namespace":"w","name":"t"}},"direction":"DIRECTION_UPSTREAM"}`,
		"no kind":      `{"start":{"field":{"namespace":"w","name":"t","path":"a"}},"direction":"DIRECTION_UPSTREAM","transformations":[7]}`,
		"no origin":    `{"start":{"dataset":{"namespace":"w","name":"t"}},"direction":"DIRECTION_UPSTREAM","origins":[0]}`,
		"publication":  `{"start":{"dataset":{"namespace":"w","name":"t"}},"direction":"DIRECTION_UPSTREAM","publications":["PUBLICATION_REJECTED"]}`,
		"no JSON":      `{`,
	} {
		answered := b.post(t, "/headwater.v1.LineageService/Traverse", []byte(body))
		require.Equal(t, http.StatusBadRequest, answered.Status, name)
		require.Equal(t, "invalid_argument", answered.Body["code"], name)
		require.NotEmpty(t, answered.Body["message"], name)
	}
	answered := b.post(t, "/headwater.v1.LineageService/Traverse", []byte(`{"start":{"dataset":{"namespace":"w","name":"t"}},"direction":0}`))
	require.Contains(t, answered.Body["message"], "direction: write DIRECTION_UPSTREAM, DIRECTION_DOWNSTREAM or DIRECTION_BOTH")
	answered = b.post(t, "/headwater.v1.LineageService/Traverse", []byte(`{"start":{"dataset":{"namespace":"w","name":"t"}},"direction":"DIRECTION_BOTH"}`))
	require.Equal(t, "not_found", answered.Body["code"], "both at once can be asked for")
}

func TestGetRunTellsTheWholeRun(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.publish(t, "raw.orders", "mart.daily_orders")
	answered := b.post(t, "/headwater.v1.RunService/GetRun", []byte(`{"runId":"RUN of mart.daily_orders"}`))
	require.Equal(t, http.StatusOK, answered.Status, answered.Body)
	run := answered.Body["run"].(map[string]any)
	require.Equal(t, "RUN_STATE_COMPLETED", run["state"])
	output := run["outputs"].([]any)[0].(map[string]any)
	require.Equal(t, map[string]any{"namespace": "warehouse", "name": "mart.daily_orders"}, output["dataset"])
	require.Equal(t, "PUBLICATION_PUBLISHED", output["publication"])
	require.Len(t, output["decisions"], 1)
	require.Equal(t, map[string]any{"dataset": map[string]any{"namespace": "warehouse", "name": "raw.orders"}}, run["inputs"].([]any)[0])
	require.Len(t, run["events"], 1)
	require.Equal(t, true, run["missingStart"])
	require.Equal(t, "run_id_no_uuid", run["warnings"].([]any)[0].(map[string]any)["code"])
	require.NotEmpty(t, run["endedAt"])
	require.NotContains(t, run, "parent")
}

func TestARunIDOfSeveralJobsIsAmbiguous(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.complete(t, "shared", "one", "a", "b")
	b.complete(t, "shared", "two", "a", "c")
	b.fold(t)
	answered := b.post(t, "/headwater.v1.RunService/GetRun", []byte(`{"runId":"shared"}`))
	require.Equal(t, "failed_precondition", answered.Body["code"])
	require.Contains(t, answered.Body["message"], "one in spark-prod, two in spark-prod")
	require.Equal(t, "headwater.v1.AmbiguousRun", answered.Body["details"].([]any)[0].(map[string]any)["type"])

	named := b.post(t, "/headwater.v1.RunService/GetRun", []byte(`{"runId":"shared","job":{"namespace":"spark-prod","name":"two"}}`))
	require.Equal(t, http.StatusOK, named.Status)
	unknown := b.post(t, "/headwater.v1.RunService/GetRun", []byte(`{"runId":"shared","job":{"namespace":"spark-prod","name":"three"}}`))
	require.Equal(t, "not_found", unknown.Body["code"])
}

func TestDigestOfTheActiveProjection(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.publish(t, "a", "b")
	digest := b.post(t, "/headwater.v1.ProjectionService/GetDigest", []byte(`{}`))
	require.Equal(t, "main", digest.Body["name"])
	require.Len(t, digest.Body["stateDigest"], 64)
	require.Len(t, digest.Body["historyDigest"], 64)
	require.Equal(t, "not_found", b.post(t, "/headwater.v1.ProjectionService/GetDigest", []byte(`{"name":"x"}`)).Body["code"])

	listed := b.post(t, "/headwater.v1.ProjectionService/ListProjections", []byte(`{}`))
	main := listed.Body["projections"].([]any)[0].(map[string]any)
	require.Equal(t, "PROJECTION_STATUS_ACTIVE", main["status"])
}

func (b *bundle) lineage() headwaterv1connect.LineageServiceClient {
	return headwaterv1connect.NewLineageServiceClient(connect.NewClient(connecthttp.NewTransport(http.DefaultClient, b.url)))
}

func (b *bundle) runs() headwaterv1connect.RunServiceClient {
	return headwaterv1connect.NewRunServiceClient(connect.NewClient(connecthttp.NewTransport(http.DefaultClient, b.url)))
}

func traverseRequest(name string, depth int32) *headwaterv1.TraverseRequest {
	return &headwaterv1.TraverseRequest{
		Start: &headwaterv1.NodeReference{Node: &headwaterv1.NodeReference_Dataset{
			Dataset: &headwaterv1.Dataset{Namespace: "warehouse", Name: name},
		}},
		Direction: headwaterv1.Direction_DIRECTION_UPSTREAM,
		Depth:     &depth, TimeBudget: durationpb.New(30 * time.Second), // the most, so that no stall cuts an answer
	}
}

// traverse walks upstream as the principal dev.
func (b *bundle) traverse(t *testing.T, name string, depth int32) *headwaterv1.TraverseResponse {
	t.Helper()
	answer, err := b.lineage().Traverse(t.Context(), traverseRequest(name, depth))
	require.NoError(t, err)
	return answer
}

// publish sends a run that makes output of input, decides that it is published, and folds the log.
func (b *bundle) publish(t *testing.T, input, output string) {
	t.Helper()
	b.published(t, b.complete(t, "run of "+output, "make "+output, input, output), output)
}

// published decides that what a run wrote counts, and folds.
func (b *bundle) published(t *testing.T, run lineage.RunKey, output string) {
	t.Helper()
	head, err := b.log.Head(t.Context())
	require.NoError(t, err)
	decision := lineage.Decision{
		Run:         run,
		Output:      lineage.DatasetID{Namespace: "warehouse", Name: output},
		Basis:       lineage.Position{Epoch: head.Epoch, Offset: head.Offset},
		EndType:     lineage.Complete,
		Publication: lineage.Published,
	}
	payload, err := lineage.EncodeDecision(decision)
	require.NoError(t, err)
	_, err = b.log.Append(t.Context(), eventlog.Record{
		Producer: "headwater", EventID: decision.ID().String(), Format: lineage.FormatPlatform, RunKey: run.Hash(), Payload: payload,
	})
	require.NoError(t, err)
	b.fold(t)
}

// complete sends a run that ended well, through the envelope's door.
func (b *bundle) complete(t *testing.T, runID, job, input, output string) lineage.RunKey {
	t.Helper()
	event := envelope(runID + " of " + job)
	event.RunId, event.Job.Name = runID, job
	event.EventTime = nil
	event.Inputs[0].Namespace, event.Inputs[0].Name = "warehouse", input
	event.Outputs[0].Namespace, event.Outputs[0].Name = "warehouse", output
	event.EmittedAt.Seconds = time.Now().Unix()
	require.NotNil(t, b.submit(t, event)[0].GetAccepted())
	return lineage.RunKey{Job: lineage.JobID{Namespace: "spark-prod", Name: job}, RunID: runID}
}

// fold applies what is new in the log to the active projection, as the worker does.
func (b *bundle) fold(t *testing.T) {
	t.Helper()
	active, err := b.projections.Active(t.Context())
	require.NoError(t, err)
	entries, err := b.log.Read(t.Context(), active.Cursor.Offset, 10_000, 1<<30)
	require.NoError(t, err)
	require.NoError(t, b.projections.Apply(t.Context(), active.ID, entries))
}

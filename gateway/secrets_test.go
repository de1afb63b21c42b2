package gateway_test

import (
	"bytes"
	"log/slog"
	"net/http"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"
	"google.golang.org/protobuf/encoding/protojson"

	"github.com/headwater-data/headwater/gateway"
	headwaterv1 "github.com/headwater-data/headwater/gen/headwater/v1"
	"github.com/headwater-data/headwater/policy"
)

// secretive is an event with a password wherever a producer in the field has been seen to leave one.
const secretive = `{"eventType":"RUNNING","eventTime":"2026-07-19T00:00:00Z",` +
	`"run":{"runId":"53ee3770-86fa-4cb9-8c31-a09072dd88f7","facets":{"parent":"hunter2",` +
	`"errorMessage":{"message":"no route to postgres://user:hunter2@db:5432"}}},` +
	`"job":{"namespace":"postgres://user:hunter2@db:5432","name":"load","facets":{"jobType":{"processingType":"STREAMING"},` +
	`"sql":{"query":"CREATE USER x PASSWORD 'hunter2'"}}},` +
	`"inputs":[{"namespace":"postgres://user:hunter2@db:5432","name":"a.b.c"}],` +
	`"outputs":[{"namespace":"https://blob/c?sig=hunter2","name":"t"}]}`

// logBuffer collects what a server logs while it serves.
type logBuffer struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (b *logBuffer) Write(text []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.text.Write(text)
}

func (b *logBuffer) String() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.text.String()
}

func TestAPasswordInANameIsReadNowhere(t *testing.T) {
	t.Parallel()
	var logged logBuffer
	b := setup(t, func(config *gateway.Config) {
		config.Logger = slog.New(slog.NewJSONHandler(&logged, &slog.HandlerOptions{Level: slog.LevelDebug}))
	})
	require.Equal(t, http.StatusCreated, b.post(t, singleDoor, []byte(secretive)).Status)
	refused := b.post(t, singleDoor, []byte(strings.ReplaceAll(secretive, "2026-07-19T00:00:00Z", "password=hunter2")))
	require.Equal(t, http.StatusBadRequest, refused.Status)
	require.NotContains(t, refused.Body["reason"], "hunter2")
	require.NotContains(t, b.refused(t)[0].Reason, "hunter2")
	require.Contains(t, string(b.entries(t)[0].Payload), "hunter2", "the log keeps what was sent")
	b.fold(t)

	answer, err := b.runs().GetRun(t.Context(), &headwaterv1.GetRunRequest{
		RunId: "53ee3770-86fa-4cb9-8c31-a09072dd88f7", Job: &headwaterv1.Job{Namespace: "postgres://user:hunter2@db:5432", Name: "load"},
	})
	require.NoError(t, err, "a question may name the job as its producer does")
	require.Equal(t, "postgres://user@db:5432", answer.GetRun().GetInputs()[0].GetDataset().GetNamespace())
	read, err := protojson.Marshal(answer)
	require.NoError(t, err)
	require.NotContains(t, string(read), "hunter2")

	var projected string
	require.NoError(t, b.pool.QueryRow(t.Context(), `SELECT string_agg(x::text, '') FROM (
		SELECT to_jsonb(node)::text FROM node UNION ALL SELECT to_jsonb(run)::text FROM run
		UNION ALL SELECT to_jsonb(run_event)::text FROM run_event UNION ALL SELECT to_jsonb(statement)::text FROM statement) AS t (x)`).Scan(&projected))
	require.NotContains(t, projected, "hunter2")
	require.NotContains(t, logged.String(), "hunter2")
}

func TestAQuestionNamesADatasetWithOrWithoutItsPassword(t *testing.T) {
	t.Parallel()
	b := setup(t)
	_, err := b.lineage().Traverse(t.Context(), &headwaterv1.TraverseRequest{
		Start: &headwaterv1.NodeReference{Node: &headwaterv1.NodeReference_Dataset{
			Dataset: &headwaterv1.Dataset{Namespace: "postgres://user:hunter2@db:5432", Name: "a.b.c"},
		}},
		Direction: headwaterv1.Direction_DIRECTION_UPSTREAM,
	})
	require.ErrorContains(t, err, "postgres://user@db:5432", "nor does an error repeat the password")
}

func TestAScopeIsHeldAgainstNamesWithoutTheirPasswords(t *testing.T) {
	t.Parallel()
	b := setup(t, closed)
	scoped := b.token(t, "loader", "postgres://user:hunter2@db:5432")
	require.Equal(t, http.StatusCreated, b.post(t, singleDoor, []byte(secretive), "Authorization", scoped).Status)
	other := b.post(t, singleDoor, []byte(strings.ReplaceAll(secretive, "@db", "@other")), "Authorization", scoped)
	require.Equal(t, http.StatusForbidden, other.Status)
	require.NotContains(t, other.Body["reason"], "hunter2")

	registered, err := b.principals.List(t.Context(), policy.Producer)
	require.NoError(t, err)
	require.Equal(t, []string{"postgres://user@db:5432"}, registered[0].Namespaces)
}

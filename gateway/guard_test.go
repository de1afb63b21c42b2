package gateway_test

import (
	"bytes"
	"fmt"
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/headwater-data/headwater/gateway"
	"github.com/headwater-data/headwater/policy"
)

func closed(c *gateway.Config) { c.Dev = false }

func TestWithoutCredentialsOnlyDevelopmentIsServed(t *testing.T) {
	t.Parallel()
	b := setup(t, closed)
	for _, credentials := range []string{"", "Bearer", "Bearer ", "Bearer hw_guess", "Basic ZGV2OmRldg=="} {
		answered := b.post(t, singleDoor, runEvent("START"), "Authorization", credentials)
		require.Equal(t, http.StatusUnauthorized, answered.Status, credentials)
		require.Contains(t, answered.Header.Get("WWW-Authenticate"), "Bearer")
		rpc := b.post(t, "/headwater.v1.IngestService/SubmitEvents", []byte("{}"), "Authorization", credentials)
		require.Equal(t, http.StatusUnauthorized, rpc.Status, credentials)
		require.Equal(t, "unauthenticated", rpc.Body["code"])
	}
	require.Empty(t, b.entries(t))
	require.Empty(t, b.refused(t))
}

func TestAWrongTokenIsRefusedInDevelopmentToo(t *testing.T) {
	t.Parallel()
	b := setup(t)
	require.Equal(t, http.StatusUnauthorized, b.post(t, singleDoor, runEvent("START"), "Authorization", "Bearer hw_guess").Status)
}

func TestAProducerWritesInItsNamespaces(t *testing.T) {
	t.Parallel()
	b := setup(t, closed)
	exact, prefix, other := b.token(t, "one", "spark-prod"), b.token(t, "two", "spark*"), b.token(t, "three", "airflow")
	require.Equal(t, http.StatusCreated, b.post(t, singleDoor, runEvent("START"), "Authorization", exact).Status)
	require.Equal(t, http.StatusCreated, b.post(t, singleDoor, runEvent("START"), "Authorization", prefix).Status)
	refused := b.post(t, singleDoor, runEvent("START"), "Authorization", other)
	require.Equal(t, http.StatusForbidden, refused.Status)
	require.Equal(t, "namespace_forbidden", refused.Body["code"])
	require.Empty(t, b.refused(t), "what a caller had no right to send is not kept")

	entries := b.entries(t)
	require.Len(t, entries, 2, "idempotency is of each producer")
	require.Equal(t, "one", entries[0].Producer)
}

func TestEveryKindOfEventHasANamespaceInScope(t *testing.T) {
	t.Parallel()
	b := setup(t, closed)
	token := b.token(t, "one", "mine")
	for _, form := range []string{
		`{"eventTime":"2026-07-19T00:00:00Z","job":{"namespace":"%s","name":"j"},"inputs":[{"namespace":"w","name":"t"}]}`,
		`{"eventTime":"2026-07-19T00:00:00Z","dataset":{"namespace":"%s","name":"t"}}`,
	} {
		require.Equal(t, http.StatusCreated, b.post(t, singleDoor, fmt.Appendf(nil, form, "mine"), "Authorization", token).Status)
		require.Equal(t, http.StatusForbidden, b.post(t, singleDoor, fmt.Appendf(nil, form, "theirs"), "Authorization", token).Status)
	}
}

func TestAForbiddenEventCostsTheBatchOnlyItself(t *testing.T) {
	t.Parallel()
	b := setup(t, closed)
	token := b.token(t, "one", "spark-prod")
	theirs := bytes.Replace(runEvent("START"), []byte("spark-prod"), []byte("airflow"), 1)
	answered := b.post(t, batchDoor, fmt.Appendf(nil, "[%s,%s]", theirs, runEvent("START")), "Authorization", token)
	require.Equal(t, http.StatusOK, answered.Status)
	failed := answered.Body["failed_events"].([]any)
	require.Len(t, failed, 1)
	require.Equal(t, "namespace_forbidden", failed[0].(map[string]any)["code"])
	require.Len(t, b.entries(t), 1)
}

func TestPolicyDecidesWhoMayCallWhat(t *testing.T) {
	t.Parallel()
	b := setup(t, closed)
	token, err := b.principals.Add(t.Context(), policy.Principal{Name: "mara", Kind: policy.User, Roles: []string{"reader"}})
	require.NoError(t, err)
	reader := "Bearer " + token.Reveal()
	for _, path := range []string{singleDoor, batchDoor, "/"} {
		answered := b.post(t, path, runEvent("START"), "Authorization", reader)
		require.Equal(t, http.StatusForbidden, answered.Status, path)
		require.Contains(t, answered.Body["reason"], "mara")
	}
	rpc := b.post(t, "/headwater.v1.IngestService/SubmitEvents", []byte("{}"), "Authorization", reader)
	require.Equal(t, http.StatusForbidden, rpc.Status)
	require.Equal(t, "permission_denied", rpc.Body["code"])
}

func TestOneCallerCannotTakeAllThereIs(t *testing.T) {
	t.Parallel()
	b := setup(t, func(c *gateway.Config) { c.Limits.InFlight = 0 })
	answered := b.post(t, singleDoor, runEvent("START"))
	require.Equal(t, http.StatusTooManyRequests, answered.Status)
	require.NotEmpty(t, answered.Header.Get("Retry-After"))
}

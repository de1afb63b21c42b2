package gateway_test

import (
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestWhatTheContractDoesNotHaveIsRefusedInAQuestion(t *testing.T) {
	t.Parallel()
	b := setup(t)
	const traverse = "/headwater.v1.LineageService/Traverse"
	for body, why := range map[string]string{
		`{"start": {"dataset": {"namespace": "n", "name": "x"}}, "direction": "DIRECTION_UPSTREAM", "validat": "2026-07-19T00:00:00Z"}`: `unknown field "validat"`,
		`{"start": {"dataset": {"namespace": "n", "table": "x"}}, "direction": "DIRECTION_UPSTREAM"}`:                                   `unknown field "table"`,
		`{"start": {"dataset": {"namespace": "n", "name": "x"}}, "direction": "UPSTREAM"}`:                                              `"UPSTREAM"`,
	} {
		answer := b.post(t, traverse, []byte(body))
		require.Equal(t, http.StatusBadRequest, answer.Status, body)
		require.Equal(t, "invalid_argument", answer.Body["code"])
		require.Contains(t, answer.Body["message"], why)
		require.Contains(t, answer.Body["message"], "message TraverseRequest of headwater/v1/lineage.proto says what can be sent")
	}
	marker := `{"markers": [{"runId": "r", "job": {"namespace": "n", "name": "j"}, "output": {"namespace": "n", "name": "x"},
		"kind": "MARKER_KIND_COMMITTED", "eventtime": "2026-07-19T00:00:00Z"}]}`
	require.Equal(t, http.StatusBadRequest, b.post(t, "/headwater.v1.IngestService/SubmitMarkers", []byte(marker)).Status)
	require.Empty(t, b.entries(t))
}

func TestEventThatSaysMoreThanTheContractIsAccepted(t *testing.T) {
	t.Parallel()
	b := setup(t)
	answer := b.post(t, "/headwater.v1.IngestService/SubmitEvents", []byte(`{"events": [{"eventId": "1", "producer": "dev", "schemaVersion": "1.0",
		"emittedAt": "2026-07-19T00:00:00Z", "job": {"namespace": "n", "name": "j"}, "runId": "r", "state": "COMPLETE", "later": true}]}`))
	require.Equal(t, http.StatusOK, answer.Status, answer.Body)
	require.Len(t, b.entries(t), 1)
}

package gateway_test

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"io"
	"net"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/headwater-data/headwater/gateway"
	"github.com/headwater-data/headwater/lineage"
)

const singleDoor, batchDoor = "/api/v1/lineage", "/api/v1/lineage/batch"

func TestEventIsInTheLogWhenItIsAnswered(t *testing.T) {
	t.Parallel()
	b := setup(t)
	for _, path := range []string{singleDoor, singleDoor + "/", "//api/v1/lineage", "/x/.././api/v1/lineage", "/"} {
		answered := b.post(t, path, append([]byte(strings.Repeat(" ", len(path))), runEvent("START")...))
		require.Equal(t, http.StatusCreated, answered.Status, path)
		require.EqualValues(t, 1, answered.Body["offset"], path)
		require.Equal(t, path != singleDoor, answered.Body["duplicate"], path)
	}
	entries := b.entries(t)
	require.Len(t, entries, 1)
	require.Equal(t, append([]byte(strings.Repeat(" ", len(singleDoor))), runEvent("START")...), entries[0].Payload)
	require.Equal(t, lineage.FormatOpenLineage, entries[0].Format)
	require.Equal(t, "dev", entries[0].Producer)
}

func TestAProgressEventIsNoResend(t *testing.T) {
	t.Parallel()
	b := setup(t)
	require.Equal(t, false, b.post(t, singleDoor, runEvent("RUNNING")).Body["duplicate"])
	later := bytes.Replace(runEvent("RUNNING"), []byte("00:00:00.000Z"), []byte("00:00:01.000Z"), 1)
	require.Equal(t, false, b.post(t, singleDoor, later).Body["duplicate"])
	require.Len(t, b.entries(t), 2)
}

func TestAnIdempotencyKeyStandsForOneEvent(t *testing.T) {
	t.Parallel()
	b := setup(t)
	require.Equal(t, http.StatusCreated, b.post(t, singleDoor, runEvent("START"), "Idempotency-Key", "a").Status)
	again := b.post(t, singleDoor, runEvent("START"), "Idempotency-Key", "a")
	require.Equal(t, true, again.Body["duplicate"])
	require.Equal(t, "a", again.Body["eventId"])

	other := b.post(t, singleDoor, runEvent("COMPLETE"), "Idempotency-Key", "a")
	require.Equal(t, http.StatusBadRequest, other.Status)
	require.Equal(t, "conflict", other.Body["code"])
	require.Len(t, b.entries(t), 1)
	require.Equal(t, runEvent("COMPLETE"), b.payload(t, other))
}

func TestIdempotencyKeyAtItsLimit(t *testing.T) {
	t.Parallel()
	b := setup(t)
	limit := gateway.DefaultLimits().IdempotencyKeyBytes
	require.Equal(t, http.StatusCreated, b.post(t, singleDoor, runEvent("START"), "Idempotency-Key", strings.Repeat("k", limit)).Status)
	over := b.post(t, singleDoor, runEvent("START"), "Idempotency-Key", strings.Repeat("k", limit+1))
	require.Equal(t, http.StatusBadRequest, over.Status)
	require.Equal(t, "bad_idempotency_key", over.Body["code"])
	require.Equal(t, http.StatusBadRequest, b.post(t, singleDoor, runEvent("START"), "Idempotency-Key", "\xff").Status)
}

func TestABadEventIsRefusedWithAReasonAndKept(t *testing.T) {
	t.Parallel()
	b := setup(t)
	bad := bytes.Replace(runEvent("START"), []byte(`"namespace":"spark-prod"`), []byte(`"namespace":""`), 1)
	answered := b.post(t, singleDoor, bad)
	require.Equal(t, http.StatusBadRequest, answered.Status)
	require.Equal(t, "missing_name", answered.Body["code"])
	require.Equal(t, "job.namespace", answered.Body["path"])
	require.NotEmpty(t, answered.Body["reason"])
	require.Equal(t, bad, b.payload(t, answered))
	require.Empty(t, b.entries(t))
}

func TestAReasonQuotesOnlySomeOfTheEvent(t *testing.T) {
	t.Parallel()
	b := setup(t)
	long := bytes.Replace(runEvent("START"), []byte("2026-07-19"), bytes.Repeat([]byte("é"), 100_000), 1)
	answered := b.post(t, singleDoor, long)
	require.Equal(t, "bad_event_time", answered.Body["code"])
	require.Less(t, len(answered.Body["reason"].(string)), 1100)
}

func TestCompressedBody(t *testing.T) {
	t.Parallel()
	b := setup(t)
	answered := b.post(t, singleDoor, zip(t, runEvent("START")), "Content-Encoding", "gzip")
	require.Equal(t, http.StatusCreated, answered.Status)
	require.Equal(t, runEvent("START"), b.entries(t)[0].Payload)
}

func TestWhatIsNotTheGzipThatItSays(t *testing.T) {
	t.Parallel()
	b := setup(t)
	for name, body := range map[string][]byte{
		"plain":     runEvent("START"),
		"empty":     {},
		"truncated": zip(t, runEvent("START"))[:50],
	} {
		answered := b.post(t, singleDoor, body, "Content-Encoding", "gzip")
		require.Equal(t, http.StatusBadRequest, answered.Status, name)
		require.Equal(t, "bad_gzip", answered.Body["code"], name)
		require.Equal(t, body, b.payload(t, answered), name)
	}
	answered := b.post(t, singleDoor, runEvent("START"), "Content-Encoding", "br")
	require.Equal(t, http.StatusBadRequest, answered.Status)
	require.Equal(t, "unknown_encoding", answered.Body["code"])
}

func TestChunkedBody(t *testing.T) {
	t.Parallel()
	b := setup(t)
	chunked := struct{ io.Reader }{bytes.NewReader(runEvent("START"))}
	require.Equal(t, http.StatusCreated, b.send(t, http.MethodPost, singleDoor, chunked).Status)
}

func TestBodyAtItsLimit(t *testing.T) {
	t.Parallel()
	b := setup(t, func(c *gateway.Config) { c.Limits.BodyBytes = 2000 })
	fits := append(runEvent("START"), bytes.Repeat([]byte(" "), 2000-len(runEvent("START")))...)
	over := slices.Concat(fits, []byte(" "))
	require.Equal(t, http.StatusCreated, b.post(t, singleDoor, fits).Status)
	require.Equal(t, http.StatusCreated, b.post(t, singleDoor, zip(t, fits), "Content-Encoding", "gzip").Status)
	for name, answered := range map[string]reply{
		"plain":      b.post(t, singleDoor, over),
		"chunked":    b.send(t, http.MethodPost, singleDoor, struct{ io.Reader }{bytes.NewReader(over)}),
		"compressed": b.post(t, singleDoor, zip(t, over), "Content-Encoding", "gzip"),
		"batch":      b.post(t, batchDoor, over),
	} {
		require.Equal(t, http.StatusRequestEntityTooLarge, answered.Status, name)
		require.Equal(t, "body_too_large", answered.Body["code"], name)
	}
	require.Empty(t, b.refused(t))
}

func TestABombIsDefused(t *testing.T) {
	t.Parallel()
	b := setup(t)
	bomb := zip(t, bytes.Repeat([]byte(" "), 2*int(gateway.DefaultLimits().BodyBytes)))
	answered := b.post(t, singleDoor, bomb, "Content-Encoding", "gzip")
	require.Equal(t, http.StatusRequestEntityTooLarge, answered.Status)
}

func TestABodyThatBreaksOffIsNotKept(t *testing.T) {
	t.Parallel()
	b := setup(t)
	conn, err := net.Dial("tcp", strings.TrimPrefix(b.url, "http://"))
	require.NoError(t, err)
	defer func() { _ = conn.Close() }()
	_, err = fmt.Fprintf(conn, "POST %s HTTP/1.1\r\nHost: x\r\nContent-Length: 500\r\n\r\n{", singleDoor)
	require.NoError(t, err)
	require.NoError(t, conn.(*net.TCPConn).CloseWrite())
	answered, err := io.ReadAll(conn)
	require.NoError(t, err)
	require.Contains(t, string(answered), "HTTP/1.1 400")
	require.Contains(t, string(answered), "body_incomplete")
	require.Empty(t, b.refused(t))
}

func TestLimitsOfAnEventAtTheirEdge(t *testing.T) {
	t.Parallel()
	b := setup(t, func(c *gateway.Config) {
		c.Limits.Event = lineage.Limits{Depth: 10, NameBytes: 20, RunIDBytes: 40, Datasets: 3}
	})
	at := func(depth, nameBytes, datasets int) []byte {
		facet := strings.Repeat(`{"a":`, depth-3) + "1" + strings.Repeat("}", depth-3) // inside event, run and facets
		inputs := make([]string, datasets)
		for i := range inputs {
			inputs[i] = fmt.Sprintf(`{"namespace":"w","name":"t%d"}`, i)
		}
		return fmt.Appendf(nil, `{"eventTime":"2026-07-19T00:00:00Z","run":{"runId":"r","facets":{"f":%s}},"job":{"namespace":"n","name":"%s"},"inputs":[%s]}`,
			facet, strings.Repeat("x", nameBytes), strings.Join(inputs, ","))
	}
	require.Equal(t, http.StatusCreated, b.post(t, singleDoor, at(10, 20, 3)).Status)
	for code, body := range map[string][]byte{
		"too_deep":          at(11, 20, 3),
		"name_too_long":     at(10, 21, 3),
		"too_many_datasets": at(10, 20, 4),
	} {
		answered := b.post(t, singleDoor, body)
		require.Equal(t, http.StatusBadRequest, answered.Status, code)
		require.Equal(t, code, answered.Body["code"])
	}
}

func TestBatchAnswersEachEvent(t *testing.T) {
	t.Parallel()
	b := setup(t)
	batch := fmt.Appendf(nil, "[%s,{},%s]", runEvent("START"), runEvent("COMPLETE"))
	answered := b.post(t, batchDoor, batch)
	require.Equal(t, http.StatusOK, answered.Status)
	require.Equal(t, "partial_success", answered.Body["status"])
	require.Equal(t, map[string]any{"received": 3., "successful": 2., "failed": 1., "retriable": 0., "non_retriable": 1.}, answered.Body["summary"])
	failed := answered.Body["failed_events"].([]any)[0].(map[string]any)
	require.EqualValues(t, 1, failed["index"])
	require.Equal(t, false, failed["retriable"])
	require.NotEmpty(t, failed["reason"])
	require.Len(t, b.entries(t), 2)
	require.Equal(t, []byte("{}"), b.payloadOf(t, int64(failed["quarantine_id"].(float64))))
}

func TestWholeBatchSucceeds(t *testing.T) {
	t.Parallel()
	b := setup(t)
	answered := b.post(t, batchDoor, fmt.Appendf(nil, "[%s]", runEvent("START")))
	require.Equal(t, http.StatusOK, answered.Status)
	require.Equal(t, "success", answered.Body["status"])
	require.Empty(t, answered.Body["failed_events"])
	require.Equal(t, http.StatusOK, b.post(t, batchDoor, []byte("[]")).Status)
}

func TestARepeatedBatchDoublesNothing(t *testing.T) {
	t.Parallel()
	b := setup(t)
	batch := fmt.Appendf(nil, "[%s,%s]", runEvent("START"), runEvent("COMPLETE"))
	for range 2 {
		require.Equal(t, http.StatusOK, b.post(t, batchDoor, batch, "Idempotency-Key", "k").Status)
	}
	require.Len(t, b.entries(t), 2)
}

func TestWhatIsNoBatchIsRefusedWhole(t *testing.T) {
	t.Parallel()
	b := setup(t)
	answered := b.post(t, batchDoor, runEvent("START"))
	require.Equal(t, http.StatusBadRequest, answered.Status)
	require.Equal(t, "not_a_batch", answered.Body["code"])
	require.Equal(t, runEvent("START"), b.payload(t, answered))
}

func TestBatchAtItsLimit(t *testing.T) {
	t.Parallel()
	b := setup(t, func(c *gateway.Config) { c.Limits.BatchEvents = 2 })
	require.Equal(t, http.StatusOK, b.post(t, batchDoor, []byte("[1,2]")).Status)
	over := b.post(t, batchDoor, []byte("[1,2,3]"))
	require.Equal(t, http.StatusRequestEntityTooLarge, over.Status)
	require.Equal(t, "too_many_events", over.Body["code"])
}

func TestABusyLogAsksToSendAgain(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.log.Close()
	for path, body := range map[string][]byte{singleDoor: runEvent("START"), batchDoor: fmt.Appendf(nil, "[%s]", runEvent("START"))} {
		answered := b.post(t, path, body)
		require.Equal(t, http.StatusServiceUnavailable, answered.Status)
		require.NotEmpty(t, answered.Header.Get("Retry-After"))
	}
}

func TestASlowCommitIsAnsweredBeforeTheClientGivesUp(t *testing.T) {
	t.Parallel()
	b := setup(t, func(c *gateway.Config) { c.Limits.AppendTime = time.Second / 2 })
	lock := b.holdLog(t)
	require.Equal(t, http.StatusServiceUnavailable, b.post(t, singleDoor, runEvent("START")).Status)
	require.NoError(t, lock.Rollback(t.Context()))
	require.Eventually(t, func() bool { return b.post(t, singleDoor, runEvent("START")).Status == http.StatusCreated },
		patience, 10*time.Millisecond, "the client sends again until it is told that the event stands")
	require.Len(t, b.entries(t), 1)
}

func TestOtherMethodsAreNotAllowed(t *testing.T) {
	t.Parallel()
	b := setup(t)
	require.Equal(t, http.StatusMethodNotAllowed, b.send(t, http.MethodGet, singleDoor, nil).Status)
}

// payload is what quarantine keeps of a refused request.
func (b *bundle) payload(t *testing.T, answered reply) []byte {
	t.Helper()
	require.Contains(t, answered.Body, "quarantineId")
	return b.payloadOf(t, int64(answered.Body["quarantineId"].(float64)))
}

func zip(t testing.TB, body []byte) []byte {
	t.Helper()
	var zipped bytes.Buffer
	writer := gzip.NewWriter(&zipped)
	_, err := writer.Write(body)
	require.NoError(t, err)
	require.NoError(t, writer.Close())
	return zipped.Bytes()
}

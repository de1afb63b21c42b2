package gateway_test

import (
	"bytes"
	"compress/gzip"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	dto "github.com/prometheus/client_model/go"
	"github.com/stretchr/testify/require"

	"github.com/headwater-data/headwater/eventlog"
	"github.com/headwater-data/headwater/gateway"
)

const submitEvents = "/headwater.v1.IngestService/SubmitEvents"

// turnedAway reads how many requests were turned away for a reason; ok is false where that is not counted.
func turnedAway(t *testing.T, registry *prometheus.Registry, reason string) (count float64, ok bool) {
	t.Helper()
	for _, metric := range gather(t, registry, "headwater_requests_turned_away_total") {
		if metric.GetLabel()[0].GetValue() == reason {
			return metric.GetCounter().GetValue(), true
		}
	}
	return 0, false
}

func gauge(t *testing.T, registry *prometheus.Registry, name string) float64 {
	t.Helper()
	return gather(t, registry, name)[0].GetGauge().GetValue()
}

func gather(t *testing.T, registry *prometheus.Registry, name string) []*dto.Metric {
	t.Helper()
	families, err := registry.Gather()
	require.NoError(t, err)
	for _, family := range families {
		if family.GetName() == name {
			return family.GetMetric()
		}
	}
	t.Fatalf("no metric is named %s", name)
	return nil
}

func TestABodyAtTheLimitOfAllBodiesIsTakenAndOneByteMoreIsNot(t *testing.T) {
	t.Parallel()
	event := runEvent("START")
	for over, want := range map[int64]int{0: http.StatusCreated, 1: http.StatusTooManyRequests} {
		b := setup(t, func(c *gateway.Config) { c.Limits.InFlightBytes = 2 * (int64(len(event)) - over) })
		answered := b.post(t, singleDoor, event)
		require.Equal(t, want, answered.Status, "%d over", over)
		if over > 0 {
			require.Equal(t, "1", answered.Header.Get("Retry-After"))
			require.Empty(t, b.entries(t))
		}
	}
}

func TestWhatABodyInflatesToCounts(t *testing.T) {
	t.Parallel()
	var compressed bytes.Buffer
	writer := gzip.NewWriter(&compressed)
	_, err := writer.Write([]byte(strings.Replace(string(runEvent("START")), "{", "{"+strings.Repeat(" ", 100_000), 1)))
	require.NoError(t, err)
	require.NoError(t, writer.Close())
	b := setup(t, func(c *gateway.Config) { c.Limits.InFlightBytes = 20_000 })
	answered := b.post(t, singleDoor, compressed.Bytes(), "Content-Encoding", "gzip")
	require.Equal(t, http.StatusTooManyRequests, answered.Status)
	rpc := b.post(t, submitEvents, compressed.Bytes(), "Content-Encoding", "gzip")
	require.Equal(t, http.StatusServiceUnavailable, rpc.Status, "it counts as the most that it may inflate to")
	require.Equal(t, "unavailable", rpc.Body["code"])
}

func TestSlowBodiesOfAllCallersLeaveNoRoomForMoreUntilTheyEnd(t *testing.T) {
	t.Parallel()
	registry := prometheus.NewRegistry()
	b := setup(t, closed, func(c *gateway.Config) { c.Limits.InFlightBytes, c.Metrics = 3000, registry })
	slow := make([]*io.PipeWriter, 2)
	answers := make(chan int, len(slow))
	for i, name := range []string{"first", "second"} {
		body, writer := io.Pipe()
		slow[i] = writer
		token := b.token(t, name, "*")
		go func() {
			request, err := http.NewRequestWithContext(t.Context(), http.MethodPost, b.url+singleDoor, body)
			if err != nil {
				t.Error(err)
				return
			}
			request.Header.Set("Authorization", token)
			response, err := http.DefaultClient.Do(request)
			if err != nil {
				t.Error(err)
				return
			}
			defer response.Body.Close()
			answers <- response.StatusCode
		}()
		_, err := writer.Write(bytes.Repeat([]byte(" "), 1400))
		require.NoError(t, err)
	}
	require.Eventually(t, func() bool {
		return gauge(t, registry, "headwater_in_flight_bytes") == 2800
	}, patience, time.Millisecond)

	third := b.token(t, "third", "*")
	answered := b.post(t, singleDoor, runEvent("START"), "Authorization", third)
	require.Equal(t, http.StatusServiceUnavailable, answered.Status)
	require.Equal(t, "no_room", answered.Body["code"])
	require.NotEmpty(t, answered.Header.Get("Retry-After"))
	rpc := b.post(t, submitEvents, bytes.Repeat([]byte(" "), 1000), "Authorization", third)
	require.Equal(t, http.StatusServiceUnavailable, rpc.Status)
	require.Equal(t, "unavailable", rpc.Body["code"])
	require.NotEmpty(t, rpc.Header.Get("Retry-After"))
	count, _ := turnedAway(t, registry, "no_room")
	require.EqualValues(t, 2, count)

	for _, writer := range slow {
		require.NoError(t, writer.Close())
		require.Equal(t, http.StatusBadRequest, <-answers, "white space is no event")
	}
	require.Equal(t, http.StatusCreated, b.post(t, singleDoor, runEvent("START"), "Authorization", third).Status)
	require.Zero(t, gauge(t, registry, "headwater_in_flight_bytes"))
}

func TestAFullLogIsNamedAndQuestionsAreStillAnswered(t *testing.T) {
	t.Parallel()
	registry := prometheus.NewRegistry()
	var log *eventlog.Log
	full := setup(t)
	b := setup(t, full.sharing, func(c *gateway.Config) {
		log = eventlog.New(full.pool, eventlog.Options{DatabaseBytes: 1, CommitTimeout: patience})
		c.Log, c.Metrics = log, registry
	})
	require.Eventually(t, func() bool { return log.Stats().DatabaseBytes > 0 }, patience, 10*time.Millisecond)
	answered := b.post(t, singleDoor, runEvent("START"))
	require.Equal(t, http.StatusServiceUnavailable, answered.Status)
	require.Equal(t, "log_full", answered.Body["code"])
	require.Equal(t, "30", answered.Header.Get("Retry-After"))
	count, _ := turnedAway(t, registry, "log_full")
	require.EqualValues(t, 1, count)
	projections := b.post(t, "/headwater.v1.ProjectionService/ListProjections", []byte("{}"))
	require.Equal(t, http.StatusOK, projections.Status)
}

func TestAQuestionIsSmall(t *testing.T) {
	t.Parallel()
	b := setup(t)
	large := []byte(`{"runId": "` + strings.Repeat("x", 1<<20) + `"}`)
	answered := b.post(t, "/headwater.v1.RunService/GetRun", large)
	require.Equal(t, "resource_exhausted", answered.Body["code"])
	require.Empty(t, answered.Header.Get("Retry-After"), "waiting makes it no smaller")
}

func TestReasonsAreThereBeforeTheyHappen(t *testing.T) {
	t.Parallel()
	registry := prometheus.NewRegistry()
	setup(t, func(c *gateway.Config) { c.Metrics = registry })
	for _, reason := range []string{"too_many_requests", "no_room", "log_busy", "log_full", "unavailable"} {
		count, counted := turnedAway(t, registry, reason)
		require.True(t, counted, reason)
		require.Zero(t, count, reason)
	}
}

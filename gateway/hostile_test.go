package gateway_test

import (
	"bytes"
	"fmt"
	"io"
	"net"
	"net/http"
	"runtime"
	"strings"
	"testing"
	"time"
	"unicode/utf16"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/stretchr/testify/require"

	"github.com/headwater-data/headwater/gateway"
)

// hasty gives slow clients little time.
func hasty(config *gateway.Config) {
	config.Limits.ReadTime = 300 * time.Millisecond
	config.Limits.IdleTime = 300 * time.Millisecond
}

func TestSlowHeadersAreCutOff(t *testing.T) {
	t.Parallel()
	b := setup(t, hasty)
	connection := b.dial(t)
	go trickle(connection, raw(strings.Repeat("X-Pad: y\r\n", 1000), ""))
	requireCutOff(t, connection)
	b.requireServes(t, "slow-headers")
}

func TestASlowBodyIsCutOff(t *testing.T) {
	t.Parallel()
	b := setup(t, hasty)
	connection := b.dial(t)
	go trickle(connection, raw("Content-Length: 100000\r\n", strings.Repeat(" ", 100_000)))
	requireCutOff(t, connection)
	require.Empty(t, b.refused(t), "half a body is nothing to keep")
	b.requireServes(t, "slow-body")
}

func TestASilentConnectionIsClosed(t *testing.T) {
	t.Parallel()
	b := setup(t, hasty)
	connection := b.dial(t)
	_, err := connection.Read(make([]byte, 1))
	require.ErrorIs(t, err, io.EOF)
}

// requireCutOff requires that the server ends a connection on which it was sent less than a request.
func requireCutOff(t *testing.T, connection net.Conn) {
	t.Helper()
	answers, closed := statuses(t, connection, patience)
	require.True(t, closed, "the rest was waited for")
	require.NotContains(t, answers, http.StatusCreated)
}

// trickle writes one byte now and then until the other side has had enough.
func trickle(connection net.Conn, text string) {
	tick := time.NewTicker(10 * time.Millisecond)
	defer tick.Stop()
	for i := range len(text) {
		if _, err := io.WriteString(connection, text[i:i+1]); err != nil {
			return
		}
		<-tick.C
	}
}

func TestHugeHeadersAreRefused(t *testing.T) {
	t.Parallel()
	b := setup(t)
	limit := gateway.DefaultLimits().HeaderBytes
	for name, headers := range map[string]string{
		"one that is long": "X-Pad: " + strings.Repeat("y", 2*limit) + "\r\n",
		"many":             strings.Repeat("X-Pad: y\r\n", limit/4),
	} {
		require.Equal(t, []int{http.StatusRequestHeaderFieldsTooLarge}, b.say(t, raw(headers, "")), name)
	}
	b.requireServes(t, "huge-headers")
}

// Not parallel: it measures what the process allocates.
func TestAGzipBombTakesNoMoreMemoryThanALargeBody(t *testing.T) {
	const limit = 1 << 20
	b := setup(t, func(config *gateway.Config) { config.Limits.BodyBytes = limit })
	bombs := map[string][]byte{
		"zeros":        zip(t, make([]byte, 64<<20)),
		"many members": bytes.Repeat(zip(t, make([]byte, limit)), 500),
	}
	for name, bomb := range bombs {
		require.Less(t, len(bomb), limit, name)
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		answered := b.post(t, singleDoor, bomb, "Content-Encoding", "gzip")
		runtime.ReadMemStats(&after)
		require.Equal(t, http.StatusRequestEntityTooLarge, answered.Status, name)
		require.Less(t, after.TotalAlloc-before.TotalAlloc, uint64(20*limit), name)
	}
	inner := zip(t, zip(t, runEvent("START")))
	answered := b.post(t, singleDoor, inner, "Content-Encoding", "gzip")
	require.Equal(t, "not_utf8", answered.Body["code"], "one layer is inflated, no more")

	// Connect inflates messages itself.
	rpc := b.post(t, "/headwater.v1.IngestService/SubmitEvents", bombs["zeros"], "Content-Encoding", "gzip")
	require.Equal(t, http.StatusTooManyRequests, rpc.Status, rpc.Body)
	require.Equal(t, "resource_exhausted", rpc.Body["code"])
}

func TestDeepNestingIsRefusedAtEveryDoor(t *testing.T) {
	t.Parallel()
	b := setup(t)
	for _, depth := range []int{600, 9_000, 11_000, 1_000_000} {
		nested := strings.Repeat(`{"a":`, depth) + "1" + strings.Repeat("}", depth)
		event := strings.Replace(string(runEvent("START")), `"job":`, `"x":`+nested+`,"job":`, 1)
		for path, body := range map[string]string{
			singleDoor: event,
			batchDoor:  "[" + event + "]",
			"/headwater.v1.IngestService/SubmitEvents": `{"events":[{"eventId":"1","producer":"dev","schemaVersion":"1.0","openLineage":` + event + `}]}`,
		} {
			answered := b.post(t, path, []byte(body))
			require.NotEqual(t, http.StatusCreated, answered.Status, path)
			require.Less(t, answered.Status, 500, "%s at depth %d: %v", path, depth, answered.Body)
		}
	}
	require.Empty(t, b.entries(t))
	b.requireServes(t, "deep")
}

func TestOtherEncodingsAreRefusedWithAReason(t *testing.T) {
	t.Parallel()
	b := setup(t)
	var wide []byte
	for _, unit := range utf16.Encode([]rune(string(runEvent("START")))) {
		wide = append(wide, byte(unit), byte(unit>>8))
	}
	for name, body := range map[string][]byte{
		"UTF-16":                 wide,
		"UTF-16 with its mark":   append([]byte{0xff, 0xfe}, wide...),
		"Latin-1":                bytes.Replace(runEvent("START"), []byte("daily"), []byte("t\xe4glich"), 1),
		"gzip that does not say": zip(t, runEvent("START")),
		"surrogates in UTF-8":    bytes.Replace(runEvent("START"), []byte("daily"), []byte("\xed\xa0\x80"), 1),
		"overlong UTF-8":         bytes.Replace(runEvent("START"), []byte("daily"), []byte("\xc0\xaf"), 1),
	} {
		answered := b.post(t, singleDoor, body, "Content-Type", "application/json; charset=utf-16")
		require.Equal(t, http.StatusBadRequest, answered.Status, name)
		require.Contains(t, []any{"not_utf8", "not_json"}, answered.Body["code"], name)
		require.Equal(t, body, b.payload(t, answered), name)
	}
	for _, encoding := range []string{"br", "deflate", "zstd", "compress", "gzip, gzip", "gzip;q=1", "chunked", "../gzip", "\xff"} {
		answered := b.post(t, singleDoor, runEvent("START"), "Content-Encoding", encoding)
		require.Equal(t, http.StatusBadRequest, answered.Status, encoding)
		require.Equal(t, "unknown_encoding", answered.Body["code"], encoding)
		require.Equal(t, "Content-Encoding", answered.Body["path"])
	}
	require.Empty(t, b.entries(t))
}

func TestManyConnectionsKeepNobodyOut(t *testing.T) {
	t.Parallel()
	registry := prometheus.NewRegistry()
	b := setup(t, func(c *gateway.Config) { c.Metrics = registry })
	for i := range 1000 {
		connection := b.dial(t)
		if i%2 == 0 { // the others say nothing at all
			_, err := io.WriteString(connection, raw("Content-Length: 10\r\n", "{"))
			require.NoError(t, err)
		}
	}
	require.Eventually(t, func() bool {
		return gauge(t, registry, "headwater_in_flight_requests") == float64(gateway.DefaultLimits().InFlight)
	}, patience, 10*time.Millisecond, "the flood has come in")
	refused := 0
	for i := range 20 {
		response, err := http.Post(b.url+singleDoor, "application/json", bytes.NewReader(bytes.Replace(
			runEvent("START"), []byte("53ee3770"), fmt.Appendf(nil, "%08d", i), 1)))
		require.NoError(t, err)
		require.NoError(t, response.Body.Close())
		if response.StatusCode == http.StatusTooManyRequests {
			refused++ // the same principal has as many requests under way as it may
			require.NotEmpty(t, response.Header.Get("Retry-After"))
			continue
		}
		require.Equal(t, http.StatusCreated, response.StatusCode)
	}
	require.Equal(t, 20, refused, "the flood counts against the principal that makes it")
	require.Equal(t, http.StatusOK, b.send(t, http.MethodGet, "/healthz", nil).Status)
}

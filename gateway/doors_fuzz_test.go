package gateway_test

import (
	"bytes"
	"encoding/json/v2"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/headwater-data/headwater/lineage"
)

// doors are where anybody with a token may send bytes.
var doors = []string{
	singleDoor, batchDoor, "/", "//api//v1/lineage/",
	"/headwater.v1.IngestService/SubmitEvents", "/headwater.v1.IngestService/ListQuarantine",
	"/headwater.v1.LineageService/Traverse", "/headwater.v1.RunService/GetRun",
}

// FuzzDoors requires of any body at any door that the answer is none of a broken server, and that what is accepted is
// in the log as it was sent.
func FuzzDoors(f *testing.F) {
	b := setup(f)
	f.Add(0, "", "application/json", runEvent("START"))
	f.Add(1, "", "application/json", append(append([]byte("["), runEvent("START")...), "]"...))
	f.Add(2, "gzip", "application/json", runEvent("START"))
	f.Add(4, "", "application/json", []byte(`{"events":[{"eventId":"1","producer":"dev","schemaVersion":"1.0","emittedAt":"2026-07-19T00:00:00Z"}]}`))
	f.Add(4, "", "application/proto", []byte("\x0a\x05\x0a\x01\x31\x12\x00"))
	f.Add(5, "", "application/json", []byte(`{"pageToken":"-1"}`))
	f.Add(6, "", "application/json", []byte(`{"start":{"dataset":{"namespace":"\u0000","name":"x"}},"direction":"DIRECTION_BOTH","recordedAt":"9223372036854775807"}`))
	f.Add(7, "", "application/json", []byte(`{"runId":"\u0000"}`))
	f.Add(7, "", "application/json", []byte(`{"runId":"\u0000","job":{"namespace":"a","name":"\ud83d\ude80"}}`))
	f.Fuzz(func(t *testing.T, door int, encoding, contentType string, body []byte) {
		path := doors[uint(door)%uint(len(doors))]
		sent := body
		if encoding == "gzip" {
			sent = zip(t, body)
		}
		request, err := http.NewRequestWithContext(t.Context(), http.MethodPost, b.url+path, bytes.NewReader(sent))
		require.NoError(t, err)
		request.Header.Set("Content-Encoding", encoding)
		request.Header.Set("Content-Type", contentType)
		response, err := http.DefaultClient.Do(request)
		if err != nil {
			return // a header that no client sends
		}
		defer response.Body.Close()
		answered, err := io.ReadAll(response.Body)
		require.NoError(t, err)
		require.True(t, response.StatusCode < 500 || response.StatusCode == http.StatusNotImplemented, "%s: %s %s", path, response.Status, answered)
		if response.StatusCode == http.StatusCreated {
			b.requireKept(t, answered, body)
		}
	})
}

// requireKept requires that the event of an answer is in the log, byte for byte or, for a resend, as another form of it.
func (b *bundle) requireKept(t *testing.T, answered, body []byte) {
	t.Helper()
	var accepted struct {
		Offset    lineage.Offset `json:"offset"`
		Duplicate bool           `json:"duplicate"`
	}
	require.NoError(t, json.Unmarshal(answered, &accepted))
	entries, err := b.log.Read(t.Context(), accepted.Offset-1, 1, 1<<30)
	require.NoError(t, err)
	require.Len(t, entries, 1)
	if !accepted.Duplicate {
		require.Equal(t, body, entries[0].Payload)
	}
}

// FuzzConnections requires of any bytes on a connection that the server outlives them and serves the next caller.
func FuzzConnections(f *testing.F) {
	b := setup(f, hasty)
	f.Add([]byte(raw("Content-Length: 2\r\n", "{}")))
	f.Add([]byte(raw("Transfer-Encoding: chunked\r\nContent-Length: 2\r\n", chunked("{}"))))
	f.Add([]byte("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\x00\x00\x00\x04\x00\x00\x00\x00\x00"))
	f.Add([]byte("GET /healthz HTTP/1.1\r\nHost: x\r\nConnection: upgrade, http2-settings\r\nUpgrade: h2c\r\nHTTP2-Settings: \r\n\r\n"))
	f.Add([]byte("CONNECT x:1 HTTP/1.1\r\nHost: x\r\nExpect: 100-continue\r\n\r\n"))
	f.Fuzz(func(t *testing.T, bytes []byte) {
		connection, err := net.Dial("tcp", strings.TrimPrefix(b.url, "http://"))
		require.NoError(t, err)
		_, _ = connection.Write(bytes)
		_ = connection.(*net.TCPConn).CloseWrite()
		_ = connection.SetReadDeadline(time.Now().Add(5 * time.Second))
		_, _ = io.Copy(io.Discard, connection)
		require.NoError(t, connection.Close())
		response, err := http.Get(b.url + "/healthz")
		require.NoError(t, err)
		require.NoError(t, response.Body.Close())
		require.Equal(t, http.StatusOK, response.StatusCode)
	})
}

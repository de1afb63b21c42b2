package gateway_test

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// dial opens a connection on which a test says what no HTTP client would.
func (b *bundle) dial(t testing.TB) net.Conn {
	t.Helper()
	connection, err := net.Dial("tcp", strings.TrimPrefix(b.url, "http://"))
	require.NoError(t, err)
	t.Cleanup(func() { _ = connection.Close() })
	require.NoError(t, connection.SetDeadline(time.Now().Add(20*time.Second)))
	return connection
}

// say writes bytes to a new connection and gives the status of every answer until the server has no more to say.
func (b *bundle) say(t testing.TB, raw string) []int {
	t.Helper()
	connection := b.dial(t)
	_, err := io.WriteString(connection, raw)
	require.NoError(t, err)
	return statuses(t, connection, 2*time.Second)
}

// statuses reads answers until the server closes the connection or is silent for a while.
func statuses(t testing.TB, connection net.Conn, silence time.Duration) []int {
	t.Helper()
	reader := bufio.NewReader(connection)
	var all []int
	for {
		require.NoError(t, connection.SetReadDeadline(time.Now().Add(silence)))
		response, err := http.ReadResponse(reader, nil)
		if err != nil {
			return all
		}
		all = append(all, response.StatusCode)
		_, _ = io.Copy(io.Discard, response.Body) // the connection may end in the middle of it
		require.NoError(t, response.Body.Close())
	}
}

// requireServes requires that a caller of good will is served.
func (b *bundle) requireServes(t testing.TB, runID string) {
	t.Helper()
	event := strings.Replace(string(runEvent("START")), "53ee3770-86fa-4cb9-8c31-a09072dd88f7", runID, 1)
	response, err := http.Post(b.url+singleDoor, "application/json", strings.NewReader(event))
	require.NoError(t, err)
	require.NoError(t, response.Body.Close())
	require.Equal(t, http.StatusCreated, response.StatusCode)
}

func raw(headers string, body string) string {
	return fmt.Sprintf("POST %s HTTP/1.1\r\nHost: x\r\n%s\r\n%s", singleDoor, headers, body)
}

func chunked(parts ...string) string {
	var body strings.Builder
	for _, part := range append(parts, "") {
		fmt.Fprintf(&body, "%x\r\n%s\r\n", len(part), part)
	}
	return body.String()
}

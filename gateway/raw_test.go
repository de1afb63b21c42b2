package gateway_test

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// dial opens a connection on which a test says what no HTTP client would.
func (b *bundle) dial(t testing.TB) net.Conn {
	t.Helper()
	connection, err := net.Dial("tcp", strings.TrimPrefix(b.url, "http://"))
	require.NoError(t, err)
	t.Cleanup(func() { _ = connection.Close() })
	require.NoError(t, connection.SetDeadline(time.Now().Add(patience)))
	return connection
}

// say writes bytes to a new connection and gives the status of every answer until the server has no more to say.
func (b *bundle) say(t testing.TB, raw string) []int {
	t.Helper()
	connection := b.dial(t)
	_, _ = io.WriteString(connection, raw) // the server may have had enough before the end
	all, _ := statuses(t, connection, 2*time.Second)
	return all
}

// statuses reads answers until the server closes the connection or, after the first, is silent for a while.
func statuses(t testing.TB, connection net.Conn, silence time.Duration) (all []int, closed bool) {
	t.Helper()
	reader := bufio.NewReader(connection)
	for wait := patience; ; wait = silence {
		require.NoError(t, connection.SetReadDeadline(time.Now().Add(wait)))
		response, err := http.ReadResponse(reader, nil)
		if err != nil {
			return all, !errors.Is(err, os.ErrDeadlineExceeded)
		}
		all = append(all, response.StatusCode)
		_, _ = io.Copy(io.Discard, response.Body) // the connection may end in the middle of it
		require.NoError(t, response.Body.Close())
	}
}

// requireServes requires that a caller of good will is served, who sends again where the connection breaks: a server with little
// time may have had too little.
func (b *bundle) requireServes(t testing.TB, runID string) {
	t.Helper()
	event := strings.Replace(string(runEvent("START")), "53ee3770-86fa-4cb9-8c31-a09072dd88f7", runID, 1)
	var status int
	require.EventuallyWithT(t, func(t *assert.CollectT) {
		response, err := http.Post(b.url+singleDoor, "application/json", strings.NewReader(event))
		if assert.NoError(t, err) {
			status = response.StatusCode
			assert.NoError(t, response.Body.Close())
		}
	}, patience, 10*time.Millisecond)
	require.Equal(t, http.StatusCreated, status)
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

package eventlog_test

import (
	"bytes"
	"context"
	"errors"
	"net"
	"sync/atomic"
	"testing"

	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/stretchr/testify/require"

	"github.com/headwater-data/headwater/eventlog"
	"github.com/headwater-data/headwater/internal/testenv"
)

func TestEventWhoseCommitWentUnansweredIsAppendedOnce(t *testing.T) {
	t.Parallel()
	log := start(t, unreliable(t, "fateful"), eventlog.Options{})

	_, err := log.Append(t.Context(), record("fateful", "content"))
	require.ErrorIs(t, err, errCut)
	again := appendOne(t, log, record("fateful", "content"))
	require.True(t, again.Receipt.Duplicate, "it was committed, though nobody was told")
	require.Len(t, readAll(t, log), 1)
}

// unreliable gives a pool whose connection breaks, once, after it has got the answer to what was sent with the word.
// Event ids are sent only when an event is written, together with the commit.
func unreliable(t *testing.T, word string) *pgxpool.Pool {
	t.Helper()
	var used atomic.Bool
	config := testenv.Database(t).Config()
	config.ConnConfig.DialFunc = func(ctx context.Context, network, address string) (net.Conn, error) {
		conn, err := new(net.Dialer).DialContext(ctx, network, address)
		return &fragileConn{Conn: conn, word: []byte(word), used: &used}, err
	}
	pool, err := pgxpool.NewWithConfig(t.Context(), config)
	require.NoError(t, err)
	t.Cleanup(pool.Close)
	return pool
}

var errCut = errors.New("the connection was cut")

type fragileConn struct {
	net.Conn
	word []byte
	used *atomic.Bool
	cut  atomic.Bool
}

func (c *fragileConn) Write(sent []byte) (int, error) {
	if bytes.Contains(sent, c.word) && c.used.CompareAndSwap(false, true) {
		c.cut.Store(true)
	}
	return c.Conn.Write(sent)
}

func (c *fragileConn) Read(received []byte) (int, error) {
	n, err := c.Conn.Read(received)
	if c.cut.Load() {
		return 0, errCut
	}
	return n, err
}

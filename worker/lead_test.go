package worker

import (
	"context"
	"log/slog"
	"testing"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/stretchr/testify/require"

	"github.com/headwater-data/headwater/internal/testenv"
)

// leader is a lead whose work lasts until its context ends.
type leader struct {
	began chan struct{}
	ended chan error
	stop  context.CancelFunc
}

func startLeader(t *testing.T, database *pgxpool.Pool) *leader {
	t.Helper()
	ctx, stop := context.WithCancel(t.Context())
	l := &leader{began: make(chan struct{}), ended: make(chan error, 1), stop: stop}
	go func() {
		l.ended <- lead(ctx, database.Config().ConnConfig, 7, func(ctx context.Context) error {
			close(l.began)
			<-ctx.Done()
			return ctx.Err()
		})
	}()
	return l
}

func TestOneLeadsAndTheNextTakesOver(t *testing.T) {
	t.Parallel()
	database := testenv.Database(t)
	first := startLeader(t, database)
	<-first.began
	second := startLeader(t, database)
	select {
	case <-second.began:
		t.Fatal("two lead")
	case <-time.After(3 * leadInterval / 2):
	}
	first.stop()
	require.ErrorIs(t, <-first.ended, context.Canceled)
	<-second.began
	second.stop()
	require.ErrorIs(t, <-second.ended, context.Canceled)
}

func TestLostConnectionEndsTheWork(t *testing.T) {
	t.Parallel()
	database := testenv.Database(t)
	l := startLeader(t, database)
	<-l.began
	// pg_locks shows the whole cluster, and other tests lead in databases of their own.
	_, err := database.Exec(t.Context(), `SELECT pg_terminate_backend(pid)
		FROM pg_locks JOIN pg_database ON pg_database.oid = pg_locks.database
		WHERE datname = current_database() AND locktype = 'advisory' AND classid = $1::int AND objid = 7`, lockClass)
	require.NoError(t, err)
	require.ErrorContains(t, <-l.ended, "another worker may lead now")
}

func TestSupervisedPartBeginsAgain(t *testing.T) {
	t.Parallel()
	ctx, stop := context.WithCancel(t.Context())
	began := 0
	supervise(ctx, slog.New(slog.DiscardHandler), "part", func(context.Context) error {
		if began++; began == 3 {
			stop()
		}
		return context.DeadlineExceeded
	})
	require.Equal(t, 3, began)
}

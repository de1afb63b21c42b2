package eventlog_test

import (
	"strconv"
	"testing"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/stretchr/testify/require"

	"github.com/headwater-data/headwater/eventlog"
	"github.com/headwater-data/headwater/internal/testenv"
	"github.com/headwater-data/headwater/lineage"
)

func TestAppendsGoOnOverMidnightAndIdleDays(t *testing.T) {
	t.Parallel()
	pool := testenv.Database(t)
	log := start(t, pool, eventlog.Options{})
	next := time.Now().UTC().Truncate(24*time.Hour).AddDate(1, 0, 0)

	moments := []time.Time{
		next.Add(-time.Microsecond), // the last of a day
		next,                        // midnight
		next.AddDate(0, 0, 1),       // the day after
		next.AddDate(0, 0, 9).Add(-time.Microsecond), // a week without events
		next.AddDate(0, 0, 9),
	}
	for i, moment := range moments {
		setClock(t, pool, moment)
		result := appendOne(t, log, record(strconv.Itoa(i), "content"))
		require.Equal(t, moment, result.Receipt.ReceivedAt)
	}
	entries := readAll(t, log)
	require.Len(t, entries, len(moments))
	for i, moment := range moments {
		require.Equal(t, moment, entries[i].ReceivedAt)
	}
}

func TestReceivedTimeNeverGoesBackWithTheClock(t *testing.T) {
	t.Parallel()
	pool := testenv.Database(t)
	log := start(t, pool, eventlog.Options{})
	ahead := time.Now().UTC().Truncate(time.Second).Add(time.Hour)
	setClock(t, pool, ahead)
	appendOne(t, log, record("a", "content"))
	require.Equal(t, ahead, appendOne(t, log, record("b", "content")).Receipt.ReceivedAt)
}

func TestSecondGatewayFindsThePartitionsMade(t *testing.T) {
	t.Parallel()
	pool := testenv.Database(t)
	appendOne(t, start(t, pool, eventlog.Options{}), record("a", "content"))
	appendOne(t, start(t, pool, eventlog.Options{}), record("b", "content"))
}

func TestDroppedDaysAreAGapAndNeverSkipped(t *testing.T) {
	t.Parallel()
	pool := testenv.Database(t)
	log := start(t, pool, eventlog.Options{})
	next := time.Now().UTC().Truncate(24*time.Hour).AddDate(1, 0, 0)
	for i := range 4 {
		setClock(t, pool, next.AddDate(0, 0, i/2)) // offsets 1 and 2 on one day, 3 and 4 on the next
		appendOne(t, log, record(strconv.Itoa(i), "content"))
	}
	drop := func(day time.Time) {
		_, err := pool.Exec(t.Context(), "DROP TABLE event_log_"+day.Format("20060102"))
		require.NoError(t, err)
	}
	requireGap := func(after, from, to lineage.Offset) {
		t.Helper()
		_, err := log.Read(t.Context(), after, 10, 1000)
		var gap *eventlog.GapError
		require.ErrorAs(t, err, &gap)
		require.Equal(t, eventlog.GapError{From: from, To: to}, *gap)
	}

	drop(next)
	requireGap(0, 1, 2)
	requireGap(1, 2, 2)
	entries, err := log.Read(t.Context(), 2, 10, 1000)
	require.NoError(t, err)
	require.Len(t, entries, 2, "a reader that has passed the dropped days goes on")

	drop(next.AddDate(0, 0, 1))
	requireGap(3, 4, 4)
}

// setClock lets the next commit take the moment, which lies after the real clock's, as its received time.
func setClock(t *testing.T, pool *pgxpool.Pool, moment time.Time) {
	t.Helper()
	_, err := pool.Exec(t.Context(), `UPDATE log_head SET last_received_at = $1`, moment)
	require.NoError(t, err)
}

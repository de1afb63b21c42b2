package eventlog_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/headwater-data/headwater/eventlog"
	"github.com/headwater-data/headwater/internal/testenv"
)

func TestAFullDatabaseRefusesAppendsAndServesReads(t *testing.T) {
	t.Parallel()
	pool := testenv.Database(t)
	unlimited := start(t, pool, eventlog.Options{})
	appendOne(t, unlimited, record("before", ""))

	full := start(t, pool, eventlog.Options{DatabaseBytes: 1})
	require.Eventually(t, func() bool { return full.Stats().DatabaseBytes > 1 }, patience, 10*time.Millisecond)
	_, err := full.Append(t.Context(), record("after", ""))
	require.ErrorIs(t, err, eventlog.ErrFull)
	require.Len(t, readAll(t, full), 1)

	require.NoError(t, appendOne(t, unlimited, record("decision", "")).Err, "what has no limit goes on in the room that is left")
}

func TestStatsTellWhatWaits(t *testing.T) {
	t.Parallel()
	log := eventlog.New(testenv.Database(t), eventlog.Options{}) // nobody commits
	appended := make(chan error, 1)
	go func() {
		_, err := log.Append(t.Context(), record("a", ""), record("b", ""))
		appended <- err
	}()
	require.Eventually(t, func() bool { return log.Stats().WaitingRecords == 2 }, patience, time.Millisecond)
	require.Positive(t, log.Stats().WaitingBytes)

	log.Close()
	require.NoError(t, log.Run(t.Context()), "what waits is committed")
	require.NoError(t, <-appended)
	require.Zero(t, log.Stats().WaitingRecords)
	require.Zero(t, log.Stats().WaitingBytes)
}

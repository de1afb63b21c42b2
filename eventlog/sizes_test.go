package eventlog_test

import (
	"strconv"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/headwater-data/headwater/eventlog"
	"github.com/headwater-data/headwater/internal/testenv"
)

func TestSizesAreOfTheLatestEvents(t *testing.T) {
	t.Parallel()
	pool := testenv.Database(t)
	log := start(t, pool, eventlog.Options{})
	empty, err := log.Sizes(t.Context(), 10)
	require.NoError(t, err)
	require.Zero(t, empty.Events)
	require.Zero(t, empty.PerDay)
	require.Empty(t, empty.Histogram)

	setClock(t, pool, time.Now().Add(time.Hour)) // so that the log is young however long the test takes
	for i, size := range []int{1 << 20, 1024, 1025, 2048, 1} {
		r := record(strconv.Itoa(i), "")
		r.Payload = make([]byte, size)
		require.NoError(t, appendOne(t, log, r).Err)
	}
	sizes, err := log.Sizes(t.Context(), 4)
	require.NoError(t, err)
	require.EqualValues(t, 5, sizes.Events)
	require.EqualValues(t, 4, sizes.Sampled, "the first one is older than the sample")
	require.EqualValues(t, 2048, sizes.Largest)
	require.EqualValues(t, 1024, sizes.P50)
	require.Equal(t, []eventlog.Bucket{{AtMost: 1, Count: 1}, {AtMost: 1024, Count: 1}, {AtMost: 2048, Count: 2}}, sizes.Histogram)
	require.InDelta(t, 5*24*60, sizes.PerDay, 1, "a younger log counts as a minute old")
	require.Positive(t, sizes.LogBytes)
	require.Less(t, sizes.LogBytes+sizes.KeyBytes, sizes.DatabaseBytes)
	require.Less(t, sizes.CompressedMean, sizes.Mean)
}

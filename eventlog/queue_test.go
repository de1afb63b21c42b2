package eventlog

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestQueueIsBusyBeyondItsLimit(t *testing.T) {
	q := newQueue(size{records: 3, bytes: 100})
	require.NoError(t, q.push(waiting(2, 60)))
	require.ErrorIs(t, q.push(waiting(2, 1)), ErrBusy, "records")
	require.ErrorIs(t, q.push(waiting(1, 41)), ErrBusy, "bytes")
	require.NoError(t, q.push(waiting(1, 40)), "a queue at its limit is full, not over it")
	require.ErrorIs(t, q.push(waiting(1, 0)), ErrBusy)

	require.Len(t, q.take(size{records: 3, bytes: 100}), 2)
	require.NoError(t, q.push(waiting(3, 100)), "what was taken makes room")
}

func TestQueueAdmitsOneCallOfAnySize(t *testing.T) {
	q := newQueue(size{records: 1, bytes: 1})
	require.NoError(t, q.push(waiting(50, 5000)))
	require.ErrorIs(t, q.push(waiting(1, 1)), ErrBusy)
	require.Len(t, q.take(size{records: 1, bytes: 1}), 1)
}

func TestQueueTakesInOrderWhatFits(t *testing.T) {
	q := newQueue(size{records: 100, bytes: 1000})
	first, second, third := waiting(2, 10), waiting(2, 10), waiting(1, 10)
	for _, c := range []*call{first, second, third} {
		require.NoError(t, q.push(c))
	}
	require.Equal(t, []*call{first, second}, q.take(size{records: 4, bytes: 100}))
	require.Equal(t, []*call{third}, q.take(size{records: 4, bytes: 100}))
	require.Equal(t, size{}, q.held)
}

func TestClosedQueueGivesWhatWaitsAndThenNothing(t *testing.T) {
	q := newQueue(size{records: 10, bytes: 10})
	require.NoError(t, q.push(waiting(1, 1)))
	q.close()
	require.ErrorIs(t, q.push(waiting(1, 1)), ErrClosed)
	require.Len(t, q.take(maxGroup), 1)
	require.Empty(t, q.take(maxGroup))
}

func waiting(records int, bytes int64) *call { return &call{size: size{records, bytes}} }

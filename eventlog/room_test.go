package eventlog

import (
	"errors"
	"fmt"
	"testing"

	"github.com/jackc/pgx/v5/pgconn"
	"github.com/stretchr/testify/require"
)

func TestADatabaseIsFullAtItsLimitAndNotBefore(t *testing.T) {
	bounded, unbounded := room{limit: 100}, room{}
	for used, full := range map[int64]bool{0: false, 99: false, 100: true, 101: true} {
		bounded.used.Store(used)
		unbounded.used.Store(used)
		require.Equal(t, full, bounded.full(), "%d bytes", used)
		require.False(t, unbounded.full(), "%d bytes", used)
	}
}

func TestOnlyAFullDiskIsTakenForOne(t *testing.T) {
	require.True(t, isDiskFull(fmt.Errorf("insert: %w", &pgconn.PgError{Code: "53100"})))
	require.False(t, isDiskFull(&pgconn.PgError{Code: "53200"}))
	require.False(t, isDiskFull(errors.New("no space left on device")))
	require.False(t, isDiskFull(nil))
}

func TestAWaitingCallHoldsNoMoreThanIsCounted(t *testing.T) {
	c := newCall([]Record{{Producer: "p", EventID: "e", Payload: make([]byte, 1<<20)}})
	require.Nil(t, c.records[0].Payload)
	require.EqualValues(t, 1<<20, c.records[0].payloadBytes)
	require.EqualValues(t, len(c.records[0].compressed), c.size.bytes)
	require.LessOrEqual(t, cap(c.records[0].compressed), len(c.records[0].compressed)+64, "rounded up by the allocator alone")
}

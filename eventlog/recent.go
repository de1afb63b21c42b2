package eventlog

import (
	"context"
	"errors"
	"sync"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/headwater-data/headwater/lineage"
)

const receivedAtSQL = `SELECT received_at FROM event_log WHERE log_offset = $1`

// recent remembers when the entries were received at which reads ended, so that a reader that goes on from there
// touches no partition before: with a year of days in the log that is 0.2 ms instead of 15.
type recent struct {
	mu         sync.Mutex
	receivedAt map[lineage.Offset]time.Time
}

// maxRecent bounds what is remembered; it is far more than there are readers.
const maxRecent = 256

func (r *recent) remember(entry lineage.Entry) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.receivedAt == nil || len(r.receivedAt) >= maxRecent {
		r.receivedAt = make(map[lineage.Offset]time.Time, maxRecent)
	}
	r.receivedAt[entry.Offset] = entry.ReceivedAt
}

func (r *recent) recall(offset lineage.Offset) (time.Time, bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	at, ok := r.receivedAt[offset]
	return at, ok
}

// receivedAt is a time at or before which no entry behind the offset was received: zero where nothing better is known.
func (l *Log) receivedAt(ctx context.Context, offset lineage.Offset) (time.Time, error) {
	if at, ok := l.recent.recall(offset); ok || offset == 0 {
		return at, nil
	}
	var at time.Time
	err := l.pool.QueryRow(ctx, receivedAtSQL, offset).Scan(&at)
	if errors.Is(err, pgx.ErrNoRows) { // the day was dropped
		return time.Time{}, nil
	}
	return at, err
}

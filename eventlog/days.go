package eventlog

import (
	"context"
	"fmt"
	"log/slog"
	"sync"
	"time"

	"github.com/jackc/pgx/v5"
)

// ensureDaysSQL makes the partitions of today and tomorrow, by the clock that commits take. It returns the first
// moment that they do not cover.
const ensureDaysSQL = `
WITH today AS (SELECT (greatest(clock_timestamp(), last_received_at) AT TIME ZONE 'UTC')::date AS day FROM log_head)
SELECT (day + 2)::timestamp AT TIME ZONE 'UTC', ensure_event_log_day(day), ensure_event_log_day(day + 1) FROM today`

// days keeps the day partitions of event_log ahead of the clock, and knows how far they reach, so that a commit need
// not ask. Since received times never decrease, that is one moment: all before it and from now on has its partition.
type days struct {
	mu    sync.Mutex
	until time.Time
}

// querier is a pool, or the connection that a commit holds already: a second one might never come free.
type querier interface {
	QueryRow(ctx context.Context, sql string, args ...any) pgx.Row
}

// cover reports whether a commit at receivedAt has its partition.
func (d *days) cover(receivedAt time.Time) bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	return receivedAt.Before(d.until)
}

// ensure makes the partitions of today and tomorrow where they are missing.
func (d *days) ensure(ctx context.Context, db querier) error {
	var until time.Time
	if err := db.QueryRow(ctx, ensureDaysSQL).Scan(&until, nil, nil); err != nil {
		return fmt.Errorf("create the day partitions of event_log: %w", err)
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	if until.After(d.until) {
		d.until = until
	}
	return nil
}

// keepAhead ensures the partitions at once and then well before each midnight, until ctx ends. It is there to spare
// commits the work and to report trouble a day early; a commit that finds its day missing makes it.
func (d *days) keepAhead(ctx context.Context, db querier, logger *slog.Logger) {
	const often, timeout = time.Hour, 10 * time.Second
	for {
		ensured, cancel := context.WithTimeout(ctx, timeout)
		if err := d.ensure(ensured, db); err != nil && ctx.Err() == nil {
			logger.WarnContext(ctx, "The event log has no partition for tomorrow yet; trying again within the hour.", "error", err)
		}
		cancel()
		select {
		case <-time.After(often):
		case <-ctx.Done():
			return
		}
	}
}

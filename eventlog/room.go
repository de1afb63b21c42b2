package eventlog

import (
	"context"
	"errors"
	"log/slog"
	"sync/atomic"
	"time"

	"github.com/jackc/pgx/v5/pgconn"
)

const databaseBytesSQL = `SELECT pg_database_size(current_database())`

// measureInterval is how often the database is measured. What is appended in between comes on top of the limit.
const measureInterval = 5 * time.Second

// room knows whether the database may take more events. Consumers that stand still do not hold up appends; the disk on
// which their backlog lies does, and is better found full by us than by PostgreSQL.
type room struct {
	limit int64 // bytes; 0: none
	used  atomic.Int64
}

// full reports whether the database was at its limit when it was last measured.
func (r *room) full() bool { return r.limit > 0 && r.used.Load() >= r.limit }

// watch measures the database now and then until ctx ends. While it cannot be measured, the last answer stands.
func (r *room) watch(ctx context.Context, db querier, logger *slog.Logger) {
	for {
		if err := r.measure(ctx, db, logger); err != nil && ctx.Err() == nil {
			logger.WarnContext(ctx, "the size of the database is not known", "error", err)
		}
		select {
		case <-time.After(measureInterval):
		case <-ctx.Done():
			return
		}
	}
}

func (r *room) measure(ctx context.Context, db querier, logger *slog.Logger) error {
	ctx, cancel := context.WithTimeout(ctx, measureInterval)
	defer cancel()
	wasFull := r.full()
	var used int64
	if err := db.QueryRow(ctx, databaseBytesSQL).Scan(&used); err != nil {
		return err
	}
	r.used.Store(used)
	switch {
	case r.full() && !wasFull:
		logger.ErrorContext(ctx, "the database has reached its limit, so events are refused until there is room", "bytes", used, "limit", r.limit)
	case wasFull && !r.full():
		logger.InfoContext(ctx, "the database has room again", "bytes", used, "limit", r.limit)
	}
	return nil
}

// isDiskFull reports whether PostgreSQL itself found its disk full.
func isDiskFull(err error) bool {
	const diskFull = "53100"
	failed, ok := errors.AsType[*pgconn.PgError](err)
	return ok && failed.Code == diskFull
}

// Package eventlog keeps the event log in PostgreSQL: append-only, without gaps, totally ordered, and the only input
// of every projection. Beside it stands the quarantine of what was refused.
//
// Appends of many callers share one commit. A record enters at [Log.Append], waits in the queue, is committed by
// [Log.Run] and leaves by [Log.Read].
package eventlog

import (
	"context"
	"fmt"
	"log/slog"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"
)

// Options tunes a Log. A zero field takes its default.
type Options struct {
	// CommitInterval is the least time from the beginning of one commit to that of the next; what arrives in between
	// shares a commit. After a longer silence a commit begins at once. Default: 5 ms.
	CommitInterval time.Duration
	// CommitTimeout bounds one commit with all its round trips. Default: 3 s, well below the 5 s after which
	// OpenLineage clients give up.
	CommitTimeout time.Duration
	// QueueRecords and QueueBytes bound what waits for a commit; the bytes are compressed ones. A call that finds
	// the queue empty is admitted whatever its size. Defaults: 10,000 and 64 MiB.
	QueueRecords int
	QueueBytes   int64
	// DatabaseBytes is the size of the database, in bytes, at which Append answers ErrFull. It is measured every 5 s,
	// and the database's own log comes on top, so leave room. 0, the default: no limit.
	DatabaseBytes int64
	// OnCommit, where set, is told of each commit. The next one waits until it returns.
	OnCommit func(Commit)
	// Logger reports what no caller sees. Default: slog.Default().
	Logger *slog.Logger
}

// Commit tells of one transaction and the Append calls that shared it.
type Commit struct {
	Calls   int
	Records int
	// Appended counts the records that were neither duplicates nor conflicts.
	Appended int
	Took     time.Duration
	Err      error
}

// maxGroup bounds one commit, unless a single Append is larger.
var maxGroup = size{records: 1000, bytes: 8 << 20}

// Log is the event log. Several Logs, in one process or in many, may stand on one database.
type Log struct {
	pool   *pgxpool.Pool
	opts   Options
	queue  *queue
	room   room
	days   days
	recent recent
}

// New gives the log on a migrated database. Append needs Run to be running; the other methods do not.
func New(pool *pgxpool.Pool, opts Options) *Log {
	opts = opts.withDefaults()
	return &Log{
		pool:  pool,
		opts:  opts,
		queue: newQueue(size{records: opts.QueueRecords, bytes: opts.QueueBytes}),
		room:  room{limit: opts.DatabaseBytes},
	}
}

// Append puts records into the log, all in one commit, and returns after it with one result for each, in their order.
//
// A record whose key (producer, event id) is taken gets the first receipt again if the content is the same, and
// ErrConflict if it is not; neither affects the other records. An error means that no result is known: ErrBusy,
// ErrFull and ErrClosed, that nothing was appended; any other, such as a connection lost while committing, that all may or may
// not have been. It is safe, and after an unknown outcome necessary, to append the same records again.
//
// When ctx ends, Append stops waiting and returns its error; the records may still be committed.
func (l *Log) Append(ctx context.Context, records ...Record) ([]Result, error) {
	if len(records) == 0 {
		return nil, nil
	}
	for i, record := range records {
		if err := record.validate(); err != nil {
			return nil, fmt.Errorf("record %d: %w", i, err)
		}
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if l.room.full() {
		return nil, ErrFull
	}
	call := newCall(records)
	if err := l.queue.push(call); err != nil {
		return nil, err
	}
	select {
	case outcome := <-call.done:
		return outcome.results, outcome.err
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// Run commits what Append queues until Close is called or ctx ends. Then it refuses new records, commits those that
// wait, and returns. A failed commit fails the calls that shared it and no others. Run may be called once.
func (l *Log) Run(ctx context.Context) error {
	stop := context.AfterFunc(ctx, l.Close)
	defer stop()

	ahead, cancel := context.WithCancel(ctx)
	defer cancel()
	go l.days.keepAhead(ahead, l.pool, l.opts.Logger)
	go l.room.watch(ahead, l.pool, l.opts.Logger)

	for {
		group := l.queue.take(maxGroup)
		if len(group) == 0 {
			return nil
		}
		began := time.Now()
		l.commitGroup(context.WithoutCancel(ctx), group)
		<-time.After(l.opts.CommitInterval - time.Since(began))
	}
}

// Close refuses further records and lets Run return once those already queued are committed. It does not wait for
// that. A second call does nothing.
func (l *Log) Close() { l.queue.close() }

func (o Options) withDefaults() Options {
	if o.CommitInterval == 0 {
		o.CommitInterval = 5 * time.Millisecond
	}
	if o.CommitTimeout == 0 {
		o.CommitTimeout = 3 * time.Second
	}
	if o.QueueRecords == 0 {
		o.QueueRecords = 10_000
	}
	if o.QueueBytes == 0 {
		o.QueueBytes = 64 << 20
	}
	if o.OnCommit == nil {
		o.OnCommit = func(Commit) {}
	}
	if o.Logger == nil {
		o.Logger = slog.Default()
	}
	return o
}

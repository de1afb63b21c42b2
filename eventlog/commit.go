package eventlog

import (
	"context"
	"fmt"
	"strconv"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/headwater-data/headwater/lineage"
)

// A commit takes two round trips. The first takes the lock and reads what stands, the second writes. READ COMMITTED
// gives every statement a snapshot of its own, so that what follows the lock sees the commit that held it before.
const (
	beginSQL = `BEGIN ISOLATION LEVEL READ COMMITTED`

	// A process that stalls between the two round trips must not stop all others. And a plan for keys must not
	// outlive the day on which their table was empty.
	guardSQL = `
SELECT set_config('idle_in_transaction_session_timeout', $1, true), set_config('plan_cache_mode', 'force_custom_plan', true)`

	lockHeadSQL = `SELECT FROM log_head FOR UPDATE`

	// In one statement with FOR UPDATE the clock would be read before the lock is held.
	readHeadSQL = `SELECT epoch, last_offset, greatest(clock_timestamp(), last_received_at) FROM log_head`

	knownKeysSQL = `
SELECT event_key, content_hash, epoch, log_offset, received_at
FROM event_key WHERE event_key = ANY($1::uuid[])`

	insertEventsSQL = `
INSERT INTO event_log (epoch, received_at, log_offset, producer, event_id, format, run_key, lane, content_hash,
    trace_parent, payload, payload_bytes)
SELECT $1, $2, fresh.*
FROM unnest($3::bigint[], $4::text[], $5::text[], $6::smallint[], $7::uuid[], $8::smallint[], $9::uuid[],
    $10::text[], $11::bytea[], $12::bigint[]) AS fresh`

	insertKeysSQL = `
INSERT INTO event_key (epoch, received_at, log_offset, event_key, content_hash)
SELECT $1, $2, fresh.* FROM unnest($3::bigint[], $4::uuid[], $5::uuid[]) AS fresh`

	moveHeadSQL = `UPDATE log_head SET last_offset = $1, last_received_at = $2`

	commitSQL   = `COMMIT`
	rollbackSQL = `ROLLBACK`
)

// commitGroup commits the calls of a group together and tells each its outcome.
func (l *Log) commitGroup(ctx context.Context, group []*call) {
	ctx, cancel := context.WithTimeout(ctx, l.opts.CommitTimeout)
	defer cancel()

	var records []pending
	for _, c := range group {
		records = append(records, c.records...)
	}
	began := time.Now()
	results, appended, err := l.commit(ctx, records)
	switch {
	case isDiskFull(err):
		err = fmt.Errorf("%w: %w", ErrFull, err)
	case err != nil:
		err = fmt.Errorf("append to the event log: %w", err)
	}
	took := time.Since(began)
	for _, c := range group {
		if err != nil {
			c.done <- outcome{err: err}
			continue
		}
		c.done <- outcome{results: results[:len(c.records):len(c.records)]}
		results = results[len(c.records):]
	}
	l.opts.OnCommit(Commit{
		Calls: len(group), Records: len(records), Appended: appended, Took: took, Err: err,
	})
}

// commit appends records in one transaction. After an error of the second round trip nobody knows whether it took
// effect, so the error stands for both.
func (l *Log) commit(ctx context.Context, records []pending) (results []Result, appended int, err error) {
	conn, err := l.pool.Acquire(ctx)
	if err != nil {
		return nil, 0, err
	}
	defer conn.Release() // with a transaction open, this closes the connection

	head, known, err := l.lockDay(ctx, conn, records)
	if err != nil {
		return nil, 0, err
	}
	results, fresh := assign(head, known, records)
	if err := write(ctx, conn, head, fresh); err != nil {
		return nil, 0, err
	}
	return results, len(fresh), nil
}

// lockDay is lock, repeated where the day of the commit has no partition yet: that is made without the lock.
func (l *Log) lockDay(ctx context.Context, conn *pgxpool.Conn, records []pending) (Head, map[lineage.Hash]standing, error) {
	for {
		head, known, err := l.lock(ctx, conn, records)
		if err != nil || l.days.cover(head.ReceivedAt) {
			return head, known, err
		}
		if _, err := conn.Exec(ctx, rollbackSQL); err != nil {
			return Head{}, nil, err
		}
		if err := l.days.ensure(ctx, conn); err != nil {
			return Head{}, nil, err
		}
	}
}

// lock begins the transaction, takes the lock that all appenders share, and reads where the log ends and which of the
// records' keys are taken. The head's ReceivedAt is that of the commit to come.
func (l *Log) lock(ctx context.Context, conn *pgxpool.Conn, records []pending) (Head, map[lineage.Hash]standing, error) {
	keys := make([]lineage.Hash, len(records))
	for i, record := range records {
		keys[i] = record.key
	}
	var head Head
	known := make(map[lineage.Hash]standing, len(records))

	var batch pgx.Batch
	batch.Queue(beginSQL)
	batch.Queue(guardSQL, strconv.FormatInt(l.opts.CommitTimeout.Milliseconds(), 10))
	batch.Queue(lockHeadSQL)
	batch.Queue(readHeadSQL).QueryRow(func(row pgx.Row) error {
		err := row.Scan(&head.Epoch, &head.Offset, &head.ReceivedAt)
		head.ReceivedAt = head.ReceivedAt.UTC()
		return err
	})
	batch.Queue(knownKeysSQL, keys).Query(func(rows pgx.Rows) error {
		var key lineage.Hash
		var first standing
		_, err := pgx.ForEachRow(rows, []any{
			&key, &first.contentHash, &first.receipt.Epoch, &first.receipt.Offset, &first.receipt.ReceivedAt,
		}, func() error {
			first.receipt.ReceivedAt = first.receipt.ReceivedAt.UTC()
			known[key] = first
			return nil
		})
		return err
	})
	err := conn.SendBatch(ctx, &batch).Close()
	return head, known, err
}

// write appends the fresh records behind head and commits.
func write(ctx context.Context, conn *pgxpool.Conn, head Head, fresh []pending) error {
	var batch pgx.Batch
	if len(fresh) > 0 {
		c := columnsOf(head, fresh)
		batch.Queue(insertEventsSQL, head.Epoch, head.ReceivedAt, c.offsets, c.producers, c.eventIDs, c.formats,
			c.runKeys, c.lanes, c.contentHashes, c.traceParents, c.payloads, c.payloadBytes)
		batch.Queue(insertKeysSQL, head.Epoch, head.ReceivedAt, c.offsets, c.keys, c.contentHashes)
		batch.Queue(moveHeadSQL, head.Offset+lineage.Offset(len(fresh)), head.ReceivedAt)
	}
	batch.Queue(commitSQL)
	return conn.SendBatch(ctx, &batch).Close()
}

// columns holds records by column, as unnest takes them.
type columns struct {
	offsets       []lineage.Offset
	keys          []lineage.Hash
	producers     []string
	eventIDs      []string
	formats       []lineage.Format
	runKeys       []*lineage.Hash
	lanes         []int16
	contentHashes []lineage.Hash
	traceParents  []string
	payloads      [][]byte
	payloadBytes  []int64
}

func columnsOf(head Head, records []pending) columns {
	var c columns
	for i, record := range records {
		var runKey *lineage.Hash
		if !record.RunKey.IsZero() {
			runKey = &record.RunKey
		}
		c.offsets = append(c.offsets, head.Offset+lineage.Offset(i)+1)
		c.keys = append(c.keys, record.key)
		c.producers = append(c.producers, record.Producer)
		c.eventIDs = append(c.eventIDs, record.EventID)
		c.formats = append(c.formats, record.Format)
		c.runKeys = append(c.runKeys, runKey)
		c.lanes = append(c.lanes, lineage.LaneOf(record.RunKey))
		c.contentHashes = append(c.contentHashes, record.ContentHash)
		c.traceParents = append(c.traceParents, record.TraceParent)
		c.payloads = append(c.payloads, record.compressed)
		c.payloadBytes = append(c.payloadBytes, record.payloadBytes)
	}
	return c
}

package eventlog

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/headwater-data/headwater/lineage"
)

const (
	headSQL = `SELECT epoch, last_offset, nullif(last_received_at, '-infinity') FROM log_head`

	// Received times order the log as offsets do, and partitions are ordered by them: so only days between $3 and $4
	// are touched, and a scan stops once it has enough. The sum counts the bytes of the entries before each one; it
	// needs no payload, so those that are not returned are not fetched.
	readSQL = `
SELECT epoch, log_offset, received_at, producer, event_id, format, run_key, content_hash, trace_parent, payload, payload_bytes
FROM (
    SELECT *, sum(payload_bytes) OVER (ORDER BY received_at, log_offset) - payload_bytes AS bytes_before
    FROM (
        SELECT * FROM event_log
        WHERE log_offset > $1 AND log_offset <= $2 AND received_at BETWEEN $3 AND $4
        ORDER BY received_at, log_offset
        LIMIT $2 - $1
    ) AS wanted
) AS counted
WHERE bytes_before < $5
ORDER BY received_at, log_offset`

	receiptSQL = `SELECT epoch, log_offset, received_at FROM event_key WHERE event_key = $1`
)

// Head is where the log ends now.
func (l *Log) Head(ctx context.Context) (Head, error) {
	var head Head
	var receivedAt *time.Time
	err := l.pool.QueryRow(ctx, headSQL).Scan(&head.Epoch, &head.Offset, &receivedAt)
	if err != nil {
		return Head{}, fmt.Errorf("read the head of the event log: %w", err)
	}
	if receivedAt != nil {
		head.ReceivedAt = receivedAt.UTC()
	}
	return head, nil
}

// Read gives the entries that follow after, in the order of their offsets: at most limit of them, and no further one
// once their payloads reach maxBytes, so that it exceeds maxBytes by less than one payload. It gives none at the end
// of the log. Both limits must be positive.
//
// Offsets follow each other without gaps, however many processes append meanwhile: an entry becomes visible with or
// after all that precede it. Where entries right after the offset were dropped, the error is a *GapError.
func (l *Log) Read(ctx context.Context, after lineage.Offset, limit int, maxBytes int64) ([]lineage.Entry, error) {
	head, err := l.Head(ctx)
	if err != nil || head.Offset <= after {
		return nil, err
	}
	last := min(head.Offset, after+lineage.Offset(limit))
	entries, err := l.read(ctx, after, last, head.ReceivedAt, maxBytes)
	if err != nil {
		return nil, fmt.Errorf("read the event log after offset %d: %w", after, err)
	}
	if gap := gapIn(entries, after+1, last); gap != nil {
		return nil, gap
	}
	l.recent.remember(entries[len(entries)-1])
	return entries, nil
}

func (l *Log) read(ctx context.Context, after, last lineage.Offset, until time.Time, maxBytes int64) ([]lineage.Entry, error) {
	from, err := l.receivedAt(ctx, after)
	if err != nil {
		return nil, err
	}
	rows, err := l.pool.Query(ctx, readSQL, after, last, from, until, maxBytes)
	if err != nil {
		return nil, err
	}
	return pgx.CollectRows(rows, scanEntry)
}

// gapIn tells which offsets from first on are missing, where last was to be read if no limit stood against it.
func gapIn(entries []lineage.Entry, first, last lineage.Offset) error {
	for i, entry := range entries {
		if expected := first + lineage.Offset(i); entry.Offset != expected {
			return &GapError{From: expected, To: entry.Offset - 1}
		}
	}
	if len(entries) == 0 {
		return &GapError{From: first, To: last}
	}
	return nil
}

// Receipt finds an event by its idempotency key, or answers ErrNotFound.
func (l *Log) Receipt(ctx context.Context, producer, eventID string) (Receipt, error) {
	var receipt Receipt
	err := l.pool.QueryRow(ctx, receiptSQL, eventKey(producer, eventID)).
		Scan(&receipt.Epoch, &receipt.Offset, &receipt.ReceivedAt)
	if errors.Is(err, pgx.ErrNoRows) {
		return Receipt{}, fmt.Errorf("event %q of producer %q: %w", eventID, producer, ErrNotFound)
	}
	if err != nil {
		return Receipt{}, fmt.Errorf("look up a receipt: %w", err)
	}
	receipt.ReceivedAt = receipt.ReceivedAt.UTC()
	return receipt, nil
}

func scanEntry(row pgx.CollectableRow) (lineage.Entry, error) {
	var (
		entry        lineage.Entry
		runKey       *lineage.Hash
		compressed   []byte
		payloadBytes int64
	)
	err := row.Scan(&entry.Epoch, &entry.Offset, &entry.ReceivedAt, &entry.Producer, &entry.EventID, &entry.Format,
		&runKey, &entry.Content, &entry.TraceParent, &compressed, &payloadBytes)
	if err != nil {
		return lineage.Entry{}, err
	}
	if runKey != nil {
		entry.Run = *runKey
	}
	entry.ReceivedAt = entry.ReceivedAt.UTC()
	entry.Payload, err = decompress(compressed, payloadBytes)
	return entry, err
}

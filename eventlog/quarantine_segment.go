package eventlog

import (
	"context"
	"errors"
	"fmt"

	"github.com/jackc/pgx/v5"
)

const (
	lastQuarantinedSQL = `SELECT coalesce(max(quarantine_id), 0) FROM quarantine`

	pendingSegmentSQL = `
SELECT first_id, last_id, documents FROM quarantine_segment
WHERE verified_at IS NULL ORDER BY first_id LIMIT 1`

	// The lock makes two that form segments at once take different documents: the second waits, and then leaves out what
	// the first took. The sum counts the bytes of the payloads before each one.
	formSegmentSQL = `
WITH free AS (
    SELECT quarantine_id, payload_bytes FROM quarantine
    WHERE segment_first_id IS NULL AND quarantine_id <= $1
    ORDER BY quarantine_id LIMIT $2
    FOR UPDATE
), counted AS (
    SELECT quarantine_id, sum(payload_bytes) OVER (ORDER BY quarantine_id) - payload_bytes AS bytes_before FROM free
), chosen AS (
    SELECT quarantine_id FROM counted WHERE bytes_before < $3
), formed AS (
    INSERT INTO quarantine_segment (first_id, last_id, documents)
    SELECT min(quarantine_id), max(quarantine_id), count(*) FROM chosen HAVING count(*) > 0
    RETURNING first_id, last_id, documents
), marked AS (
    UPDATE quarantine SET segment_first_id = first_id FROM chosen, formed
    WHERE quarantine.quarantine_id = chosen.quarantine_id
)
SELECT first_id, last_id, documents FROM formed`

	// The range is what the primary key finds; other segments may hold documents in it.
	segmentDocumentsSQL = quarantinedWithPayloadSQL + `
WHERE quarantine_id BETWEEN $1 AND $2 AND segment_first_id = $1 ORDER BY quarantine_id`

	markArchivedSQL = `UPDATE quarantine_segment SET verified_at = clock_timestamp() WHERE first_id = $1`

	archivedCountsSQL = `
SELECT coalesce(sum(documents) FILTER (WHERE verified_at IS NOT NULL), 0),
    coalesce(sum(documents) FILTER (WHERE verified_at IS NULL), 0)
        + (SELECT count(*) FROM quarantine WHERE segment_first_id IS NULL)
FROM quarantine_segment`
)

// Last is the highest id in the quarantine now, or 0. Lower ones may still appear: documents that are added side by
// side become visible in any order.
func (q *Quarantine) Last(ctx context.Context) (QuarantineID, error) {
	var last QuarantineID
	if err := q.pool.QueryRow(ctx, lastQuarantinedSQL).Scan(&last); err != nil {
		return 0, fmt.Errorf("read the end of the quarantine: %w", err)
	}
	return last, nil
}

// NextSegment gives the documents that are to be archived next, together, with their payloads and in the order of their
// ids; none if all up to upTo are archived. The same ones are given until MarkArchived is called with the first of
// their ids, whatever is added meanwhile.
//
// It finishes the segments that were formed before, and then forms one of documents that are in none: at most limit of
// them, and no further one once their payloads reach maxBytes. Both limits must be positive.
func (q *Quarantine) NextSegment(ctx context.Context, upTo QuarantineID, limit int, maxBytes int64) ([]Quarantined, error) {
	documents, err := q.nextSegment(ctx, upTo, limit, maxBytes)
	if err != nil {
		return nil, fmt.Errorf("read what of the quarantine is not archived: %w", err)
	}
	return documents, nil
}

func (q *Quarantine) nextSegment(ctx context.Context, upTo QuarantineID, limit int, maxBytes int64) ([]Quarantined, error) {
	var first, last QuarantineID
	var count int
	err := q.pool.QueryRow(ctx, pendingSegmentSQL).Scan(&first, &last, &count)
	if errors.Is(err, pgx.ErrNoRows) {
		err = q.pool.QueryRow(ctx, formSegmentSQL, upTo, limit, maxBytes).Scan(&first, &last, &count)
	}
	if errors.Is(err, pgx.ErrNoRows) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	rows, err := q.pool.Query(ctx, segmentDocumentsSQL, first, last)
	if err != nil {
		return nil, err
	}
	documents, err := pgx.CollectRows(rows, scanWithPayload)
	if err == nil && len(documents) != count {
		err = fmt.Errorf("the segment of documents %d to %d has %d of its %d: rows of the quarantine were deleted before they were archived",
			first, last, len(documents), count)
	}
	return documents, err
}

// MarkArchived notes that a segment, named by its first document, was found whole in the archive, or answers
// ErrNotFound. Its documents stay as they are.
func (q *Quarantine) MarkArchived(ctx context.Context, first QuarantineID) error {
	tag, err := q.pool.Exec(ctx, markArchivedSQL, first)
	if err != nil {
		return fmt.Errorf("mark the documents from %d on as archived: %w", first, err)
	}
	if tag.RowsAffected() == 0 {
		return fmt.Errorf("segment of documents from %d on: %w", first, ErrNotFound)
	}
	return nil
}

// ArchivedCounts is how many documents of the quarantine rest in the archive, and how many do not yet.
type ArchivedCounts struct{ Archived, Waiting int64 }

// ArchivedCounts counts them now.
func (q *Quarantine) ArchivedCounts(ctx context.Context) (ArchivedCounts, error) {
	var counts ArchivedCounts
	if err := q.pool.QueryRow(ctx, archivedCountsSQL).Scan(&counts.Archived, &counts.Waiting); err != nil {
		return ArchivedCounts{}, fmt.Errorf("count what of the quarantine is archived: %w", err)
	}
	return counts, nil
}

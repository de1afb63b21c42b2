package eventlog

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/headwater-data/headwater/lineage"
)

// Refusal is a document that a door refused.
type Refusal struct {
	Producer string
	// EventID is empty where none could be read.
	EventID string
	Format  lineage.Format
	// Code is short and stable, for counting; Reason tells the producer what to do.
	Code    string
	Reason  string
	Payload []byte
}

// QuarantineID numbers quarantined documents in the order of their arrival.
type QuarantineID int64

// Quarantined is a refusal as it is kept.
type Quarantined struct {
	ID QuarantineID
	// ReceivedAt is the database's clock, in UTC.
	ReceivedAt time.Time
	// Refusal has its Payload only where Get or NextSegment returns it.
	Refusal
	// SHA256 and Bytes are of the payload.
	SHA256 []byte
	Bytes  int64
	// Resubmitted is where the document stands in the log since it was resubmitted, or nil.
	Resubmitted *lineage.Position
}

const (
	addRefusalSQL = `
INSERT INTO quarantine (producer, event_id, format, reason_code, reason, payload, payload_sha256, payload_bytes)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8)
RETURNING quarantine_id`

	quarantinedColumns = `
SELECT quarantine_id, received_at, producer, event_id, format, reason_code, reason, payload_sha256, payload_bytes,
    resubmitted_epoch, resubmitted_offset`
	quarantinedSQL            = quarantinedColumns + ` FROM quarantine`
	quarantinedWithPayloadSQL = quarantinedColumns + `, payload FROM quarantine`

	listQuarantineSQL = quarantinedSQL + `
WHERE ($1 = '' OR producer = $1) AND ($2 = 0 OR quarantine_id < $2)
ORDER BY quarantine_id DESC LIMIT $3`

	getQuarantinedSQL = quarantinedWithPayloadSQL + ` WHERE quarantine_id = $1`

	markResubmittedSQL = `
UPDATE quarantine SET resubmitted_epoch = $2, resubmitted_offset = $3 WHERE quarantine_id = $1`
)

// Quarantine keeps what the doors refused, so that nothing refused is invisible.
type Quarantine struct{ pool *pgxpool.Pool }

// NewQuarantine gives the quarantine on a migrated database.
func NewQuarantine(pool *pgxpool.Pool) *Quarantine { return &Quarantine{pool} }

// Add keeps a refused document. A document that is refused twice is kept twice. Texts are kept as far as the database
// can hold them; the payload byte for byte.
func (q *Quarantine) Add(ctx context.Context, refusal Refusal) (QuarantineID, error) {
	digest := sha256.Sum256(refusal.Payload)
	var id QuarantineID
	err := q.pool.QueryRow(ctx, addRefusalSQL, storable(refusal.Producer), storable(refusal.EventID), refusal.Format,
		storable(refusal.Code), storable(refusal.Reason), compress(refusal.Payload), digest[:], len(refusal.Payload),
	).Scan(&id)
	if err != nil {
		return 0, fmt.Errorf("quarantine an event: %w", err)
	}
	return id, nil
}

// List gives the latest documents first, at most limit: those of one producer unless producer is empty, and those
// older than before unless it is zero. The last id of a page is the before of the next.
func (q *Quarantine) List(ctx context.Context, producer string, before QuarantineID, limit int) ([]Quarantined, error) {
	rows, err := q.pool.Query(ctx, listQuarantineSQL, storable(producer), before, limit)
	if err != nil {
		return nil, fmt.Errorf("list the quarantine: %w", err)
	}
	documents, err := pgx.CollectRows(rows, scanQuarantined)
	if err != nil {
		return nil, fmt.Errorf("list the quarantine: %w", err)
	}
	return documents, nil
}

// Get gives a document with its payload, or ErrNotFound.
func (q *Quarantine) Get(ctx context.Context, id QuarantineID) (Quarantined, error) {
	rows, err := q.pool.Query(ctx, getQuarantinedSQL, id)
	if err != nil {
		return Quarantined{}, fmt.Errorf("read quarantined event %d: %w", id, err)
	}
	document, err := pgx.CollectExactlyOneRow(rows, scanWithPayload)
	if errors.Is(err, pgx.ErrNoRows) {
		return Quarantined{}, fmt.Errorf("quarantined event %d: %w", id, ErrNotFound)
	}
	if err != nil {
		return Quarantined{}, fmt.Errorf("read quarantined event %d: %w", id, err)
	}
	return document, nil
}

// MarkResubmitted notes where the document stands in the log after it was accepted, or answers ErrNotFound. A later
// call replaces an earlier one.
func (q *Quarantine) MarkResubmitted(ctx context.Context, id QuarantineID, at lineage.Position) error {
	tag, err := q.pool.Exec(ctx, markResubmittedSQL, id, at.Epoch, at.Offset)
	if err != nil {
		return fmt.Errorf("mark quarantined event %d as resubmitted: %w", id, err)
	}
	if tag.RowsAffected() == 0 {
		return fmt.Errorf("quarantined event %d: %w", id, ErrNotFound)
	}
	return nil
}

func scanQuarantined(row pgx.CollectableRow) (Quarantined, error) { return scanColumns(row) }

func scanWithPayload(row pgx.CollectableRow) (Quarantined, error) {
	var compressed []byte
	q, err := scanColumns(row, &compressed)
	if err != nil {
		return Quarantined{}, err
	}
	q.Payload, err = decompress(compressed, q.Bytes)
	return q, err
}

// scanColumns reads the columns of quarantinedColumns, and those that follow them into further.
func scanColumns(row pgx.CollectableRow, further ...any) (Quarantined, error) {
	var q Quarantined
	var epoch *lineage.Epoch
	var offset *lineage.Offset
	err := row.Scan(append([]any{
		&q.ID, &q.ReceivedAt, &q.Producer, &q.EventID, &q.Format, &q.Code, &q.Reason, &q.SHA256, &q.Bytes, &epoch, &offset,
	}, further...)...)
	q.ReceivedAt = q.ReceivedAt.UTC()
	if epoch != nil && offset != nil {
		q.Resubmitted = &lineage.Position{Epoch: *epoch, Offset: *offset}
	}
	return q, err
}

// storable replaces what PostgreSQL refuses in a text.
func storable(text string) string {
	return strings.ReplaceAll(strings.ToValidUTF8(text, "\uFFFD"), "\x00", "\uFFFD")
}

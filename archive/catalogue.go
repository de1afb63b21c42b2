package archive

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/headwater-data/headwater/lineage"
)

const (
	lastArchivedSQL = `SELECT coalesce(max(last_offset), 0) FROM archive_segment`

	// A segment that is recorded again must be the same one; otherwise no row is touched.
	recordSegmentSQL = `
INSERT INTO archive_segment (first_offset, last_offset, epoch, object_key, sha256, bytes)
VALUES ($1, $2, $3, $4, $5, $6)
ON CONFLICT (first_offset) DO UPDATE SET verified_at = clock_timestamp()
WHERE archive_segment.last_offset = excluded.last_offset AND archive_segment.sha256 = excluded.sha256`

	catalogueSQL = `
SELECT first_offset, last_offset, epoch, object_key, sha256, bytes
FROM archive_segment WHERE last_offset > $1 ORDER BY first_offset LIMIT $2`
)

// cataloguePage bounds what Catalogue.Segments returns.
const cataloguePage = 1000

// Catalogue notes in the database which segments were verified. It is a convenience: the bucket is what counts, and
// recording the segments that it lists makes the catalogue anew.
type Catalogue struct{ pool *pgxpool.Pool }

// NewCatalogue gives the catalogue on a migrated database.
func NewCatalogue(pool *pgxpool.Pool) *Catalogue { return &Catalogue{pool} }

// Last is the last offset that rests in the archive, or 0.
func (c *Catalogue) Last(ctx context.Context) (lineage.Offset, error) {
	var last lineage.Offset
	if err := c.pool.QueryRow(ctx, lastArchivedSQL).Scan(&last); err != nil {
		return 0, fmt.Errorf("read how far the log is archived: %w", err)
	}
	return last, nil
}

// Record notes a verified segment. Recording it again renews its time; another segment in its place is an error.
func (c *Catalogue) Record(ctx context.Context, segment Segment) error {
	tag, err := c.pool.Exec(ctx, recordSegmentSQL, segment.FirstOffset, segment.LastOffset, segment.Epoch,
		segment.Object, segment.SHA256[:], segment.Bytes)
	if err != nil {
		return fmt.Errorf("record segment %s: %w", segment.Object, err)
	}
	if tag.RowsAffected() == 0 {
		return fmt.Errorf("record segment %s: the catalogue has another segment from offset %d on; compare it with the bucket",
			segment.Object, segment.FirstOffset)
	}
	return nil
}

// Segments gives the segments that hold entries after an offset, in order, as ReadSegment takes them: the next thousand
// at most, and without CreatedAt, which stands in the manifest alone. A hole is a *HoleError, as in Archive.Segments.
func (c *Catalogue) Segments(ctx context.Context, after lineage.Offset) ([]Segment, error) {
	rows, err := c.pool.Query(ctx, catalogueSQL, after, cataloguePage)
	if err != nil {
		return nil, fmt.Errorf("list the catalogue: %w", err)
	}
	segments, err := pgx.CollectRows(rows, scanSegment)
	if err != nil {
		return nil, fmt.Errorf("list the catalogue: %w", err)
	}
	expected := after + 1
	for _, segment := range segments {
		if segment.FirstOffset > expected {
			return nil, fmt.Errorf("list the catalogue: %w", &HoleError{From: expected, To: segment.FirstOffset - 1})
		}
		expected = segment.LastOffset + 1
	}
	return segments, nil
}

func scanSegment(row pgx.CollectableRow) (Segment, error) {
	s := Segment{Stored: Stored{FormatVersion: formatVersion, Codec: codec}}
	var digest []byte
	err := row.Scan(&s.FirstOffset, &s.LastOffset, &s.Epoch, &s.Object, &digest, &s.Bytes)
	s.Count = int64(s.LastOffset-s.FirstOffset) + 1
	copy(s.SHA256[:], digest)
	return s, err
}

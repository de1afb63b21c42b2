package archive

import (
	"context"
	"errors"
	"fmt"
)

// RefusedSegment describes refused documents that rest in the archive: those from FirstID to LastID that no other
// segment holds. Its JSON is the manifest beside the object.
type RefusedSegment struct {
	Stored
	FirstID int64 `json:"firstId"`
	LastID  int64 `json:"lastId"`
}

// refusedSegments is how refused documents are written and read.
var refusedSegments = kind[Refused, refusedLine]{
	prefix: quarantinePrefix, source: "the quarantine", line: lineOfRefused, equal: equalRefused,
}

// WriteRefused stores refused documents, whose ids ascend, as WriteSegment stores entries. A segment that begins with
// the same id is adopted if it holds the same documents and no others; otherwise the error is a *CorruptError.
func (a *Archive) WriteRefused(ctx context.Context, documents []Refused) (RefusedSegment, error) {
	segment, err := a.writeRefused(ctx, documents)
	if err != nil {
		return RefusedSegment{}, fmt.Errorf("write a segment of refused documents: %w", err)
	}
	return segment, nil
}

func (a *Archive) writeRefused(ctx context.Context, documents []Refused) (RefusedSegment, error) {
	if err := checkAscending(documents); err != nil {
		return RefusedSegment{}, err
	}
	first, last := documents[0].ID, documents[len(documents)-1].ID
	stored, err := refusedSegments.store(ctx, a, first, documents)
	if err != nil {
		return RefusedSegment{}, err
	}
	if stored.Count != int64(len(documents)) {
		return RefusedSegment{}, &CorruptError{stored.Object, fmt.Sprintf("it holds %d documents, not %d", stored.Count, len(documents))}
	}
	return describe(ctx, a, RefusedSegment{Stored: stored, FirstID: first, LastID: last})
}

func (s RefusedSegment) key() string { return quarantinePrefix.manifest(s.FirstID) }

func (s RefusedSegment) validate(key string) error {
	if err := s.checkFormat(); err != nil {
		return err
	}
	if s.key() != key || s.Object != quarantinePrefix.object(s.FirstID) {
		return &CorruptError{key, fmt.Sprintf("it describes id %d and object %q", s.FirstID, s.Object)}
	}
	return nil
}

func (s RefusedSegment) describesSame(other RefusedSegment) bool {
	s.CreatedAt = other.CreatedAt
	return s == other
}

func checkAscending(documents []Refused) error {
	if len(documents) == 0 {
		return errors.New("a segment needs at least one document")
	}
	for i, document := range documents[1:] {
		if before := documents[i].ID; document.ID <= before {
			return fmt.Errorf("document %d stands behind document %d", document.ID, before)
		}
	}
	return nil
}

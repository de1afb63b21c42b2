package archive

import (
	"context"
	"fmt"

	"github.com/headwater-data/headwater/lineage"
)

// WriteSegment stores entries, which follow each other in one epoch, and returns once they were read back, compared
// one by one, and described by a manifest.
//
// A segment is never overwritten. Where one begins at the same offset, as when a writer stopped half-way or two run
// at once, it is adopted if it holds the same entries. It may hold fewer: LastOffset tells. If it holds more, the
// error is a *LongerError. If it holds others, it is a *CorruptError and needs a person.
func (a *Archive) WriteSegment(ctx context.Context, entries []lineage.Entry) (Segment, error) {
	segment, err := a.writeSegment(ctx, entries)
	if err != nil {
		return Segment{}, fmt.Errorf("write a segment: %w", err)
	}
	return segment, nil
}

func (a *Archive) writeSegment(ctx context.Context, entries []lineage.Entry) (Segment, error) {
	if err := checkRange(entries); err != nil {
		return Segment{}, err
	}
	first := entries[0]
	stored, err := logSegments.store(ctx, a, int64(first.Offset), entries)
	if err != nil {
		return Segment{}, err
	}
	last := first.Offset + lineage.Offset(stored.Count) - 1
	if stored.Count > int64(len(entries)) {
		return Segment{}, &LongerError{FirstOffset: first.Offset, LastOffset: last}
	}
	return describe(ctx, a, Segment{Stored: stored, Epoch: first.Epoch, FirstOffset: first.Offset, LastOffset: last})
}

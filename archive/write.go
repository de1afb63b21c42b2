package archive

import (
	"context"
	"crypto/sha256"
	"encoding/json/v2"
	"fmt"
	"time"

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
	object, err := encode(entries)
	if err != nil {
		return Segment{}, err
	}
	first := entries[0].Offset
	written, err := a.putOnce(ctx, objectKey(first), "application/zstd", object)
	if err != nil {
		return Segment{}, err
	}
	segment, err := a.verify(ctx, entries)
	if err != nil {
		return Segment{}, err
	}
	if written && segment.Count != int64(len(entries)) {
		return Segment{}, &CorruptError{segment.Object, fmt.Sprintf("of %d entries just written it holds %d", len(entries), segment.Count)}
	}
	return a.describe(ctx, segment)
}

// verify reads the object that begins with entries back from the server and compares what is in it.
func (a *Archive) verify(ctx context.Context, entries []lineage.Entry) (Segment, error) {
	first := entries[0]
	key := objectKey(first.Offset)
	object, err := a.get(ctx, key)
	if err != nil {
		return Segment{}, err
	}
	if err := a.checkProtection(ctx, key); err != nil {
		return Segment{}, err
	}

	count := 0
	for stored, err := range decode(object) {
		switch {
		case err != nil:
			return Segment{}, &CorruptError{key, err.Error()}
		case count < len(entries) && !equal(stored, entries[count]):
			return Segment{}, &CorruptError{key, fmt.Sprintf("its entry %d differs from that of the log", count+1)}
		}
		count++
	}
	last := first.Offset + lineage.Offset(count) - 1
	switch {
	case count == 0:
		return Segment{}, &CorruptError{key, "it holds no entries"}
	case count > len(entries):
		return Segment{}, &LongerError{FirstOffset: first.Offset, LastOffset: last}
	}
	return Segment{
		FormatVersion: formatVersion,
		Codec:         codec,
		Epoch:         first.Epoch,
		FirstOffset:   first.Offset,
		LastOffset:    last,
		Count:         int64(count),
		Object:        key,
		Bytes:         int64(len(object)),
		SHA256:        sha256.Sum256(object),
		CreatedAt:     time.Now().UTC().Truncate(time.Second),
	}, nil
}

// describe writes the manifest, or finds that an earlier one says the same. With it the segment exists.
func (a *Archive) describe(ctx context.Context, segment Segment) (Segment, error) {
	manifest, err := json.Marshal(segment)
	if err != nil {
		return Segment{}, err
	}
	if _, err := a.putOnce(ctx, manifestKey(segment.FirstOffset), "application/json", append(manifest, '\n')); err != nil {
		return Segment{}, err
	}
	stored, err := a.manifest(ctx, segment.FirstOffset)
	if err != nil {
		return Segment{}, err
	}
	if segment.CreatedAt = stored.CreatedAt; stored != segment {
		return Segment{}, &CorruptError{manifestKey(segment.FirstOffset), "it describes another object than the one beside it"}
	}
	return stored, nil
}

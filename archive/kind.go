package archive

import (
	"context"
	"crypto/sha256"
	"fmt"
	"time"
)

// kind is a kind of segment: its records, how they are written as lines, and where they lie. The archive has two, those
// of the log and those of the quarantine, and treats both alike.
type kind[Record any, Line interface{ record() Record }] struct {
	prefix prefix
	// source is where the records come from, for a person.
	source string
	line   func(Record) Line
	equal  func(Record, Record) bool
}

// store writes records as the lines of one object, under lock, and reads back from the server what stands there. It is
// never overwritten: where a writer was before, the object holds what that one wrote, and Count tells how many lines
// that is. As far as both go they are the same records; otherwise the error is a *CorruptError.
func (k kind[Record, Line]) store(ctx context.Context, a *Archive, first int64, records []Record) (Stored, error) {
	object, err := k.encode(records)
	if err != nil {
		return Stored{}, err
	}
	key := k.prefix.object(first)
	written, err := a.putOnce(ctx, key, "application/zstd", object)
	if err != nil {
		return Stored{}, err
	}
	stored, err := k.verify(ctx, a, key, records)
	if err != nil {
		return Stored{}, err
	}
	if written && stored.Count != int64(len(records)) {
		return Stored{}, &CorruptError{key, fmt.Sprintf("of %d lines just written it holds %d", len(records), stored.Count)}
	}
	return stored, nil
}

// verify reads an object back and compares it line by line.
func (k kind[Record, Line]) verify(ctx context.Context, a *Archive, key string, records []Record) (Stored, error) {
	object, err := a.get(ctx, key)
	if err != nil {
		return Stored{}, err
	}
	if err := a.checkProtection(ctx, key); err != nil {
		return Stored{}, err
	}
	count := 0
	for stored, err := range k.decode(object) {
		switch {
		case err != nil:
			return Stored{}, &CorruptError{key, err.Error()}
		case count < len(records) && !k.equal(stored, records[count]):
			return Stored{}, &CorruptError{key, fmt.Sprintf("its line %d differs from what %s has", count+1, k.source)}
		}
		count++
	}
	if count == 0 {
		return Stored{}, &CorruptError{key, "it holds no lines"}
	}
	return Stored{
		FormatVersion: formatVersion,
		Codec:         codec,
		Object:        key,
		Count:         int64(count),
		Bytes:         int64(len(object)),
		SHA256:        sha256.Sum256(object),
		CreatedAt:     time.Now().UTC().Truncate(time.Second),
	}, nil
}

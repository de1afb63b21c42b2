package archive

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"iter"

	"github.com/minio/minio-go/v7"

	"github.com/headwater-data/headwater/lineage"
)

// Entries gives what the archive holds after an offset, in order and without gaps, as Segments and ReadSegment do.
func (a *Archive) Entries(ctx context.Context, after lineage.Offset) iter.Seq2[lineage.Entry, error] {
	return func(yield func(lineage.Entry, error) bool) {
		for segment, err := range a.Segments(ctx, after) {
			if err != nil {
				yield(lineage.Entry{}, err)
				return
			}
			for entry, err := range a.ReadSegment(ctx, segment) {
				if err == nil && entry.Offset <= after {
					continue
				}
				if !yield(entry, err) || err != nil {
					return
				}
			}
		}
	}
}

// Segments gives the segments that hold entries after an offset, in the order of their offsets, from the bucket alone.
// Each begins where the one before ended, and the first holds the entry right after the offset; otherwise the
// sequence ends with a *HoleError. It ends with the first error of any kind.
func (a *Archive) Segments(ctx context.Context, after lineage.Offset) iter.Seq2[Segment, error] {
	return func(yield func(Segment, error) bool) {
		expected, begun := after+1, false
		for first, err := range a.firstOffsets(ctx, after) {
			var segment Segment
			if err == nil {
				segment, err = readManifest[Segment](ctx, a, logPrefix.manifest(int64(first)))
			}
			switch {
			case err != nil:
			case segment.LastOffset <= after:
				continue
			case segment.FirstOffset > expected:
				err = &HoleError{From: expected, To: segment.FirstOffset - 1}
			case begun && segment.FirstOffset < expected:
				err = &CorruptError{segment.key(), fmt.Sprintf("it begins before offset %d, where the segment before it ends", expected)}
			}
			if err != nil {
				yield(Segment{}, fmt.Errorf("list the archive: %w", err))
				return
			}
			expected, begun = segment.LastOffset+1, true
			if !yield(segment, nil) {
				return
			}
		}
	}
}

// ReadSegment gives the entries of a segment. Its hash is verified before the first entry is given; order, epoch and
// count as they pass. The sequence ends with the first error.
func (a *Archive) ReadSegment(ctx context.Context, segment Segment) iter.Seq2[lineage.Entry, error] {
	return func(yield func(lineage.Entry, error) bool) {
		object, err := a.get(ctx, segment.Object)
		if isMissing(err) {
			err = &HoleError{From: segment.FirstOffset, To: segment.LastOffset}
		}
		if err == nil && (int64(len(object)) != segment.Bytes || sha256.Sum256(object) != segment.SHA256) {
			err = &CorruptError{segment.Object, "its SHA-256 is not that of the manifest"}
		}
		if err != nil {
			yield(lineage.Entry{}, err)
			return
		}
		next := segment.FirstOffset
		for entry, err := range logSegments.decode(object) {
			if err == nil && (entry.Offset != next || entry.Epoch != segment.Epoch || next > segment.LastOffset) {
				err = fmt.Errorf("offset %d of epoch %d stands where offset %d of epoch %d belongs",
					entry.Offset, entry.Epoch, next, segment.Epoch)
			}
			if err != nil {
				yield(lineage.Entry{}, &CorruptError{segment.Object, err.Error()})
				return
			}
			next++
			if !yield(entry, nil) {
				return
			}
		}
		if next != segment.LastOffset+1 {
			yield(lineage.Entry{}, &CorruptError{segment.Object, fmt.Sprintf("it ends before offset %d", next)})
		}
	}
}

// firstOffsets lists where segments begin, leaving out those that end at or before the offset as far as the
// beginning of the next tells.
func (a *Archive) firstOffsets(ctx context.Context, after lineage.Offset) iter.Seq2[lineage.Offset, error] {
	return func(yield func(lineage.Offset, error) bool) {
		var candidate lineage.Offset // no offset is 0
		for position := string(logPrefix); ; {
			keys, err := a.listPage(ctx, position)
			if err != nil {
				yield(0, err)
				return
			}
			if len(keys) == 0 {
				break
			}
			for _, key := range keys {
				number, isManifest := logPrefix.first(key)
				if !isManifest {
					continue
				}
				first := lineage.Offset(number)
				if candidate != 0 && first > after+1 && !yield(candidate, nil) {
					return
				}
				candidate = first
			}
			position = keys[len(keys)-1]
		}
		if candidate != 0 {
			yield(candidate, nil)
		}
	}
}

// listPage gives up to a thousand keys of segments and manifests behind a key.
func (a *Archive) listPage(ctx context.Context, behind string) ([]string, error) {
	const page = 1000
	ctx, cancel := a.deadline(ctx)
	defer cancel()
	var keys []string
	for object := range a.client.ListObjectsIter(ctx, a.config.Bucket, minio.ListObjectsOptions{
		Prefix: string(logPrefix), Recursive: true, StartAfter: behind, MaxKeys: page,
	}) {
		if object.Err != nil {
			return nil, object.Err
		}
		if keys = append(keys, object.Key); len(keys) == page {
			break
		}
	}
	return keys, nil
}

// isMissing reports whether the server answered that there is no such object.
func isMissing(err error) bool {
	var response minio.ErrorResponse
	return errors.As(err, &response) && response.Code == minio.NoSuchKey
}

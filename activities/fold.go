package activities

import (
	"context"
	"errors"
	"fmt"
	"time"

	"go.temporal.io/sdk/activity"

	"github.com/headwater-data/headwater/archive"
	"github.com/headwater-data/headwater/lineage"
	"github.com/headwater-data/headwater/projection"
	"github.com/headwater-data/headwater/workflows/contract"
)

// One transaction folds at most so many entries, and reaches for no further one once their payloads have so many bytes.
const (
	batchEntries = 1000
	batchBytes   = 16 << 20
)

// noDeadline lets a fold go on to its end.
var noDeadline time.Time

// FoldArchive folds what the archive holds behind the shadow's cursor, until all is folded or the slice is over. Where
// the archive has a hole it ends, and leaves the rest to the log.
func (a *Replays) FoldArchive(ctx context.Context, in contract.Shadow) (contract.Folded, error) {
	defer heartbeat(ctx)()
	deadline := time.Now().Add(in.Slice)
	shadow, err := a.find(ctx, in)
	if err != nil {
		return contract.Folded{}, err
	}
	f := &fold{store: a.Projections, into: shadow}
	segments, err := a.Catalogue.Segments(ctx, f.cursor())
	if hole, ok := errors.AsType[*archive.HoleError](err); ok {
		activity.GetLogger(ctx).Warn("The archive has a hole, so the rest is folded from the log", "error", hole)
		segments, err = nil, nil
	}
	if err != nil || len(segments) == 0 {
		return contract.Folded{Cursor: f.cursor(), Goal: f.cursor()}, err
	}
	goal, err := a.Catalogue.Last(ctx)
	if err != nil {
		return contract.Folded{}, err
	}
	err = a.foldSegments(ctx, f, segments, deadline)
	return contract.Folded{Cursor: f.cursor(), Goal: goal}, err
}

// foldSegments folds one segment after the other, until the deadline is over.
func (a *Replays) foldSegments(ctx context.Context, f *fold, segments []archive.Segment, deadline time.Time) error {
	store, err := a.Archive(ctx)
	if err != nil {
		return err
	}
	for _, segment := range segments {
		if expired(deadline) {
			return nil
		}
		for entry, err := range store.ReadSegment(ctx, segment) {
			if err != nil {
				return err
			}
			if err := f.add(ctx, entry); err != nil {
				return err
			}
		}
		if err := f.flush(ctx); err != nil {
			return err
		}
	}
	return nil
}

// FoldTail folds what the log holds behind the shadow's cursor, until it has reached what is the end of the log now or
// the slice is over.
func (a *Replays) FoldTail(ctx context.Context, in contract.Shadow) (contract.Folded, error) {
	defer heartbeat(ctx)()
	deadline := time.Now().Add(in.Slice)
	shadow, err := a.find(ctx, in)
	if err != nil {
		return contract.Folded{}, err
	}
	head, err := a.Log.Head(ctx)
	if err != nil {
		return contract.Folded{}, err
	}
	f := &fold{store: a.Projections, into: shadow}
	err = a.foldLog(ctx, f, head.Offset, deadline)
	return contract.Folded{Cursor: f.cursor(), Goal: head.Offset}, err
}

// foldLog folds from the log through goal, unless the deadline is over before.
func (a *Replays) foldLog(ctx context.Context, f *fold, goal lineage.Offset, deadline time.Time) error {
	for f.cursor() < goal && !expired(deadline) {
		limit := min(batchEntries, int(goal-f.cursor()))
		entries, err := a.Log.Read(ctx, f.cursor(), limit, batchBytes)
		if err != nil {
			return err
		}
		for _, entry := range entries {
			if err := f.add(ctx, entry); err != nil {
				return err
			}
		}
		if err := f.flush(ctx); err != nil {
			return err
		}
	}
	return nil
}

func expired(deadline time.Time) bool { return deadline != noDeadline && time.Now().After(deadline) }

// fold brings entries into one projection, in batches.
type fold struct {
	store   *projection.Store
	into    projection.Projection
	batch   []lineage.Entry
	payload int // bytes in batch
}

// cursor is the last offset folded.
func (f *fold) cursor() lineage.Offset { return f.into.Cursor.Offset }

// add takes the next entry; one that was folded before is passed over.
func (f *fold) add(ctx context.Context, entry lineage.Entry) error {
	if entry.Offset <= f.cursor() {
		return nil
	}
	f.batch = append(f.batch, entry)
	f.payload += len(entry.Payload)
	if len(f.batch) < batchEntries && f.payload < batchBytes {
		return nil
	}
	return f.flush(ctx)
}

// flush folds what was added.
func (f *fold) flush(ctx context.Context) error {
	if len(f.batch) == 0 {
		return nil
	}
	if err := f.store.Apply(ctx, f.into.ID, f.batch); err != nil {
		return fmt.Errorf("fold into projection %s: %w", f.into.Name, err)
	}
	f.into.Cursor = f.batch[len(f.batch)-1].Position()
	f.batch, f.payload = f.batch[:0], 0
	activity.RecordHeartbeat(ctx, f.cursor())
	return nil
}

package activities

import (
	"context"
	"errors"
	"fmt"

	"go.temporal.io/sdk/activity"

	"github.com/headwater-data/headwater/archive"
	"github.com/headwater-data/headwater/eventlog"
	"github.com/headwater-data/headwater/lineage"
	"github.com/headwater-data/headwater/workflows/contract"
)

// Archiving writes the log and the quarantine into the archive.
type Archiving struct {
	Log        *eventlog.Log
	Quarantine *eventlog.Quarantine
	Catalogue  *archive.Catalogue
	Archive    func(context.Context) (*archive.Archive, error)
}

// One segment holds at most so many entries or documents, and no further one once their payloads have so many bytes.
// It passes through memory as a whole.
const (
	segmentEntries = 50_000
	segmentBytes   = 64 << 20
)

// WriteSegments archives what the log and then the quarantine hold now and the archive lacks.
func (a *Archiving) WriteSegments(ctx context.Context) (contract.Archived, error) {
	defer heartbeat(ctx)()
	archived, err := a.archiveLog(ctx)
	if err != nil {
		return archived, err
	}
	err = a.archiveQuarantine(ctx, &archived)
	return archived, err
}

func (a *Archiving) archiveLog(ctx context.Context) (contract.Archived, error) {
	last, err := a.Catalogue.Last(ctx)
	if err != nil {
		return contract.Archived{}, err
	}
	head, err := a.Log.Head(ctx)
	if err != nil {
		return contract.Archived{}, err
	}
	archived := contract.Archived{Last: last}
	if archived.Last == head.Offset {
		return archived, nil
	}
	store, err := a.Archive(ctx)
	if err != nil {
		return archived, err
	}
	for archived.Last < head.Offset {
		segment, err := a.writeSegment(ctx, store, archived.Last, segmentEntries, segmentBytes)
		// An earlier turn wrote more in one go and died before it took note.
		if longer, ok := errors.AsType[*archive.LongerError](err); ok {
			segment, err = a.writeSegment(ctx, store, archived.Last, int(longer.LastOffset-archived.Last), noLimit)
		}
		if err != nil {
			return archived, err
		}
		archived.Segments++
		archived.Events += segment.Count
		archived.Bytes += segment.Bytes
		archived.Last = segment.LastOffset
		activity.RecordHeartbeat(ctx, archived)
	}
	return archived, nil
}

const noLimit = 1 << 40

func (a *Archiving) writeSegment(ctx context.Context, store *archive.Archive, after lineage.Offset, limit int, maxBytes int64) (archive.Segment, error) {
	entries, err := a.Log.Read(ctx, after, limit, maxBytes)
	if err != nil {
		return archive.Segment{}, err
	}
	segment, err := store.WriteSegment(ctx, firstEpoch(entries))
	if err != nil {
		return archive.Segment{}, err
	}
	if err := a.Catalogue.Record(ctx, segment); err != nil {
		return archive.Segment{}, fmt.Errorf("take note of segment %s: %w", segment.Object, err)
	}
	return segment, nil
}

// firstEpoch cuts entries where an epoch ends: a segment is of one.
func firstEpoch(entries []lineage.Entry) []lineage.Entry {
	for i, entry := range entries {
		if entry.Epoch != entries[0].Epoch {
			return entries[:i]
		}
	}
	return entries
}

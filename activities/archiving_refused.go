package activities

import (
	"context"

	"go.temporal.io/sdk/activity"

	"github.com/headwater-data/headwater/archive"
	"github.com/headwater-data/headwater/eventlog"
	"github.com/headwater-data/headwater/workflows/contract"
)

// archiveQuarantine archives the refused documents that are there now, and counts them. The quarantine settles what a
// segment holds before it is written, so a turn that follows a dead one adopts what that one wrote.
func (a *Archiving) archiveQuarantine(ctx context.Context, archived *contract.Archived) error {
	last, err := a.Quarantine.Last(ctx)
	if err != nil {
		return err
	}
	for {
		documents, err := a.Quarantine.NextSegment(ctx, last, segmentEntries, segmentBytes)
		if err != nil || len(documents) == 0 {
			return err
		}
		store, err := a.Archive(ctx)
		if err != nil {
			return err
		}
		segment, err := store.WriteRefused(ctx, refused(documents))
		if err != nil {
			return err
		}
		if err := a.Quarantine.MarkArchived(ctx, documents[0].ID); err != nil {
			return err
		}
		archived.Refused += segment.Count
		archived.Bytes += segment.Bytes
		activity.RecordHeartbeat(ctx, *archived)
	}
}

// refused gives documents as the archive takes them.
func refused(documents []eventlog.Quarantined) []archive.Refused {
	given := make([]archive.Refused, len(documents))
	for i, document := range documents {
		given[i] = archive.Refused{
			ID: int64(document.ID), ReceivedAt: document.ReceivedAt, Producer: document.Producer, EventID: document.EventID,
			Format: document.Format, Code: document.Code, Reason: document.Reason, Payload: document.Payload,
		}
	}
	return given
}

package gateway

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"

	"connectrpc.com/connect/v2"
	"google.golang.org/protobuf/types/known/timestamppb"

	"github.com/headwater-data/headwater/archive"
	"github.com/headwater-data/headwater/eventlog"
	headwaterv1 "github.com/headwater-data/headwater/gen/headwater/v1"
	"github.com/headwater-data/headwater/lineage"
	"github.com/headwater-data/headwater/policy"
)

// eventReader gives single events of the log, and those of the archive that the log does not hold any more.
type eventReader struct {
	log      *eventlog.Log
	archived *archive.Finder // or nil
	policy   *policy.Engine
	limits   lineage.Limits
	// turn has room for one: an event takes several times its size in memory, one of the archive its segment's too.
	turn chan struct{}
}

func newEventReader(config Config) *eventReader {
	return &eventReader{
		log: config.Log, archived: config.Archive, policy: config.Policy, limits: config.Limits.Event, turn: make(chan struct{}, 1),
	}
}

// GetEvent implements headwater.v1.IngestService.
func (s *ingestService) GetEvent(ctx context.Context, req *headwaterv1.GetEventRequest) (*headwaterv1.GetEventResponse, error) {
	r := s.events
	if err := r.seesAll(ctx); err != nil {
		return nil, err
	}
	done, err := r.wait(ctx)
	if err != nil {
		return nil, err
	}
	defer done()
	entry, archived, err := r.read(ctx, lineage.Offset(req.GetOffset()))
	if err != nil {
		return nil, err
	}
	event, err := loggedOf(entry, r.limits)
	if err != nil {
		return nil, unavailable(fmt.Errorf("show the event at offset %d: %w", entry.Offset, err))
	}
	event.Archived = archived
	return &headwaterv1.GetEventResponse{Event: event}, nil
}

// seesAll refuses a caller from whom policies hide a name, whatever there is to read.
func (r *eventReader) seesAll(ctx context.Context) error {
	sight, err := r.policy.Visibility(ctx, callerOf(ctx))
	if err != nil {
		return unavailable(err)
	}
	if sight.Restricted() {
		return connect.NewError(connect.CodePermissionDenied,
			"policies hide names from you that an event may hold; ask someone from whom they hide nothing")
	}
	return nil
}

// wait returns when it is the caller's turn to read a document. done must be called when the answer is made.
func (r *eventReader) wait(ctx context.Context) (done func(), err error) {
	select {
	case r.turn <- struct{}{}:
		return func() { <-r.turn }, nil
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// read finds the event at an offset, and says whether the archive alone has it.
func (r *eventReader) read(ctx context.Context, offset lineage.Offset) (entry lineage.Entry, archived bool, err error) {
	entries, err := r.log.Read(ctx, offset-1, 1, 1)
	if _, dropped := errors.AsType[*eventlog.GapError](err); dropped {
		entry, err = r.readArchived(ctx, offset)
		return entry, true, err
	}
	if err != nil {
		return entry, false, unavailable(err)
	}
	if len(entries) == 0 {
		head, err := r.log.Head(ctx)
		if err != nil {
			return entry, false, unavailable(err)
		}
		return entry, false, connect.Errorf(connect.CodeNotFound, "there is no event at offset %d: the log ends at offset %d", offset, head.Offset)
	}
	return entries[0], false, nil
}

func (r *eventReader) readArchived(ctx context.Context, offset lineage.Offset) (lineage.Entry, error) {
	if r.archived == nil {
		return lineage.Entry{}, connect.Errorf(connect.CodeFailedPrecondition,
			"the log handed offset %d over to the archive, and this gateway does not know where that is: start it with --s3-endpoint and the settings that go with it", offset)
	}
	entry, err := r.archived.Entry(ctx, offset)
	if hole, missing := errors.AsType[*archive.HoleError](err); missing {
		return entry, connect.NewError(connect.CodeNotFound, hole.Error())
	}
	if err != nil {
		return entry, unavailable(err)
	}
	return entry, nil
}

// loggedOf is an entry as the contract has it, without the credentials that its producer left in it.
func loggedOf(entry lineage.Entry, limits lineage.Limits) (*headwaterv1.LoggedEvent, error) {
	shown, err := lineage.RedactJSON(entry.Payload)
	if err != nil {
		return nil, err
	}
	digest := sha256.Sum256(entry.Payload)
	logged := &headwaterv1.LoggedEvent{
		Epoch:         int32(entry.Epoch),
		Offset:        int64(entry.Offset),
		ReceivedAt:    timestamppb.New(entry.ReceivedAt),
		Producer:      entry.Producer,
		EventId:       entry.EventID,
		Format:        headwaterv1.EventFormat(entry.Format),
		TraceParent:   entry.TraceParent,
		ContentHash:   hex.EncodeToString(entry.Content[:]),
		PayloadBytes:  int64(len(entry.Payload)),
		PayloadSha256: hex.EncodeToString(digest[:]),
		Payload:       string(shown),
		Redacted:      string(shown) != string(entry.Payload),
	}
	if event, err := lineage.Decode(entry.Format, entry.Payload, limits); err == nil {
		addUnderstood(logged, event)
	}
	return logged, nil
}

// addUnderstood says what an event tells of.
func addUnderstood(logged *headwaterv1.LoggedEvent, event lineage.Event) {
	logged.EventTime = timestampOf(event.EventTime)
	for _, warning := range event.Warnings {
		logged.Warnings = append(logged.Warnings, &headwaterv1.Warning{Code: warning.Code, Path: warning.Path, Message: warning.Reason})
	}
	switch event.Kind {
	case lineage.RunEvent:
		logged.Kind, logged.EventType, logged.Run = "RunEvent", string(event.Type), runReferenceOf(event.Run)
	case lineage.JobEvent:
		logged.Kind, logged.Job = "JobEvent", jobOf(event.Job)
	case lineage.DatasetEvent:
		logged.Kind, logged.Dataset = "DatasetEvent", datasetOf(event.Dataset.DatasetID)
	case lineage.PublicationDecidedEvent:
		logged.Kind, logged.Run = string(lineage.PublicationDecided), runReferenceOf(event.Decision.Run)
	case lineage.MarkerEvent:
		logged.Kind, logged.Run = string(event.Type), runReferenceOf(event.Run)
	case lineage.FactEvent:
		logged.Kind = string(event.Type)
	}
}

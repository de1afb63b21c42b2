package gateway

import (
	"context"
	"errors"
	"fmt"

	"google.golang.org/protobuf/proto"

	"github.com/headwater-data/headwater/eventlog"
	headwaterv1 "github.com/headwater-data/headwater/gen/headwater/v1"
	"github.com/headwater-data/headwater/lineage"
)

func withdrawalOf(withdrawn *headwaterv1.EvidenceWithdrawn) lineage.Withdrawal {
	withdrawal := lineage.Withdrawal{Undone: withdrawn.GetUndone()}
	switch subject := withdrawn.GetSubject().(type) {
	case *headwaterv1.EvidenceWithdrawn_Event:
		withdrawal.Event = lineage.Sender{Producer: subject.Event.GetProducer(), EventID: subject.Event.GetEventId()}
	case *headwaterv1.EvidenceWithdrawn_Run:
		withdrawal.Run = lineage.RunKey{Job: jobIDOf(subject.Run.GetJob()), RunID: subject.Run.GetRunId()}
	}
	return withdrawal
}

// checkWithdrawal gives a fact with the event that it withdraws named by producer and id, and says why it is not accepted
// where nothing takes that event out of the answers. A withdrawal that comes before its event, or when the log has handed the
// event to the archive, is accepted unseen; where the event is of such a kind, it changes nothing.
func (in *intake) checkWithdrawal(ctx context.Context, fact *headwaterv1.Fact) (checkedFact, error) {
	var entry lineage.Entry
	var err error
	switch subject := fact.GetEvidenceWithdrawn().GetSubject().(type) {
	case *headwaterv1.EvidenceWithdrawn_Event:
		entry, err = in.find(ctx, subject.Event.GetProducer(), subject.Event.GetEventId())
	case *headwaterv1.EvidenceWithdrawn_Offset:
		if entry, err = in.at(ctx, lineage.Offset(subject.Offset)); err == nil && entry.Offset == 0 {
			return checkedFact{fact, &refusal{
				code: "unknown_event", path: "evidence_withdrawn.offset", reason: "is not in the log, or not any more; name the event by its producer and id",
			}}, nil
		}
		fact = proto.CloneOf(fact)
		fact.GetEvidenceWithdrawn().Subject = &headwaterv1.EvidenceWithdrawn_Event{
			Event: &headwaterv1.EventReference{Producer: entry.Producer, EventId: entry.EventID},
		}
	}
	if err != nil || entry.Offset == 0 {
		return checkedFact{stated: fact}, err
	}
	known, err := lineage.Decode(entry.Format, entry.Payload, in.limits.Event)
	if err != nil {
		return checkedFact{stated: fact}, nil //nolint:nilerr // it came under wider limits, which the fold does not have
	}
	if why := known.Permanent(); why != "" {
		return checkedFact{fact, &refusal{
			code: "not_withdrawable", path: "evidence_withdrawn", reason: fmt.Sprintf("the event at offset %d %s", entry.Offset, why),
		}}, nil
	}
	return checkedFact{stated: fact}, nil
}

// find reads an accepted event; it is zero where none is in the log, or not any more.
func (in *intake) find(ctx context.Context, producer, eventID string) (lineage.Entry, error) {
	receipt, err := in.log.Receipt(ctx, producer, eventID)
	if errors.Is(err, eventlog.ErrNotFound) {
		return lineage.Entry{}, nil
	}
	if err != nil {
		return lineage.Entry{}, err
	}
	return in.at(ctx, receipt.Offset)
}

// at reads the event at an offset; it is zero where none is in the log, or not any more.
func (in *intake) at(ctx context.Context, offset lineage.Offset) (lineage.Entry, error) {
	entries, err := in.log.Read(ctx, offset-1, 1, 1)
	if _, dropped := errors.AsType[*eventlog.GapError](err); dropped || err == nil && len(entries) == 0 {
		return lineage.Entry{}, nil
	}
	if err != nil {
		return lineage.Entry{}, err
	}
	return entries[0], nil
}

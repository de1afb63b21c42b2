package gateway

import (
	"encoding/hex"

	"google.golang.org/protobuf/types/known/timestamppb"

	"github.com/headwater-data/headwater/eventlog"
	headwaterv1 "github.com/headwater-data/headwater/gen/headwater/v1"
)

func receiptsOf(verdicts []verdict) []*headwaterv1.Receipt {
	receipts := make([]*headwaterv1.Receipt, len(verdicts))
	for i, v := range verdicts {
		receipts[i] = receiptOf(v)
	}
	return receipts
}

func receiptOf(v verdict) *headwaterv1.Receipt {
	receipt := &headwaterv1.Receipt{EventId: v.eventID}
	if v.refused == nil {
		receipt.Outcome = &headwaterv1.Receipt_Accepted{Accepted: acceptedOf(v.receipt)}
		return receipt
	}
	rejected := &headwaterv1.Rejected{Code: v.refused.code, Reason: v.refused.Error()}
	if v.refused.quarantineID != 0 {
		rejected.QuarantineId = &v.refused.quarantineID
	}
	receipt.Outcome = &headwaterv1.Receipt_Rejected{Rejected: rejected}
	return receipt
}

func acceptedOf(receipt eventlog.Receipt) *headwaterv1.Accepted {
	return &headwaterv1.Accepted{
		Epoch:      int32(receipt.Epoch),
		Offset:     int64(receipt.Offset),
		ReceivedAt: timestamppb.New(receipt.ReceivedAt),
		Duplicate:  receipt.Duplicate,
	}
}

func quarantinedOf(document eventlog.Quarantined) *headwaterv1.QuarantinedEvent {
	event := &headwaterv1.QuarantinedEvent{
		QuarantineId:  int64(document.ID),
		ReceivedAt:    timestamppb.New(document.ReceivedAt),
		Producer:      document.Producer,
		Code:          document.Code,
		Reason:        document.Reason,
		PayloadBytes:  document.Bytes,
		PayloadSha256: hex.EncodeToString(document.SHA256),
	}
	if document.EventID != "" {
		event.EventId = &document.EventID
	}
	if document.Resubmitted != nil {
		event.ResubmittedOffset = new(int64(document.Resubmitted.Offset))
	}
	return event
}

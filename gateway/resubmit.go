package gateway

import (
	"context"
	"fmt"

	"github.com/headwater-data/headwater/eventlog"
	"github.com/headwater-data/headwater/lineage"
	"github.com/headwater-data/headwater/policy"
)

// resubmit sends a quarantined document through the intake again, as its producer's.
func (in *intake) resubmit(ctx context.Context, caller policy.Principal, document eventlog.Quarantined) (verdict, error) {
	verdicts, err := in.decide(ctx, caller, []submission{{
		format: document.Format, payload: document.Payload, producer: document.Producer, eventID: document.EventID,
	}})
	if err != nil {
		return verdict{}, err
	}
	v := verdicts[0]
	if v.outcome() != outcomeAccepted && v.outcome() != outcomeDuplicate {
		v.refused.quarantineID = int64(document.ID)
		return v, nil
	}
	at := lineage.Position{Epoch: v.receipt.Epoch, Offset: v.receipt.Offset}
	if err := in.quarantine.MarkResubmitted(ctx, document.ID, at); err != nil {
		return verdict{}, fmt.Errorf("note a resubmission: %w", err)
	}
	return v, nil
}

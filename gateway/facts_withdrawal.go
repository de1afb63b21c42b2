package gateway

import (
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

package gateway

import (
	"context"
	"fmt"
	"time"

	"buf.build/go/protovalidate"
	"google.golang.org/protobuf/proto"

	headwaterv1 "github.com/headwater-data/headwater/gen/headwater/v1"
	"github.com/headwater-data/headwater/lineage"
	"github.com/headwater-data/headwater/policy"
)

// adminService takes what people state about the graph.
type adminService struct {
	nameService
	intake *intake
}

// SubmitFacts implements headwater.v1.AdminService. Who states is who calls: nobody states in another's name.
func (s *adminService) SubmitFacts(ctx context.Context, req *headwaterv1.SubmitFactsRequest) (*headwaterv1.SubmitFactsResponse, error) {
	facts, err := s.intake.checkFacts(ctx, req.GetFacts())
	if err != nil {
		return nil, unavailable(err)
	}
	receipts, err := submitEach(ctx, s.intake, doorAdmin, "facts", facts, checkedSubmission)
	if err != nil {
		return nil, err
	}
	return &headwaterv1.SubmitFactsResponse{Receipts: receipts}, nil
}

// checkedFact is a fact with why it is not accepted, or nil, as far as what is in the log tells.
type checkedFact struct {
	stated  *headwaterv1.Fact
	refused *refusal
}

// checkFacts holds facts against the log.
func (in *intake) checkFacts(ctx context.Context, facts []*headwaterv1.Fact) ([]checkedFact, error) {
	checked := make([]checkedFact, len(facts))
	for i, fact := range facts {
		var err error
		if checked[i], err = in.checkWithdrawal(ctx, fact); err != nil {
			return nil, err
		}
	}
	return checked, nil
}

// checkedSubmission is factSubmission of what was held against the log.
func checkedSubmission(caller policy.Principal, fact checkedFact) submission {
	s := factSubmission(caller, fact.stated)
	if s.refused == nil {
		s.refused = fact.refused
	}
	return s
}

// factSubmission writes a fact as the platform event that will be stored, refused already where it breaks the contract.
func factSubmission(caller policy.Principal, fact *headwaterv1.Fact) submission {
	s := submission{format: lineage.FormatPlatform, producer: caller.Name, eventID: fact.GetEventId()}
	refuse := func(err error) submission {
		s.payload, _ = proto.Marshal(fact) // to be looked at; it came as such
		s.refused = &refusal{code: "invalid_fact", reason: err.Error()}
		return s
	}
	if err := protovalidate.Validate(fact); err != nil {
		return refuse(err)
	}
	stated, err := factOf(fact)
	if err != nil {
		return refuse(err)
	}
	at := time.Now()
	if fact.EventTime != nil {
		at = fact.GetEventTime().AsTime()
	}
	s.payload, err = lineage.EncodeFact(stated, lineage.Attribution{EventTime: at.UTC(), By: caller.Name, Reason: fact.GetReason()})
	if err != nil { // a time out of range
		return refuse(fmt.Errorf("cannot be written as JSON: %w", err))
	}
	return s
}

// factOf is the domain's fact for the contract's, which was validated.
func factOf(fact *headwaterv1.Fact) (lineage.Fact, error) {
	switch stated := fact.GetFact().(type) {
	case *headwaterv1.Fact_EvidenceWithdrawn:
		return withdrawalOf(stated.EvidenceWithdrawn), nil
	case *headwaterv1.Fact_ManualEdge:
		return manualEdgeOf(stated.ManualEdge), nil
	case *headwaterv1.Fact_OwnerRegistered:
		return ownershipOf(stated.OwnerRegistered), nil
	case *headwaterv1.Fact_NameRulesRegistered:
		return nameRegistrationOf(stated.NameRulesRegistered)
	case *headwaterv1.Fact_NameDismissed:
		return nameDismissalOf(stated.NameDismissed), nil
	case *headwaterv1.Fact_AliasRegistered:
		return aliasRegistrationOf(stated.AliasRegistered), nil
	case *headwaterv1.Fact_AliasEnded:
		return aliasEndOf(stated.AliasEnded), nil
	default:
		return nil, fmt.Errorf("%T is not known to this version", stated)
	}
}

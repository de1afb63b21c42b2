package main

import (
	"context"
	"errors"

	"google.golang.org/protobuf/types/known/timestamppb"

	headwaterv1 "github.com/headwater-data/headwater/gen/headwater/v1"
	"github.com/headwater-data/headwater/gen/headwater/v1/headwaterv1connect"
)

// stating is embedded by every command that states a fact about the graph.
type stating struct {
	apiClient
	Reason reason `required:"" placeholder:"TEXT" help:"Why; it is kept for those who ask later."`
	At     moment `placeholder:"TIME" help:"When it was so, as 2026-07-19T00:00:00Z or 2026-07-19; by default now. Of facts about one thing the latest holds."`
	receiptFlag
}

// state sends one fact and gives where it stands in the log.
func (c *stating) state(ctx context.Context, fact *headwaterv1.Fact) (*headwaterv1.Accepted, error) {
	client, err := c.dial()
	if err != nil {
		return nil, err
	}
	fact.Reason = string(c.Reason)
	if !c.At.IsZero() {
		fact.EventTime = timestamppb.New(c.At.Time)
	}
	answer, err := headwaterv1connect.NewAdminServiceClient(client).SubmitFacts(ctx, &headwaterv1.SubmitFactsRequest{Facts: []*headwaterv1.Fact{fact}})
	if err != nil {
		return nil, c.explain(err)
	}
	receipt := answer.GetReceipts()[0]
	if rejected := receipt.GetRejected(); rejected != nil {
		return nil, errors.New(rejected.GetReason())
	}
	return receipt.GetAccepted(), nil
}

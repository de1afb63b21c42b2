package main

import (
	"context"

	"google.golang.org/protobuf/types/known/timestamppb"

	headwaterv1 "github.com/headwater-data/headwater/gen/headwater/v1"
	"github.com/headwater-data/headwater/gen/headwater/v1/headwaterv1connect"
	"github.com/headwater-data/headwater/internal/render"
)

// compareCommand tells where what is declared and what runs did agree.
type compareCommand struct {
	apiClient
	Namespace string   `arg:"" optional:"" help:"Only outputs of this namespace."`
	Name      string   `arg:"" optional:"" help:"Only the output of this name."`
	Only      []string `enum:"agrees,differs,declared_only,observed_only" placeholder:"WHICH" help:"Only outputs of which this holds: ${enum}. Repeatable."`
	At        moment   `placeholder:"TIME" help:"Compare as of this time, such as 2026-07-19T06:00:00Z. The default is now."`
	paging
	JSON bool `help:"Print the answer of the API."`
}

// Help is shown by --help.
func (*compareCommand) Help() string {
	return `An input is declared by a manifest or a job's description, and observed when a run read it. For example:

  headwater lineage compare bigquery shop.mart.daily_orders
  headwater lineage compare bigquery --only differs --only declared_only`
}

// Run prints one page.
func (c *compareCommand) Run(ctx context.Context) error {
	client, err := c.dial()
	if err != nil {
		return err
	}
	request := &headwaterv1.CompareDeclaredRequest{Namespace: c.Namespace, Name: c.Name, PageSize: new(int32(c.Limit)), PageToken: c.Page}
	for _, agreement := range c.Only {
		request.Agreements = append(request.Agreements, headwaterv1.Agreement(render.Number("AGREEMENT_", agreement, headwaterv1.Agreement_value)))
	}
	if !c.At.IsZero() {
		request.ValidAt = timestamppb.New(c.At.Time)
	}
	answer, err := headwaterv1connect.NewLineageServiceClient(client).CompareDeclared(ctx, request)
	if err != nil {
		return c.explain(err)
	}
	return show(answer, c.JSON, render.Comparison)
}

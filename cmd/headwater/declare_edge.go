package main

import (
	"context"
	"fmt"

	headwaterv1 "github.com/headwater-data/headwater/gen/headwater/v1"
)

// declareEdgeCommand states an edge by hand, or ends one.
type declareEdgeCommand struct {
	FromNamespace string   `arg:"" help:"Namespace of the dataset that the other one is made of."`
	FromName      string   `arg:"" help:"Its name."`
	ToNamespace   string   `arg:"" help:"Namespace of the dataset that is made."`
	ToName        string   `arg:"" help:"Its name."`
	Job           jobValue `placeholder:"NAMESPACE NAME" help:"What makes it: two words."`
	End           bool     `help:"Say that it is so no longer."`
	stating
}

// Help is shown by --help.
func (*declareEdgeCommand) Help() string {
	return `What a person states stands beside what is declared and observed, and neither overwrites it. It holds until somebody
ends it. For example:

  headwater declare edge postgres://shop-db:5432 shop.public.orders looker sales_overview --reason "the nightly upload by hand"
  headwater declare edge postgres://shop-db:5432 shop.public.orders looker sales_overview --end --reason "the upload was automated"`
}

// Run sends the edge.
func (c *declareEdgeCommand) Run(ctx context.Context) error {
	accepted, err := c.state(ctx, &headwaterv1.Fact{Fact: &headwaterv1.Fact_ManualEdge{ManualEdge: &headwaterv1.ManualEdge{
		From:  &headwaterv1.Dataset{Namespace: c.FromNamespace, Name: c.FromName},
		To:    &headwaterv1.Dataset{Namespace: c.ToNamespace, Name: c.ToName},
		Job:   c.Job.job,
		Ended: c.End,
	}}})
	if err != nil {
		return err
	}
	verb := "shows it"
	if c.End {
		verb = "shows it no longer"
	}
	return c.recorded(accepted, fmt.Sprintf("headwater lineage upstream %s %s %s", shellWord(c.ToNamespace), shellWord(c.ToName), verb))
}

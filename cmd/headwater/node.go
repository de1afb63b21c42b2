package main

import (
	"context"
	"fmt"

	"connectrpc.com/connect/v2"
	"google.golang.org/protobuf/types/known/timestamppb"

	headwaterv1 "github.com/headwater-data/headwater/gen/headwater/v1"
	"github.com/headwater-data/headwater/gen/headwater/v1/headwaterv1connect"
	"github.com/headwater-data/headwater/internal/render"
)

type nodeCommand struct {
	Own  nodeOwnCommand  `cmd:"" help:"Say who owns a dataset or a job."`
	Show nodeShowCommand `cmd:"" help:"Show what is known of a dataset or a job: schema, life, owners, tags, who writes it."`
}

type nodeShowCommand struct {
	apiClient
	Namespace string `arg:"" help:"Namespace of the dataset, such as bigquery."`
	Name      string `arg:"" help:"Name of the dataset, such as shop.mart.daily_orders."`
	Job       bool   `help:"Namespace and name are those of a job."`
	At        moment `placeholder:"TIME" help:"Show what was so at this time, such as 2026-07-19T06:00:00Z. The default is now."`
	Recorded  *int64 `placeholder:"OFFSET" help:"Show what was known when the log stood at this offset."`
	JSON      bool   `help:"Print the answer of the API."`
}

// Help is shown by --help.
func (*nodeShowCommand) Help() string {
	return `For example:

  headwater node show bigquery shop.mart.daily_orders
  headwater node show bigquery shop.mart.daily_orders --at 2026-07-01
  headwater node show dbt-prod model.shop.daily_orders --job`
}

// Run prints the page.
func (c *nodeShowCommand) Run(ctx context.Context) error {
	client, err := c.dial()
	if err != nil {
		return err
	}
	request := &headwaterv1.GetNodeRequest{
		Node:       &headwaterv1.GetNodeRequest_Dataset{Dataset: &headwaterv1.Dataset{Namespace: c.Namespace, Name: c.Name}},
		RecordedAt: c.Recorded,
	}
	if c.Job {
		request.Node = &headwaterv1.GetNodeRequest_Job{Job: &headwaterv1.Job{Namespace: c.Namespace, Name: c.Name}}
	}
	if !c.At.IsZero() {
		request.ValidAt = timestamppb.New(c.At.Time)
	}
	answer, err := headwaterv1connect.NewLineageServiceClient(client).GetNode(ctx, request)
	if connect.CodeOf(err) == connect.CodeNotFound {
		return fmt.Errorf("there is no %s in namespace %s that you may see: names are written as producers report them",
			shellWord(c.Name), shellWord(c.Namespace))
	}
	if err != nil {
		return c.explain(err)
	}
	return show(answer, c.JSON, render.Node)
}

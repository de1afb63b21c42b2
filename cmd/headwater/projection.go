package main

import (
	"context"

	headwaterv1 "github.com/headwater-data/headwater/gen/headwater/v1"
	"github.com/headwater-data/headwater/gen/headwater/v1/headwaterv1connect"
	"github.com/headwater-data/headwater/internal/render"
)

// projectionCommand looks at projections: what the fold of the log gives.
type projectionCommand struct {
	List   projectionListCommand   `cmd:"" help:"List the projections, the active one first."`
	Digest projectionDigestCommand `cmd:"" help:"Hash all that a projection holds. Equal digests at one offset mean equal answers."`
}

type projectionListCommand struct {
	apiClient
	JSON bool `help:"Print the answer of the API."`
}

// Help is shown by --help.
func (*projectionListCommand) Help() string {
	return `For example:

  headwater projection list
  headwater projection list --json`
}

// Run prints one line for each projection.
func (c *projectionListCommand) Run(ctx context.Context) error {
	client, err := c.dial()
	if err != nil {
		return err
	}
	answer, err := headwaterv1connect.NewProjectionServiceClient(client).ListProjections(ctx, &headwaterv1.ListProjectionsRequest{})
	if err != nil {
		return c.explain(err)
	}
	return show(answer, c.JSON, render.Projections)
}

type projectionDigestCommand struct {
	apiClient
	Name string `placeholder:"NAME" help:"The projection; the active one unless set."`
	JSON bool   `help:"Print the answer of the API."`
}

// Help is shown by --help.
func (*projectionDigestCommand) Help() string {
	return `The history digest covers every row with its recorded times, the state digest what is believed now. For example:

  headwater projection digest
  headwater projection digest --name rebuilt`
}

// Run prints both digests and the offset at which they were taken.
func (c *projectionDigestCommand) Run(ctx context.Context) error {
	client, err := c.dial()
	if err != nil {
		return err
	}
	answer, err := headwaterv1connect.NewProjectionServiceClient(client).GetDigest(ctx, &headwaterv1.GetDigestRequest{Name: c.Name})
	if err != nil {
		return c.explain(err)
	}
	return show(answer, c.JSON, render.Digest)
}

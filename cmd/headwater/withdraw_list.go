package main

import (
	"context"

	headwaterv1 "github.com/headwater-data/headwater/gen/headwater/v1"
	"github.com/headwater-data/headwater/internal/render"
)

// withdrawListCommand lists what is out of the answers.
type withdrawListCommand struct {
	apiClient
	paging
	JSON bool `help:"Print the answer of the API."`
}

// Help is shown by --help.
func (*withdrawListCommand) Help() string {
	return `The latest withdrawal comes first. Those that were undone are not listed. For example:

  headwater withdraw list --limit 10`
}

// Run prints one page.
func (c *withdrawListCommand) Run(ctx context.Context) error {
	admin, err := c.admin()
	if err != nil {
		return err
	}
	answer, err := admin.ListWithdrawals(ctx, &headwaterv1.ListWithdrawalsRequest{PageSize: new(int32(c.Limit)), PageToken: c.Page})
	if err != nil {
		return c.explain(err)
	}
	return show(answer, c.JSON, render.Withdrawals)
}

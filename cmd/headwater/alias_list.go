package main

import (
	"context"
	"errors"
	"fmt"

	"connectrpc.com/connect/v2"

	headwaterv1 "github.com/headwater-data/headwater/gen/headwater/v1"
	"github.com/headwater-data/headwater/gen/headwater/v1/headwaterv1connect"
	"github.com/headwater-data/headwater/internal/render"
)

// aliasListCommand lists aliases, of one dataset or all.
type aliasListCommand struct {
	apiClient
	Namespace string `arg:"" optional:"" help:"Namespace of a dataset, to list its names alone."`
	Name      string `arg:"" optional:"" help:"Its name, whichever of them."`
	At        moment `placeholder:"TIME" help:"List what was so at this time, such as 2026-07-19T06:00:00Z. The default is now."`
	paging
	JSON bool `help:"Print the answer of the API."`
}

// Help is shown by --help.
func (*aliasListCommand) Help() string {
	return `Aliases come from symlinks facets, from renamings, and from people. Those that have ended are listed too. A name that was
said to stand for two datasets at one time is a conflict: what was said last rules. For example:

  headwater alias list
  headwater alias list hive://metastore:9083 shop.orders --at 2026-07-01`
}

// Run prints one page.
func (c *aliasListCommand) Run(ctx context.Context) error {
	request := &headwaterv1.ListAliasesRequest{ValidAt: timestamp(c.At.Time), PageSize: new(int32(c.Limit)), PageToken: c.Page}
	switch {
	case c.Namespace != "" && c.Name == "":
		return errors.New("a dataset has a namespace and a name; give both, or none for all aliases")
	case c.Namespace != "":
		request.Dataset = &headwaterv1.Dataset{Namespace: c.Namespace, Name: c.Name}
	}
	client, err := c.dial()
	if err != nil {
		return err
	}
	answer, err := headwaterv1connect.NewLineageServiceClient(client).ListAliases(ctx, request)
	if connect.CodeOf(err) == connect.CodeNotFound {
		return fmt.Errorf("there is no dataset %s in namespace %s that you may see", shellWord(c.Name), shellWord(c.Namespace))
	}
	if err != nil {
		return c.explain(err)
	}
	return show(answer, c.JSON, render.Aliases)
}

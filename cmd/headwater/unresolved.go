package main

import (
	"context"
	"errors"

	"connectrpc.com/connect/v2"

	headwaterv1 "github.com/headwater-data/headwater/gen/headwater/v1"
	"github.com/headwater-data/headwater/internal/render"
)

// unresolvedCommand works on the queue of names that do not have the shape of their namespace.
type unresolvedCommand struct {
	List    unresolvedListCommand    `cmd:"" help:"List the names that do not fit, and count them by namespace and sender."`
	Show    unresolvedShowCommand    `cmd:"" help:"Show which events used a name, and datasets that it may mean."`
	Dismiss unresolvedDismissCommand `cmd:"" help:"Take a name out of the queue and leave it as it is."`
}

// Help is shown by --help.
func (*unresolvedCommand) Help() string {
	return `Nothing is guessed about such a name: a person says what it means. Either it is another name of a dataset:

  headwater alias add postgres://db:5432 orders --of postgres://db:5432 shop.public.orders --reason "a short name"

or a rule makes it fit, such as a qualifier for names that lack their first parts:

  headwater namespaces plan rules.yaml

or it is right as it is:

  headwater unresolved dismiss postgres://db:5432 tmp --reason "a scratch table"`
}

type unresolvedListCommand struct {
	apiClient
	Namespace string `placeholder:"NAMESPACE" help:"Only names of this namespace."`
	Producer  string `placeholder:"NAME" help:"Only names that this producer uses."`
	Dismissed bool   `help:"List the names that were dismissed instead."`
	paging
	JSON bool `help:"Print the answer of the API."`
}

// Help is shown by --help.
func (*unresolvedListCommand) Help() string {
	return `For example:

  headwater unresolved list --namespace postgres://db:5432
  headwater unresolved list --producer spark-prod --dismissed`
}

// Run prints one page.
func (c *unresolvedListCommand) Run(ctx context.Context) error {
	admin, err := c.admin()
	if err != nil {
		return err
	}
	answer, err := admin.ListUnresolved(ctx, &headwaterv1.ListUnresolvedRequest{
		Namespace: c.Namespace, Producer: c.Producer, Dismissed: c.Dismissed, PageSize: new(int32(c.Limit)), PageToken: c.Page,
	})
	if err != nil {
		return c.explain(err)
	}
	return show(answer, c.JSON, render.Unresolved)
}

type unresolvedShowCommand struct {
	apiClient
	datasetArgs
	JSON bool `help:"Print the answer of the API."`
}

// Help is shown by --help.
func (*unresolvedShowCommand) Help() string {
	return `For example:

  headwater unresolved show postgres://db:5432 orders`
}

// Run prints all that is known of the name.
func (c *unresolvedShowCommand) Run(ctx context.Context) error {
	admin, err := c.admin()
	if err != nil {
		return err
	}
	answer, err := admin.GetUnresolved(ctx, &headwaterv1.GetUnresolvedRequest{Dataset: c.dataset()})
	if connect.CodeOf(err) == connect.CodeNotFound {
		return errors.New("no such name fails to fit: `headwater unresolved list` has those that do")
	}
	if err != nil {
		return c.explain(err)
	}
	return show(answer, c.JSON, render.UnresolvedName)
}

type unresolvedDismissCommand struct {
	stating
	datasetArgs
	Undo bool `help:"Put the name back into the queue."`
}

// Help is shown by --help.
func (*unresolvedDismissCommand) Help() string {
	return `Answers go on to mark the name. For example:

  headwater unresolved dismiss postgres://db:5432 tmp --reason "a scratch table"
  headwater unresolved dismiss postgres://db:5432 tmp --undo --reason "it is used after all"`
}

// Run states the fact.
func (c *unresolvedDismissCommand) Run(ctx context.Context) error {
	accepted, err := c.state(ctx, &headwaterv1.Fact{Fact: &headwaterv1.Fact_NameDismissed{
		NameDismissed: &headwaterv1.NameDismissed{Dataset: c.dataset(), Undone: c.Undo},
	}})
	if err != nil {
		return err
	}
	return c.recorded(accepted, "")
}

package main

import (
	"context"
	"fmt"

	headwaterv1 "github.com/headwater-data/headwater/gen/headwater/v1"
)

// nodeOwnCommand says who owns a dataset or a job.
type nodeOwnCommand struct {
	Namespace string   `arg:"" help:"Namespace of the dataset."`
	Name      string   `arg:"" help:"Name of the dataset."`
	Owner     []string `required:"" placeholder:"NAME" help:"Who to ask, such as team:data or user:jdoe. Repeatable: all owners, in place of those known before."`
	Job       bool     `help:"Namespace and name are those of a job."`
	stating
}

// Help is shown by --help.
func (*nodeOwnCommand) Help() string {
	return `It holds until somebody, or a facet of a later event, says otherwise. For example:

  headwater node own bigquery shop.mart.daily_orders --owner team:shop --reason "took it over from team:data"`
}

// Run sends the fact.
func (c *nodeOwnCommand) Run(ctx context.Context) error {
	registered := &headwaterv1.OwnerRegistered{
		Node: &headwaterv1.OwnerRegistered_Dataset{Dataset: &headwaterv1.Dataset{Namespace: c.Namespace, Name: c.Name}},
	}
	if c.Job {
		registered.Node = &headwaterv1.OwnerRegistered_Job{Job: &headwaterv1.Job{Namespace: c.Namespace, Name: c.Name}}
	}
	for _, name := range c.Owner {
		registered.Owners = append(registered.Owners, &headwaterv1.Owner{Name: name})
	}
	accepted, err := c.state(ctx, &headwaterv1.Fact{Fact: &headwaterv1.Fact_OwnerRegistered{OwnerRegistered: registered}})
	if err != nil {
		return err
	}
	return c.recorded(accepted, fmt.Sprintf("headwater node show %s %s shows it", shellWord(c.Namespace), shellWord(c.Name)))
}

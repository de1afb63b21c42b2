package main

import (
	"context"
	"fmt"

	headwaterv1 "github.com/headwater-data/headwater/gen/headwater/v1"
	"github.com/headwater-data/headwater/gen/headwater/v1/headwaterv1connect"
	"github.com/headwater-data/headwater/internal/render"
)

type runListCommand struct {
	apiClient
	Job         jobValue `placeholder:"NAMESPACE NAME" help:"Only runs of this job: two words."`
	State       []string `enum:"unknown,started,running,completed,failed,aborted" placeholder:"STATE" help:"Only runs in this state: ${enum}. Repeatable."`
	Publication []string `enum:"pending,published,diagnostic,suspect,rejected,rolled_back" placeholder:"PUBLICATION" help:"Only runs with an output that is ${enum}. Repeatable."`
	Limit       int32    `default:"50" help:"How many at most, 1 to 1000; ${default} unless set."`
	Page        string   `placeholder:"TOKEN" help:"Go on from where the page before ended; it names the token."`
	JSON        bool     `help:"Print the answer of the API."`
}

// Help is shown by --help.
func (*runListCommand) Help() string {
	return `For example, what waits for a gate or was refused by one:

  headwater run list --publication pending --publication rejected`
}

// Run prints one page.
func (c *runListCommand) Run(ctx context.Context) error {
	client, err := c.dial()
	if err != nil {
		return err
	}
	question := &headwaterv1.ListRunsRequest{Job: c.Job.job, PageSize: &c.Limit, PageToken: c.Page}
	for _, state := range c.State {
		question.States = append(question.States, headwaterv1.RunState(render.Number("RUN_STATE_", state, headwaterv1.RunState_value)))
	}
	for _, publication := range c.Publication {
		question.Publications = append(question.Publications,
			headwaterv1.Publication(render.Number("PUBLICATION_", publication, headwaterv1.Publication_value)))
	}
	answer, err := headwaterv1connect.NewRunServiceClient(client).ListRuns(ctx, question)
	if err != nil {
		return c.explain(err)
	}
	text := render.Runs(answer, terminal())
	if c.JSON {
		if text, err = render.JSON(answer); err != nil {
			return err
		}
	}
	fmt.Print(text)
	return nil
}

package main

import (
	"context"
	"errors"

	"google.golang.org/protobuf/types/known/timestamppb"

	headwaterv1 "github.com/headwater-data/headwater/gen/headwater/v1"
	"github.com/headwater-data/headwater/gen/headwater/v1/headwaterv1connect"
	"github.com/headwater-data/headwater/internal/render"
)

type runListCommand struct {
	apiClient
	Job         jobValue `placeholder:"NAMESPACE NAME" help:"Only runs of this job: two words."`
	State       []string `enum:"unknown,started,running,completed,failed,aborted" placeholder:"STATE" help:"Only runs in this state: ${enum}. Repeatable."`
	Publication []string `enum:"pending,published,diagnostic,suspect,rejected,rolled_back" placeholder:"PUBLICATION" help:"Only runs with an output that is ${enum}. Repeatable."`
	Since       moment   `placeholder:"TIME" help:"Only runs that began then or later, by the clocks of their producers: 2026-07-19, or 2026-07-19T06:00:00Z."`
	Until       moment   `placeholder:"TIME" help:"Only runs that began before."`
	Parent      string   `placeholder:"RUN" help:"Only runs that this run is the parent of, by its id."`
	ParentJob   jobValue `placeholder:"NAMESPACE NAME" help:"The parent's job: two words. Needed where runs of several jobs have its id, and for a parent of which nothing has come."`
	paging
	JSON bool `help:"Print the answer of the API."`
}

// Help is shown by --help.
func (*runListCommand) Help() string {
	return `Those that began last come first. For example, what waits for a gate or was refused by one:

  headwater run list --state completed --publication pending --publication rejected

What one job did last night, and what a run of a scheduler started:

  headwater run list --job spark-prod daily_orders --since 2026-07-18T22:00:00Z --until 2026-07-19T06:00:00Z
  headwater run list --parent 53ee3770-86fa-4cb9-8c31-a09072dd88f7`
}

// Validate implements kong's check of a command line.
func (c *runListCommand) Validate() error {
	if c.Parent == "" && c.ParentJob.job != nil {
		return errors.New("--parent-job is the job of the parent; name that run with --parent")
	}
	return nil
}

// Run prints one page.
func (c *runListCommand) Run(ctx context.Context) error {
	client, err := c.dial()
	if err != nil {
		return err
	}
	question := &headwaterv1.ListRunsRequest{Job: c.Job.job, PageSize: new(int32(c.Limit)), PageToken: c.Page}
	for _, state := range c.State {
		question.States = append(question.States, headwaterv1.RunState(render.Number("RUN_STATE_", state, headwaterv1.RunState_value)))
	}
	for _, publication := range c.Publication {
		question.Publications = append(question.Publications,
			headwaterv1.Publication(render.Number("PUBLICATION_", publication, headwaterv1.Publication_value)))
	}
	if !c.Since.IsZero() {
		question.Since = timestamppb.New(c.Since.Time)
	}
	if !c.Until.IsZero() {
		question.Until = timestamppb.New(c.Until.Time)
	}
	if c.Parent != "" {
		if question.Parent, err = c.parent(ctx, headwaterv1connect.NewRunServiceClient(client)); err != nil {
			return err
		}
	}
	answer, err := headwaterv1connect.NewRunServiceClient(client).ListRuns(ctx, question)
	if err != nil {
		return c.explain(err)
	}
	return show(answer, c.JSON, render.Runs)
}

// parent names the parent's job as well, which runs of the same id differ by.
func (c *runListCommand) parent(ctx context.Context, runs headwaterv1connect.RunServiceClient) (*headwaterv1.RunReference, error) {
	job := c.ParentJob.job
	if job == nil {
		answer, err := runs.GetRun(ctx, &headwaterv1.GetRunRequest{RunId: c.Parent})
		if err != nil {
			find := runShowCommand{apiClient: c.apiClient, RunID: c.Parent}
			return nil, find.explainRun(err)
		}
		job = answer.GetRun().GetJob()
	}
	return &headwaterv1.RunReference{RunId: c.Parent, Job: job}, nil
}

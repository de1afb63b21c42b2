package activities

import (
	"context"
	"fmt"
	"strings"

	"go.temporal.io/sdk/activity"
	"go.temporal.io/sdk/client"
	"go.temporal.io/sdk/temporal"
	"golang.org/x/sync/errgroup"

	"github.com/headwater-data/headwater/lineage"
	"github.com/headwater-data/headwater/projection"
	"github.com/headwater-data/headwater/workflows/contract"
)

// Reweighing has runs weighed again.
type Reweighing struct {
	Projections *projection.Store
	Temporal    client.Client
}

const (
	// toldAtATime bounds a page of runs, after each of which Temporal hears that the activity lives.
	toldAtATime = 200
	// tellConcurrency leaves Temporal room for the workflows that were told before.
	tellConcurrency = 4
)

// TellRuns asks the workflows of the runs that are meant to weigh them again.
func (a *Reweighing) TellRuns(ctx context.Context, input contract.Reweigh) (contract.Reweighed, error) {
	if input.RunID != "" {
		run, err := a.find(ctx, input)
		if err != nil {
			return contract.Reweighed{}, err
		}
		return contract.Reweighed{Runs: 1}, SignalRun(ctx, a.Temporal, run, 0)
	}
	filter := projection.RunFilter{Since: input.Since, Until: input.Until, Limit: toldAtATime}
	if input.Job != (lineage.JobID{}) {
		filter.Job = &input.Job
	}
	for _, name := range input.Publications {
		publication, _ := lineage.ParsePublication(name) // the workflow has validated it
		filter.Publications = append(filter.Publications, publication)
	}
	told := contract.Reweighed{}
	for {
		page, err := a.Projections.ListRuns(ctx, filter)
		if err != nil {
			return told, err
		}
		if err := a.tell(ctx, page.Runs); err != nil {
			return told, err
		}
		told.Runs += len(page.Runs)
		activity.RecordHeartbeat(ctx, told)
		if page.Next == nil {
			return told, nil
		}
		filter.Before = page.Next
	}
}

// find gives the one run that has the id, of the job where one is named.
func (a *Reweighing) find(ctx context.Context, input contract.Reweigh) (lineage.RunKey, error) {
	runID := strings.ToLower(input.RunID)
	if input.Job != (lineage.JobID{}) {
		return lineage.RunKey{Job: input.Job, RunID: runID}, nil
	}
	runs, err := a.Projections.RunKeys(ctx, runID, nil, nil)
	switch {
	case err != nil:
		return lineage.RunKey{}, err
	case len(runs) == 0:
		return lineage.RunKey{}, temporal.NewNonRetryableApplicationError("no event of run "+runID+" is in the log", contract.UnknownRun, nil)
	case len(runs) > 1:
		jobs := make([]string, len(runs))
		for i, run := range runs {
			jobs[i] = run.Job.Name + " in " + run.Job.Namespace
		}
		return lineage.RunKey{}, temporal.NewNonRetryableApplicationError(
			fmt.Sprintf(`runs of several jobs have the id %s; add the "job", one of: %s`, runID, strings.Join(jobs, ", ")), contract.RefusedInput, nil)
	}
	return runs[0], nil
}

func (a *Reweighing) tell(ctx context.Context, runs []lineage.Run) error {
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(tellConcurrency)
	for i := range runs {
		group.Go(func() error { return SignalRun(ctx, a.Temporal, runs[i].Key, 0) })
	}
	return group.Wait()
}

// SignalRun tells the workflow of a run of evidence up to an offset; 0 only has the run weighed again. It starts the workflow
// where none is running.
func SignalRun(ctx context.Context, c client.Client, run lineage.RunKey, upTo lineage.Offset) error {
	_, err := c.SignalWithStartWorkflow(ctx, contract.RunWorkflowID(run), contract.EvidenceSignal, contract.Evidence{Offset: upTo},
		client.StartWorkflowOptions{
			TaskQueue:     contract.TaskQueue,
			StaticSummary: contract.Summary(run.Job.Name + " in " + run.Job.Namespace),
		},
		contract.RunLifecycleWorkflow, contract.RunLifecycle{Run: run})
	return err
}

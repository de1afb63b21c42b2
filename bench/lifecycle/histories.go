package main

import (
	"context"
	"errors"
	"fmt"
	"time"

	"go.temporal.io/api/enums/v1"
	"go.temporal.io/api/workflow/v1"
	"go.temporal.io/api/workflowservice/v1"

	"github.com/headwater-data/headwater/bench/report"
	"github.com/headwater-data/headwater/workflows/contract"
)

// cost is what Temporal did for a run, on average over those that were looked at.
type cost struct {
	// executions of its workflow: a run that is told of more after its workflow has ended has several.
	executions  float64
	events      float64
	transitions float64
	bytes       float64
	signals     float64
	tasks       float64
	// processor is Temporal's time.
	processor time.Duration
}

func (c cost) report(section report.Section) {
	section.Note("workflow executions a run", c.executions, "")
	section.Note("history events a run", c.events, "")
	section.Note("state transitions a run", c.transitions, "")
	section.Note("bytes of history a run", c.bytes, "B")
	section.Note("signals a run", c.signals, "")
	section.Note("workflow tasks a run", c.tasks, "")
	section.Note("Temporal's processor time a run", milliseconds(c.processor), "ms")
}

// costOf looks at the histories of some of the runs.
func (b *bench) costOf(ctx context.Context, runs []int) (cost, error) {
	sample := b.sampleOf(runs)
	if len(sample) == 0 {
		return cost{}, errors.New("no run was published, so that Temporal has no history to look at")
	}
	var sum cost
	for _, run := range sample {
		if err := b.addHistories(ctx, &sum, contract.RunWorkflowID(b.Corpus.RunKey(run))); err != nil {
			return cost{}, err
		}
	}
	n := float64(len(sample))
	return cost{
		executions: sum.executions / n, events: sum.events / n, transitions: sum.transitions / n, bytes: sum.bytes / n,
		signals: sum.signals / n, tasks: sum.tasks / n,
	}, nil
}

// sampleOf draws some of the runs.
func (b *bench) sampleOf(runs []int) []int {
	sample := make([]int, 0, b.sample)
	for _, i := range b.random.Perm(len(runs)) {
		if len(sample) == b.sample {
			break
		}
		sample = append(sample, runs[i])
	}
	return sample
}

func (b *bench) addHistories(ctx context.Context, sum *cost, workflowID string) error {
	executions, err := b.executionsOf(ctx, workflowID)
	if err != nil {
		return err
	}
	for _, execution := range executions {
		sum.executions++
		sum.events += float64(execution.GetHistoryLength())
		sum.transitions += float64(execution.GetStateTransitionCount())
		sum.bytes += float64(execution.GetHistorySizeBytes())
		history := b.temporal.GetWorkflowHistory(ctx, workflowID, execution.GetExecution().GetRunId(), false, enums.HISTORY_EVENT_FILTER_TYPE_ALL_EVENT)
		for history.HasNext() {
			event, err := history.Next()
			if err != nil {
				return fmt.Errorf("read the history of %s: %w", workflowID, err)
			}
			switch event.GetEventType() {
			case enums.EVENT_TYPE_WORKFLOW_EXECUTION_SIGNALED:
				sum.signals++
			case enums.EVENT_TYPE_WORKFLOW_TASK_COMPLETED:
				sum.tasks++
			default:
			}
		}
	}
	return nil
}

// executionsOf waits until the workflow of a run has ended, as Temporal's index has it, and gives all its executions.
func (b *bench) executionsOf(ctx context.Context, workflowID string) ([]*workflow.WorkflowExecutionInfo, error) {
	const patience = 10 * time.Second
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	for {
		listed, err := b.temporal.ListWorkflow(ctx, &workflowservice.ListWorkflowExecutionsRequest{Query: fmt.Sprintf("WorkflowId = '%s'", workflowID)})
		if err != nil {
			return nil, fmt.Errorf("ask Temporal for workflow %s: %w", workflowID, err)
		}
		ended := len(listed.GetExecutions()) > 0
		for _, execution := range listed.GetExecutions() {
			ended = ended && execution.GetStatus() != enums.WORKFLOW_EXECUTION_STATUS_RUNNING
		}
		if ended {
			return listed.GetExecutions(), nil
		}
		select {
		case <-ctx.Done():
			return nil, fmt.Errorf("workflow %s has not ended within %v after its run was decided", workflowID, patience)
		case <-time.After(100 * time.Millisecond):
		}
	}
}

package worker

import (
	"context"
	"errors"
	"time"

	"go.temporal.io/api/enums/v1"
	"go.temporal.io/api/serviceerror"
	"go.temporal.io/sdk/client"
	"golang.org/x/sync/errgroup"

	"github.com/headwater-data/headwater/lineage"
	"github.com/headwater-data/headwater/projection"
	"github.com/headwater-data/headwater/workflows/contract"
)

// resumePage bounds how many unsettled runs are looked at before their workflows are asked for.
const resumePage = 500

// resume starts the workflows that undecided runs lack: Temporal's state may have been lost or set back, or a person
// has ended one. Runs that the dispatch cursor has not reached are left to it.
func (d *dispatcher) resume(ctx context.Context) error {
	began, resumed := time.Now(), 0
	for after := lineage.Offset(0); ; {
		undecided, last, err := d.projections.Unsettled(ctx, after, resumePage)
		if err != nil {
			return err
		}
		if last == after {
			break
		}
		after = last
		lost, err := d.withoutWorkflow(ctx, undecided)
		if err != nil {
			return err
		}
		if err := d.signalAll(ctx, lost); err != nil {
			return err
		}
		resumed += len(lost)
	}
	d.metrics.resumedRuns.Add(float64(resumed))
	if resumed > 0 {
		d.logger.InfoContext(ctx, "undecided runs had no workflow and were given one", "runs", resumed, "took", time.Since(began))
	}
	return nil
}

// withoutWorkflow returns the runs for which no workflow is running.
func (d *dispatcher) withoutWorkflow(ctx context.Context, runs []projection.RunEvidence) ([]projection.RunEvidence, error) {
	isLost := make([]bool, len(runs))
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(dispatchConcurrency)
	for i, run := range runs {
		group.Go(func() error {
			running, err := isRunning(ctx, d.client, contract.RunWorkflowID(run.Run))
			isLost[i] = !running
			return err
		})
	}
	if err := group.Wait(); err != nil {
		return nil, err
	}
	var lost []projection.RunEvidence
	for i, run := range runs {
		if isLost[i] {
			lost = append(lost, run)
		}
	}
	return lost, nil
}

func isRunning(ctx context.Context, temporal client.Client, workflowID string) (bool, error) {
	described, err := temporal.DescribeWorkflow(ctx, workflowID, "")
	if _, unknown := errors.AsType[*serviceerror.NotFound](err); unknown {
		return false, nil
	}
	return err == nil && described.Status == enums.WORKFLOW_EXECUTION_STATUS_RUNNING, err
}

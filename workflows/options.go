package workflows

import (
	"errors"
	"slices"
	"time"

	"go.temporal.io/sdk/temporal"
	"go.temporal.io/sdk/workflow"

	"github.com/headwater-data/headwater/workflows/contract"
)

// finalErrors are the types of error that repeating does not help.
var finalErrors = []string{contract.RefusedInput, contract.UnknownRun, contract.UnknownOutput, contract.ContradictedDecision}

// final reports whether an activity failed for good, or was cancelled.
func final(err error) bool {
	failed, ok := errors.AsType[*temporal.ApplicationError](err)
	return ok && slices.Contains(finalErrors, failed.Type()) || temporal.IsCanceledError(err)
}

// A failure passes: a database restarts, the projection is a little behind. So activities are repeated for ever, ever
// more slowly, and the Temporal UI shows the last error meanwhile.
func retryForever() *temporal.RetryPolicy {
	return &temporal.RetryPolicy{
		InitialInterval:        100 * time.Millisecond,
		BackoffCoefficient:     2,
		MaximumInterval:        30 * time.Second,
		NonRetryableErrorTypes: finalErrors,
	}
}

// inline is for an activity that runs within the workflow's task, which it must not keep waiting.
func inline(ctx workflow.Context, summary string) workflow.Context {
	return workflow.WithLocalActivityOptions(ctx, workflow.LocalActivityOptions{
		StartToCloseTimeout: 5 * time.Second,
		RetryPolicy: &temporal.RetryPolicy{
			InitialInterval:        100 * time.Millisecond,
			BackoffCoefficient:     2,
			MaximumAttempts:        3,
			NonRetryableErrorTypes: finalErrors,
		},
		Summary: contract.Summary(summary),
	})
}

// quick is for activities of a few statements.
func quick(ctx workflow.Context, summary string) workflow.Context {
	return workflow.WithActivityOptions(ctx, workflow.ActivityOptions{
		StartToCloseTimeout: 30 * time.Second,
		RetryPolicy:         retryForever(),
		Summary:             contract.Summary(summary),
	})
}

// long is for activities that tell by heartbeats that they live. One whose worker died is begun again soon after.
func long(ctx workflow.Context, summary string) workflow.Context {
	return workflow.WithActivityOptions(ctx, workflow.ActivityOptions{
		StartToCloseTimeout: 6 * time.Hour,
		HeartbeatTimeout:    30 * time.Second,
		WaitForCancellation: true,
		RetryPolicy:         retryForever(),
		Summary:             contract.Summary(summary),
	})
}

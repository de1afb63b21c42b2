package workflows

import (
	"time"

	"go.temporal.io/sdk/temporal"
	"go.temporal.io/sdk/workflow"

	"github.com/headwater-data/headwater/workflows/contract"
)

// A failure passes: a database restarts, the projection is a little behind. So activities are repeated for ever, ever
// more slowly, and the Temporal UI shows the last error meanwhile. What repeating does not help is listed.
func retryForever() *temporal.RetryPolicy {
	return &temporal.RetryPolicy{
		InitialInterval:        100 * time.Millisecond,
		BackoffCoefficient:     2,
		MaximumInterval:        30 * time.Second,
		NonRetryableErrorTypes: []string{contract.RefusedInput, contract.UnknownRun, contract.ContradictedDecision},
	}
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

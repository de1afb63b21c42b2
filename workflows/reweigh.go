package workflows

import (
	"fmt"

	"go.temporal.io/sdk/temporal"
	"go.temporal.io/sdk/workflow"

	"github.com/headwater-data/headwater/workflows/contract"
)

// Reweigh has runs weighed again. It ends when their workflows were told; they decide.
func Reweigh(ctx workflow.Context, input contract.Reweigh) (contract.Reweighed, error) {
	var told contract.Reweighed
	if err := input.Validate(); err != nil {
		return told, temporal.NewNonRetryableApplicationError(err.Error(), contract.RefusedInput, nil)
	}
	ctx = long(ctx, "have weighed again: "+input.String())
	if err := workflow.ExecuteActivity(ctx, contract.TellRunsActivity, input).Get(ctx, &told); err != nil {
		return told, err
	}
	workflow.SetCurrentDetails(ctx, fmt.Sprintf("Runs that are weighed again under the policies of now: %d. Each has a workflow that says what comes of it.", told.Runs))
	return told, nil
}

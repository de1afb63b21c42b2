package workflows

import (
	"errors"
	"fmt"

	"go.temporal.io/sdk/workflow"

	"github.com/headwater-data/headwater/workflows/contract"
)

// listen takes verdicts as updates and as signals. An update that does not count is refused; a signal cannot be, so
// the page says why it did not count.
func (r *replay) listen(ctx workflow.Context) error {
	const shape = ` Input: {"by": "who decides", "reason": "why"}.`
	for _, verdict := range []struct {
		name        string
		approve     bool
		description string
	}{
		{contract.ApproveUpdate, true, "Readers see the new projection from now on." + shape},
		{contract.RejectUpdate, false, "Readers stay; the new projection is given up." + shape},
	} {
		err := workflow.SetUpdateHandlerWithOptions(ctx, verdict.name,
			func(ctx workflow.Context, given contract.Verdict) (contract.ReplayProgress, error) {
				r.accept(ctx, verdict.approve, given)
				return r.progress, nil
			},
			workflow.UpdateHandlerOptions{
				Validator:   func(given contract.Verdict) error { return r.objection(verdict.approve, given) },
				Description: verdict.description,
			})
		if err != nil {
			return err
		}
		signals := workflow.GetSignalChannelWithOptions(ctx, verdict.name,
			workflow.SignalChannelOptions{Description: verdict.description})
		workflow.Go(ctx, func(ctx workflow.Context) { r.take(ctx, signals, verdict.approve) })
	}
	return nil
}

// take accepts the signals of one name until the workflow ends.
func (r *replay) take(ctx workflow.Context, signals workflow.ReceiveChannel, approve bool) {
	for {
		var given contract.Verdict
		signals.Receive(ctx, &given)
		if objection := r.objection(approve, given); objection != nil {
			r.progress.Note = objection.Error()
			r.show(ctx)
			continue
		}
		r.accept(ctx, approve, given)
	}
}

func (r *replay) accept(ctx workflow.Context, approve bool, given contract.Verdict) {
	r.approved, r.progress.Verdict, r.progress.Note = approve, &given, ""
	r.show(ctx)
}

// objection says why a verdict does not count, if so.
func (r *replay) objection(approve bool, given contract.Verdict) error {
	switch {
	case given.By == "":
		return errors.New(`the verdict does not say who gives it; send {"by": "your name", "reason": "…"}`)
	case r.progress.Verdict != nil:
		return fmt.Errorf("%s has decided already", r.progress.Verdict.By)
	case r.progress.Step != contract.AwaitingApproval:
		return fmt.Errorf("the replay is %s; it takes a verdict once it is %s", r.progress.Step, contract.AwaitingApproval)
	case approve && !r.progress.Comparison.Approvable():
		return errors.New("the shadow differs from the live projection in more than other name rules explain, so it cannot be approved; reject it")
	default:
		return nil
	}
}

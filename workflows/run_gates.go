package workflows

import (
	"fmt"
	"slices"
	"strings"

	"go.temporal.io/sdk/workflow"

	"github.com/headwater-data/headwater/lineage"
	"github.com/headwater-data/headwater/workflows/contract"
)

// takeAnswers lets a person answer a gate. The answer goes into the log, and the run is weighed with it.
func (r *run) takeAnswers(ctx workflow.Context) error {
	return workflow.SetUpdateHandlerWithOptions(ctx, contract.AnswerGateUpdate, r.answer, workflow.UpdateHandlerOptions{
		Validator: r.objection,
		Description: `Answer a gate by hand. Input: {"output": {"namespace": "…", "name": "…"}, "gate": "quality", "passed": true, ` +
			`"by": "your name", "reason": "why"}. The gate "validation" can be answered at any time.`,
	})
}

// answer records an answer. One that comes before the first weighing, of a workflow that has just begun or continued, waits for it:
// what the run waits for is not known until then.
func (r *run) answer(ctx workflow.Context, given contract.GateAnswer) (contract.MarkedOutput, error) {
	if !r.known() {
		if err := workflow.Await(ctx, r.known); err != nil {
			return contract.MarkedOutput{}, err
		}
		if objection := r.objection(given); objection != nil {
			return contract.MarkedOutput{}, objection
		}
	}
	marking := contract.Marking{Run: r.key, Marker: given.Marker(workflow.Now(ctx))}
	var marked contract.MarkedOutput
	err := workflow.ExecuteActivity(quick(ctx, marking.String()), contract.MarkOutputActivity, marking).Get(ctx, &marked)
	if err == nil {
		r.signalled = max(r.signalled, marked.Offset)
	}
	return marked, err
}

// known reports whether the run has been weighed.
func (r *run) known() bool { return r.weighed.State != "" }

// objection says why an answer does not count, if so.
func (r *run) objection(given contract.GateAnswer) error {
	if err := given.Validate(); err != nil {
		return err
	}
	if !r.known() || given.Gate == lineage.ValidationGate || slices.Contains(r.weighed.Gates, given.Gate) {
		return nil
	}
	if len(r.weighed.Gates) == 0 {
		return fmt.Errorf("the run waits for no gate; only %q can be answered now", lineage.ValidationGate)
	}
	return fmt.Errorf("the run does not wait for the gate %q, but for %s", given.Gate, strings.Join(r.weighed.Gates, ", "))
}

// finishAnswers lets the answers under way reach the log, so that none is lost by the end of the workflow.
func (r *run) finishAnswers(ctx workflow.Context) error {
	return workflow.Await(ctx, func() bool { return workflow.AllHandlersFinished(ctx) })
}

// timeOut records that the time to wait is over. That is evidence like any other.
func (r *run) timeOut(ctx workflow.Context) error {
	timeout := contract.GateTimeout{Run: r.key, Deadline: r.weighed.Deadline}
	var marked contract.MarkedOutput
	err := workflow.ExecuteActivity(quick(ctx, "the time to wait for gates is over"), contract.TimeOutGatesActivity, timeout).Get(ctx, &marked)
	r.signalled = max(r.signalled, marked.Offset)
	return err
}

package workflows

import (
	"fmt"
	"time"

	"go.temporal.io/sdk/temporal"
	"go.temporal.io/sdk/workflow"

	"github.com/headwater-data/headwater/workflows/contract"
)

// foldingSlice is how long a fold goes on before it reports, so that a person sees it move.
const foldingSlice = 20 * time.Second

// Replay builds a shadow projection from archive and log, compares it with the one that readers see, and moves the
// readers if a person approves. How far the folds got stands with the shadow, not here: a replay that is started
// again with a shadow half built goes on from there.
func Replay(ctx workflow.Context, input contract.Replay) (contract.ReplayResult, error) {
	if err := input.Validate(); err != nil {
		return contract.ReplayResult{}, temporal.NewNonRetryableApplicationError(err.Error(), contract.RefusedInput, nil)
	}
	r, err := newReplay(ctx, input)
	if err != nil {
		return contract.ReplayResult{}, err
	}
	result, err := r.run(ctx)
	if temporal.IsCanceledError(err) {
		// The shadow must not follow the log for ever on behalf of a replay that nobody continues.
		disconnected, _ := workflow.NewDisconnectedContext(ctx)
		if retireErr := r.retire(disconnected); retireErr != nil {
			return result, retireErr
		}
	}
	return result, err
}

// replay is the state of one Replay. Its own coroutine takes the steps; the handlers of verdicts only set the verdict.
type replay struct {
	input    contract.Replay
	progress contract.ReplayProgress
	approved bool
}

func newReplay(ctx workflow.Context, input contract.Replay) (*replay, error) {
	r := &replay{input: input}
	err := workflow.SetQueryHandlerWithOptions(ctx, contract.ProgressQuery,
		func() (contract.ReplayProgress, error) { return r.progress, nil },
		workflow.QueryHandlerOptions{Description: "How far the replay is, and what the comparison found."})
	if err != nil {
		return nil, err
	}
	return r, r.listen(ctx)
}

func (r *replay) run(ctx workflow.Context) (contract.ReplayResult, error) {
	if err := r.build(ctx); err != nil {
		return contract.ReplayResult{}, err
	}
	if err := r.compare(ctx); err != nil {
		return contract.ReplayResult{}, err
	}
	r.enter(ctx, contract.AwaitingApproval)
	if err := workflow.Await(ctx, func() bool { return r.progress.Verdict != nil }); err != nil {
		return contract.ReplayResult{}, err
	}
	if r.approved {
		return r.switchReaders(ctx)
	}
	return r.reject(ctx)
}

// build folds all that there is to fold into the shadow.
func (r *replay) build(ctx workflow.Context) error {
	r.enter(ctx, contract.CreatingShadow)
	if err := r.execute(quick(ctx, "create the shadow"), contract.CreateShadowActivity, nil); err != nil {
		return err
	}
	r.enter(ctx, contract.FoldingArchive)
	if err := r.fold(ctx, contract.FoldArchiveActivity, &r.progress.Archive); err != nil {
		return err
	}
	r.enter(ctx, contract.FoldingTail)
	return r.fold(ctx, contract.FoldTailActivity, &r.progress.Tail)
}

// fold folds in slices until nothing is left.
func (r *replay) fold(ctx workflow.Context, activity string, folded **contract.Folded) error {
	for *folded == nil || !(*folded).Done() {
		if workflow.GetInfo(ctx).GetContinueAsNewSuggested() {
			return workflow.NewContinueAsNewError(ctx, contract.ReplayWorkflow, r.input)
		}
		next := &contract.Folded{}
		if err := r.execute(long(ctx, string(r.progress.Step)), activity, next); err != nil {
			return err
		}
		*folded = next
		r.show(ctx)
	}
	return nil
}

// compare leaves the shadow following the log, so that it is up to date when a person has made up their mind.
func (r *replay) compare(ctx workflow.Context) error {
	r.enter(ctx, contract.Comparing)
	comparison := &contract.Comparison{}
	if err := r.execute(long(ctx, "compare"), contract.CompareActivity, comparison); err != nil {
		return err
	}
	r.progress.Comparison = comparison
	return r.execute(quick(ctx, "follow the log"), contract.CatchUpActivity, nil)
}

func (r *replay) switchReaders(ctx workflow.Context) (contract.ReplayResult, error) {
	r.enter(ctx, contract.SwitchingReaders)
	var change contract.Switch
	if err := r.execute(long(ctx, "switch readers"), contract.SwitchReadersActivity, &change); err != nil {
		return contract.ReplayResult{}, err
	}
	return r.conclude(ctx, contract.Switched, change.From), nil
}

func (r *replay) reject(ctx workflow.Context) (contract.ReplayResult, error) {
	if err := r.retire(ctx); err != nil {
		return contract.ReplayResult{}, err
	}
	return r.conclude(ctx, contract.Rejected, ""), nil
}

func (r *replay) conclude(ctx workflow.Context, outcome contract.ReplayStep, replaced string) contract.ReplayResult {
	r.enter(ctx, outcome)
	return contract.ReplayResult{
		Outcome: outcome, Verdict: *r.progress.Verdict, Comparison: *r.progress.Comparison, Replaced: replaced,
	}
}

func (r *replay) retire(ctx workflow.Context) error {
	return r.execute(quick(ctx, "retire the shadow"), contract.RetireShadowActivity, nil)
}

// enter begins a step.
func (r *replay) enter(ctx workflow.Context, step contract.ReplayStep) {
	r.progress.Step = step
	r.show(ctx)
}

func (r *replay) show(ctx workflow.Context) { workflow.SetCurrentDetails(ctx, r.page()) }

func (r *replay) execute(ctx workflow.Context, activity string, result any) error {
	shadow := contract.Shadow{Name: r.input.Name, NameRules: r.input.NameRules, Slice: foldingSlice}
	if err := workflow.ExecuteActivity(ctx, activity, shadow).Get(ctx, result); err != nil {
		return fmt.Errorf("%s: %w", activity, err)
	}
	return nil
}

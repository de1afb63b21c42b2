package workflows

import (
	"fmt"
	"slices"
	"time"

	"go.temporal.io/sdk/temporal"
	"go.temporal.io/sdk/workflow"

	"github.com/headwater-data/headwater/lineage"
	"github.com/headwater-data/headwater/workflows/contract"
)

// maxSignals is after how many signals a run's workflow continues as new, well before Temporal refuses more.
const maxSignals = 2000

// RunLifecycle follows one run: whenever evidence came, it has the run weighed. The decisions go into the log; here
// stays only what a person wants to see of the run.
func RunLifecycle(ctx workflow.Context, input contract.RunLifecycle) error {
	r, err := newRun(ctx, input)
	if err != nil {
		return err
	}
	for {
		r.drain()
		if err := r.weigh(ctx); err != nil {
			return err
		}
		if err := r.show(ctx); err != nil {
			return err
		}
		if err := r.linger(ctx); err != nil {
			return err
		}
		if err := r.finishAnswers(ctx); err != nil {
			return err
		}
		if r.over() {
			return nil
		}
		if r.long(ctx) {
			r.drain()
			return workflow.NewContinueAsNewError(ctx, contract.RunLifecycleWorkflow,
				contract.RunLifecycle{Run: r.key, Evidence: r.signalled})
		}
		if err := r.await(ctx); err != nil {
			return err
		}
	}
}

// run is the state of one RunLifecycle. One coroutine owns it.
type run struct {
	key      lineage.RunKey
	evidence workflow.ReceiveChannel
	// signals counts those taken from evidence; signalled is the greatest offset that they told.
	signals   int
	signalled lineage.Offset
	// upTo is the offset up to which the evidence was weighed last.
	upTo    lineage.Offset
	weighed contract.Weighed
	// shown are the search attributes as they were last set.
	shown attributes
}

type attributes struct {
	state, publication string
	gates              []string
}

func newRun(ctx workflow.Context, input contract.RunLifecycle) (*run, error) {
	if err := input.Validate(); err != nil {
		return nil, temporal.NewNonRetryableApplicationError(err.Error(), contract.RefusedInput, nil)
	}
	r := &run{key: input.Run, signalled: input.Evidence}
	r.evidence = workflow.GetSignalChannelWithOptions(ctx, contract.EvidenceSignal, workflow.SignalChannelOptions{
		Description: `Events of the run came. Input: {"offset": N}, the log offset of the latest. ` +
			`{"offset": 0} only has the run weighed again, under the policies of now.`,
	})
	err := workflow.SetQueryHandlerWithOptions(ctx, contract.WaitingForQuery,
		func() (contract.WaitingFor, error) {
			return contract.WaitingFor{For: r.waitingFor(), Signalled: r.signalled, Weighed: r.weighed}, nil
		},
		workflow.QueryHandlerOptions{Description: "What the run waits for, and what was found when it was last weighed."})
	if err != nil {
		return nil, err
	}
	return r, r.takeAnswers(ctx)
}

// over is the one reason to end: nothing is left to decide, and no evidence waits. A signal that comes while the end is
// under way makes Temporal refuse the end and ask again.
func (r *run) over() bool { return r.weighed.Settled && !r.hasEvidence() }

// hasEvidence reports that something came that has not been weighed: by a signal, or by an answer given here.
func (r *run) hasEvidence() bool { return r.evidence.Len() > 0 || r.signalled > r.upTo }

// long reports that the history has become so long that a fresh one should begin.
func (r *run) long(ctx workflow.Context) bool {
	return r.signals >= maxSignals || workflow.GetInfo(ctx).GetContinueAsNewSuggested()
}

// await waits until there is evidence, or until the time to wait for gates is over. It fails when a person cancels the
// workflow; later evidence starts another.
func (r *run) await(ctx workflow.Context) error {
	if r.weighed.Deadline.IsZero() {
		return workflow.Await(ctx, r.hasEvidence)
	}
	if came, err := r.awaitUntil(ctx, r.weighed.Deadline, "wait for "+r.awaitedGates()); came || err != nil {
		return err
	}
	return r.timeOut(ctx)
}

// linger keeps the workflow of a settled run for evidence that comes late, as long as the worker is told to: that
// evidence then costs a weighing, and no workflow of its own.
func (r *run) linger(ctx workflow.Context) error {
	if !r.weighed.Settled {
		return nil
	}
	_, err := r.awaitUntil(ctx, r.weighed.OpenUntil, "stay for late evidence")
	return err
}

// awaitUntil waits for evidence, and reports whether it came in time. The Temporal UI shows the summary on the timer.
func (r *run) awaitUntil(ctx workflow.Context, end time.Time, summary string) (came bool, err error) {
	rest := end.Sub(workflow.Now(ctx))
	if rest <= 0 {
		return false, nil
	}
	return workflow.AwaitWithOptions(ctx, workflow.AwaitOptions{
		Timeout: rest, TimerOptions: workflow.TimerOptions{Summary: contract.Summary(summary)},
	}, r.hasEvidence)
}

// drain takes the signals that wait, so that a burst is weighed once.
func (r *run) drain() {
	for {
		var evidence contract.Evidence
		if !r.evidence.ReceiveAsync(&evidence) {
			return
		}
		r.take(evidence)
	}
}

func (r *run) take(evidence contract.Evidence) {
	r.signals++
	r.signalled = max(r.signalled, evidence.Offset)
}

// weigh has the run weighed within the workflow's own task, which costs Temporal half as much as a scheduled activity.
// What fails there is scheduled, so that the Temporal UI shows the error, and tried again for ever.
//
// It also asks that the last decision be folded, so that the next is held against it and not against an older one.
func (r *run) weigh(ctx workflow.Context) error {
	weighing := contract.Weighing{Run: r.key, UpTo: max(r.signalled, r.weighed.Decided)}
	summary := fmt.Sprintf("weigh the evidence up to offset %d", weighing.UpTo)
	var weighed contract.Weighed
	err := workflow.ExecuteLocalActivity(inline(ctx, summary), contract.WeighRunActivity, weighing).Get(ctx, &weighed)
	if err != nil && !final(err) {
		err = workflow.ExecuteActivity(quick(ctx, summary), contract.WeighRunActivity, weighing).Get(ctx, &weighed)
	}
	if err != nil {
		return err
	}
	r.weighed, r.upTo = weighed, weighing.UpTo
	return nil
}

// show brings the page of the workflow and its search attributes up to date. An attribute that has not changed is
// left alone: each change is an event in the history and a write to the index.
func (r *run) show(ctx workflow.Context) error {
	workflow.SetCurrentDetails(ctx, r.page())
	now := attributes{r.weighed.State, sharedPublication(r.weighed.Outputs), r.weighed.Gates}
	var updates []temporal.SearchAttributeUpdate
	if r.shown.state == "" {
		updates = append(updates,
			contract.JobAttribute.ValueSet(contract.Keyword(r.key.Job.Name)),
			contract.NamespaceAttribute.ValueSet(contract.Keyword(r.key.Job.Namespace)))
	}
	if now.state != r.shown.state {
		updates = append(updates, contract.RunStateAttribute.ValueSet(now.state))
	}
	if now.publication != r.shown.publication {
		updates = append(updates, contract.PublicationAttribute.ValueSet(now.publication))
	}
	if !slices.Equal(now.gates, r.shown.gates) && (len(updates) > 0 || showsGatesAlone(ctx)) {
		updates = append(updates, gatesUpdate(now.gates))
	}
	r.shown = now
	if len(updates) == 0 {
		return nil
	}
	return workflow.UpsertTypedSearchAttributes(ctx, updates...)
}

// showsGatesAlone keeps to their histories those workflows that began before gates were searched for.
func showsGatesAlone(ctx workflow.Context) bool {
	return workflow.GetVersion(ctx, "gates", workflow.DefaultVersion, 1) > workflow.DefaultVersion
}

func gatesUpdate(gates []string) temporal.SearchAttributeUpdate {
	if len(gates) == 0 {
		return contract.GatesAttribute.ValueUnset()
	}
	keywords := make([]string, len(gates))
	for i, gate := range gates {
		keywords[i] = contract.Keyword(gate)
	}
	return contract.GatesAttribute.ValueSet(keywords)
}

// sharedPublication is empty for a run without outputs.
func sharedPublication(outputs []contract.OutputCount) string {
	switch len(outputs) {
	case 0:
		return ""
	case 1:
		return outputs[0].Publication
	default:
		return contract.MixedPublication
	}
}

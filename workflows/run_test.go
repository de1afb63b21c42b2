package workflows_test

import (
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"go.temporal.io/sdk/converter"
	"go.temporal.io/sdk/temporal"
	"go.temporal.io/sdk/workflow"

	"github.com/headwater-data/headwater/lineage"
	"github.com/headwater-data/headwater/workflows/contract"
)

var dailyOrders = lineage.RunKey{
	Job:   lineage.JobID{Namespace: "spark-prod", Name: "daily_orders"},
	RunID: "53ee3770-86fa-4cb9-8c31-a09072dd88f7",
}

var (
	started = contract.Weighed{
		State: "STARTED", Outputs: []contract.OutputCount{{Publication: "pending", Outputs: 1}},
	}
	completed = contract.Weighed{
		State: "COMPLETED", Outputs: []contract.OutputCount{{Publication: "published", Outputs: 1}}, Settled: true,
	}
)

// scriptWeighing lets the weighings of a run come out one after the other, and records what was asked.
func scriptWeighing(registry activities, outcomes ...contract.Weighed) *[]contract.Weighing {
	asked := &[]contract.Weighing{}
	script(registry, contract.WeighRunActivity, func(weighing contract.Weighing) (contract.Weighed, error) {
		outcome := outcomes[min(len(*asked), len(outcomes)-1)]
		*asked = append(*asked, weighing)
		return outcome, nil
	})
	return asked
}

func (b *bundle) signal(offset lineage.Offset) {
	b.SignalWorkflow(contract.EvidenceSignal, contract.Evidence{Offset: offset})
}

func (b *bundle) runLifecycle(key lineage.RunKey) {
	b.ExecuteWorkflow(contract.RunLifecycleWorkflow, contract.RunLifecycle{Run: key})
}

func TestRunEndsWhenSettled(t *testing.T) {
	b := setup(t)
	asked := scriptWeighing(b, started, completed)
	b.after(0, func() { b.signal(1) })
	b.after(time.Hour, func() {
		waiting := query[contract.WaitingFor](b, contract.WaitingForQuery)
		require.Equal(t, "the end of the run", waiting.For)
		b.signal(7)
	})
	b.runLifecycle(dailyOrders)

	require.NoError(t, b.GetWorkflowError())
	require.Equal(t, []contract.Weighing{{Run: dailyOrders, UpTo: 1}, {Run: dailyOrders, UpTo: 7}}, *asked)
	require.Contains(t, b.page(), "1 published")
	require.Contains(t, b.page(), "nothing: everything is decided")
}

func TestBurstIsWeighedOnce(t *testing.T) {
	b := setup(t)
	asked := scriptWeighing(b, started, completed)
	b.after(time.Minute, func() {
		for offset := range lineage.Offset(100) {
			b.SignalWorkflowSkippingWorkflowTask(contract.EvidenceSignal, contract.Evidence{Offset: offset})
		}
		b.signal(100)
	})
	b.runLifecycle(dailyOrders)

	require.NoError(t, b.GetWorkflowError())
	require.Equal(t, []contract.Weighing{{Run: dailyOrders}, {Run: dailyOrders, UpTo: 100}}, *asked)
}

func TestEvidenceDuringTheLastWeighingIsWeighed(t *testing.T) {
	b := setup(t)
	weighings := 0
	script(b, contract.WeighRunActivity, func(contract.Weighing) (contract.Weighed, error) {
		if weighings++; weighings == 1 {
			b.signal(9) // while Temporal waits for this activity
		}
		return completed, nil
	})
	b.runLifecycle(dailyOrders)

	require.NoError(t, b.GetWorkflowError())
	require.Equal(t, 2, weighings)
}

func TestWeighingWaitsForTheDecisionBefore(t *testing.T) {
	b := setup(t)
	decided := started
	decided.Decided = 12
	asked := scriptWeighing(b, decided, completed)
	b.after(time.Minute, func() { b.signal(11) })
	b.runLifecycle(dailyOrders)

	require.NoError(t, b.GetWorkflowError())
	require.Equal(t, lineage.Offset(12), (*asked)[1].UpTo)
}

func TestStreamingRunStaysOpen(t *testing.T) {
	b := setup(t)
	scriptWeighing(b, contract.Weighed{
		State: "RUNNING", Continuous: true, Outputs: []contract.OutputCount{{Publication: "published", Outputs: 1}},
	})
	b.after(365*24*time.Hour, func() {
		require.False(t, b.IsWorkflowCompleted())
		require.Contains(t, query[contract.WaitingFor](b, contract.WaitingForQuery).For, "no natural end")
		b.CancelWorkflow()
	})
	b.runLifecycle(dailyOrders)
	require.True(t, temporal.IsCanceledError(b.GetWorkflowError()))
}

func TestRunWaitsForItsGates(t *testing.T) {
	b := setup(t)
	scriptWeighing(b, contract.Weighed{
		State: "COMPLETED", Outputs: []contract.OutputCount{{Publication: "pending", Outputs: 2}}, Gates: []string{"commit", "quality"},
	}, completed)
	b.after(time.Hour, func() {
		require.Equal(t, "the gates commit, quality", query[contract.WaitingFor](b, contract.WaitingForQuery).For)
		b.signal(3)
	})
	b.runLifecycle(dailyOrders)
	require.NoError(t, b.GetWorkflowError())
}

func TestLongHistoryContinuesAsNewWithWhatWasSignalled(t *testing.T) {
	b := setup(t)
	scriptWeighing(b, started)
	b.SetContinueAsNewSuggested(true)
	b.after(0, func() { b.signal(41) })
	b.runLifecycle(dailyOrders)

	again, ok := errors.AsType[*workflow.ContinueAsNewError](b.GetWorkflowError())
	require.True(t, ok)
	var input contract.RunLifecycle
	require.NoError(t, converter.GetDefaultDataConverter().FromPayloads(again.Input, &input))
	require.Equal(t, contract.RunLifecycle{Run: dailyOrders, Evidence: 41}, input)
}

func TestProjectionLagIsWaitedFor(t *testing.T) {
	b := setup(t)
	attempts := 0
	script(b, contract.WeighRunActivity, func(contract.Weighing) (contract.Weighed, error) {
		if attempts++; attempts < 5 {
			return contract.Weighed{}, errors.New("the projection is behind")
		}
		return completed, nil
	})
	b.runLifecycle(dailyOrders)
	require.NoError(t, b.GetWorkflowError())
	require.Equal(t, 5, attempts)
}

func TestUnknownRunFailsAtOnce(t *testing.T) {
	b := setup(t)
	attempts := 0
	script(b, contract.WeighRunActivity, func(contract.Weighing) (contract.Weighed, error) {
		attempts++
		return contract.Weighed{}, temporal.NewApplicationError("no event of the run is in the log", contract.UnknownRun)
	})
	b.runLifecycle(dailyOrders)
	require.ErrorContains(t, b.GetWorkflowError(), "no event of the run is in the log")
	require.Equal(t, 1, attempts)
}

func TestNamesOfProducersDoNotMarkUpThePage(t *testing.T) {
	b := setup(t)
	scriptWeighing(b, completed)
	b.runLifecycle(lineage.RunKey{
		Job:   lineage.JobID{Namespace: "a|b", Name: "`<img src=x>`\n# " + strings.Repeat("ö", 5000)},
		RunID: "run",
	})
	require.NoError(t, b.GetWorkflowError())
	require.Contains(t, b.page(), "| **Job** | `'<img src=x>' # ö")
	require.Contains(t, b.page(), "in `a\\|b` |\n")
}

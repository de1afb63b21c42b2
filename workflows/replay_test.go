package workflows_test

import (
	"errors"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"go.temporal.io/sdk/temporal"
	"go.temporal.io/sdk/testsuite"
	"go.temporal.io/sdk/workflow"

	"github.com/headwater-data/headwater/lineage"
	"github.com/headwater-data/headwater/workflows/contract"
)

var fixedMapping = contract.Replay{Name: "fixed-mapping", Reason: "orders were mapped wrongly"}

var alice = contract.Verdict{By: "alice", Reason: "the digests agree"}

func compared(equal bool) contract.Comparison {
	comparison := contract.Comparison{
		At:     lineage.Position{Epoch: 1, Offset: 90},
		Live:   contract.Digests{Projection: "main", Resolver: "1", State: "5a", History: "e1"},
		Shadow: contract.Digests{Projection: "fixed-mapping", Resolver: "1", State: "5a", History: "e1"},
		Tables: []contract.TableComparison{{Table: "write", LiveRows: 12, ShadowRows: 12, Equal: equal}},
	}
	if !equal {
		comparison.Shadow.History = "ff"
		comparison.Tables[0].ShadowRows = 11
	}
	return comparison
}

// scriptReplay scripts the activities of a replay, and records which of them ran.
func scriptReplay(registry activities, comparison contract.Comparison) *[]string {
	done := &[]string{}
	note := func(name string) { *done = append(*done, name) }
	for _, name := range []string{contract.CreateShadowActivity, contract.CatchUpActivity, contract.RetireShadowActivity} {
		script(registry, name, func(contract.Shadow) (struct{}, error) { note(name); return struct{}{}, nil })
	}
	cursor := lineage.Offset(0)
	script(registry, contract.FoldArchiveActivity, func(contract.Shadow) (contract.Folded, error) {
		note(contract.FoldArchiveActivity)
		cursor += 30
		return contract.Folded{Cursor: cursor, Goal: 60}, nil
	})
	script(registry, contract.FoldTailActivity, func(contract.Shadow) (contract.Folded, error) {
		note(contract.FoldTailActivity)
		return contract.Folded{Cursor: 85, Goal: 85}, nil
	})
	script(registry, contract.CompareActivity, func(contract.Shadow) (contract.Comparison, error) {
		note(contract.CompareActivity)
		return comparison, nil
	})
	script(registry, contract.SwitchReadersActivity, func(shadow contract.Shadow) (contract.Switch, error) {
		note(contract.SwitchReadersActivity)
		return contract.Switch{From: "main", To: shadow.Name}, nil
	})
	return done
}

// answer is what became of an update; known once the workflow had its turn.
type answer struct{ refusal error }

func (b *bundle) update(name string, verdict contract.Verdict) *answer {
	answered := &answer{errors.New("the update was neither accepted nor refused")}
	b.UpdateWorkflow(name, "", &testsuite.TestUpdateCallback{
		OnAccept:   func() { answered.refusal = nil },
		OnReject:   func(err error) { answered.refusal = err },
		OnComplete: func(_ any, err error) { require.NoError(b.t, err) },
	}, verdict)
	return answered
}

func (b *bundle) result() contract.ReplayResult {
	require.NoError(b.t, b.GetWorkflowError())
	var result contract.ReplayResult
	require.NoError(b.t, b.GetWorkflowResult(&result))
	return result
}

func TestApprovedReplaySwitchesReaders(t *testing.T) {
	b := setup(t)
	done := scriptReplay(b, compared(true))
	b.after(48*time.Hour, func() {
		require.Equal(t, contract.AwaitingApproval, query[contract.ReplayProgress](b, contract.ProgressQuery).Step)
		require.Contains(t, b.page(), "- [x] fold the archive: offset 60 of 60\n")
		require.Contains(t, b.page(), "- [ ] switch readers\n")
		require.Contains(t, b.page(), "**The shadow equals the live projection.**")
		b.update(contract.ApproveUpdate, alice)
	})
	b.ExecuteWorkflow(contract.ReplayWorkflow, fixedMapping)

	require.Equal(t, contract.ReplayResult{
		Outcome: contract.Switched, Verdict: alice, Comparison: compared(true), Replaced: "main",
	}, b.result())
	require.Equal(t, []string{
		contract.CreateShadowActivity, contract.FoldArchiveActivity, contract.FoldArchiveActivity, contract.FoldTailActivity,
		contract.CompareActivity, contract.CatchUpActivity, contract.SwitchReadersActivity,
	}, *done)
	require.Contains(t, b.page(), "- [x] switch readers\n")
}

func TestReplayTakesVerdictsAsSignalsToo(t *testing.T) {
	b := setup(t)
	scriptReplay(b, compared(true))
	b.after(time.Hour, func() { b.SignalWorkflow(contract.ApproveUpdate, alice) })
	b.ExecuteWorkflow(contract.ReplayWorkflow, fixedMapping)
	require.Equal(t, contract.Switched, b.result().Outcome)
}

func TestRejectedReplayRetiresItsShadow(t *testing.T) {
	b := setup(t)
	done := scriptReplay(b, compared(true))
	b.after(time.Hour, func() { b.update(contract.RejectUpdate, alice) })
	b.ExecuteWorkflow(contract.ReplayWorkflow, fixedMapping)

	require.Equal(t, contract.Rejected, b.result().Outcome)
	require.Contains(t, *done, contract.RetireShadowActivity)
	require.NotContains(t, *done, contract.SwitchReadersActivity)
	require.NotContains(t, b.page(), "[ ]")
}

func TestDifferentShadowCannotBeApproved(t *testing.T) {
	b := setup(t)
	scriptReplay(b, compared(false))
	var approval *answer
	b.after(time.Hour, func() {
		approval = b.update(contract.ApproveUpdate, alice)
		b.SignalWorkflow(contract.ApproveUpdate, alice)
	})
	b.after(2*time.Hour, func() {
		require.ErrorContains(t, approval.refusal, "differs")
		require.Contains(t, b.page(), "A verdict did not count: `the shadow differs")
		require.Contains(t, b.page(), "| rows of `write` | 12 | 11 | **different** |")
		b.update(contract.RejectUpdate, alice)
	})
	b.ExecuteWorkflow(contract.ReplayWorkflow, fixedMapping)
	require.Equal(t, contract.Rejected, b.result().Outcome)
}

func TestVerdictBeforeItsTimeIsRefused(t *testing.T) {
	b := setup(t)
	scriptReplay(b, compared(true))
	var early, anonymous, first, second *answer
	b.after(0, func() { early = b.update(contract.ApproveUpdate, alice) })
	b.after(time.Hour, func() {
		anonymous = b.update(contract.ApproveUpdate, contract.Verdict{})
		first = b.update(contract.ApproveUpdate, alice)
		second = b.update(contract.RejectUpdate, contract.Verdict{By: "bob"})
	})
	b.ExecuteWorkflow(contract.ReplayWorkflow, fixedMapping)

	require.ErrorContains(t, early.refusal, "awaiting approval")
	require.ErrorContains(t, anonymous.refusal, "does not say who")
	require.NoError(t, first.refusal)
	require.ErrorContains(t, second.refusal, "alice has decided already")
	require.Equal(t, alice, b.result().Verdict)
}

func TestCancelledReplayRetiresItsShadow(t *testing.T) {
	b := setup(t)
	done := scriptReplay(b, compared(true))
	b.after(time.Hour, b.CancelWorkflow)
	b.ExecuteWorkflow(contract.ReplayWorkflow, fixedMapping)

	require.True(t, temporal.IsCanceledError(b.GetWorkflowError()))
	require.Contains(t, *done, contract.RetireShadowActivity)
}

func TestLongReplayContinuesAsNewAndKeepsItsShadow(t *testing.T) {
	b := setup(t)
	done := scriptReplay(b, compared(true))
	b.SetContinueAsNewSuggested(true)
	b.ExecuteWorkflow(contract.ReplayWorkflow, fixedMapping)

	_, again := errors.AsType[*workflow.ContinueAsNewError](b.GetWorkflowError())
	require.True(t, again)
	require.NotContains(t, *done, contract.RetireShadowActivity)
}

func TestReplayWithoutANameIsRefused(t *testing.T) {
	b := setup(t)
	b.ExecuteWorkflow(contract.ReplayWorkflow, contract.Replay{})
	require.ErrorContains(t, b.GetWorkflowError(), "a projection's name is")
}

package workflows_test

import (
	"errors"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/headwater-data/headwater/lineage"
	"github.com/headwater-data/headwater/workflows/contract"
)

var mart = lineage.DatasetID{Namespace: "warehouse", Name: "mart.daily_orders"}

// heldUntil is a completed run that waits for a gate.
func heldUntil(deadline time.Time) contract.Weighed {
	return contract.Weighed{
		State: "COMPLETED", Outputs: []contract.OutputCount{{Publication: "pending", Outputs: 1}},
		Gates: []string{"quality"}, Deadline: deadline,
	}
}

var lookedAt = contract.GateAnswer{Output: mart, Gate: "quality", Passed: true, By: "olu", Reason: "looked at it"}

// scriptGates takes markers and timeouts, each at the next offset from 10.
func scriptGates(registry activities) (*[]contract.Marking, *[]contract.GateTimeout) {
	markings, timeouts := &[]contract.Marking{}, &[]contract.GateTimeout{}
	next := lineage.Offset(9)
	script(registry, contract.MarkOutputActivity, func(marking contract.Marking) (contract.MarkedOutput, error) {
		*markings = append(*markings, marking)
		next++
		return contract.MarkedOutput{Offset: next}, nil
	})
	script(registry, contract.TimeOutGatesActivity, func(timeout contract.GateTimeout) (contract.MarkedOutput, error) {
		*timeouts = append(*timeouts, timeout)
		next++
		return contract.MarkedOutput{Offset: next}, nil
	})
	return markings, timeouts
}

// updated collects how an update ends.
type updated struct {
	rejected error
	failed   error
	result   any
}

func (u *updated) Accept()          {}
func (u *updated) Reject(err error) { u.rejected = err }
func (u *updated) Complete(result any, err error) {
	u.result, u.failed = result, err
}

func (b *bundle) answerGate(answer contract.GateAnswer) *updated {
	outcome := &updated{}
	b.UpdateWorkflow(contract.AnswerGateUpdate, "", outcome, answer)
	return outcome
}

func TestRunWaitsForItsGatesUntilTheDeadline(t *testing.T) {
	b := setup(t)
	deadline := b.Now().Add(30 * time.Minute)
	asked := scriptWeighing(b, heldUntil(deadline), completed)
	_, timeouts := scriptGates(b)
	b.after(29*time.Minute, func() {
		want := "the gate quality until " + deadline.UTC().Format("2006-01-02 15:04:05 MST")
		require.Equal(t, want, query[contract.WaitingFor](b, contract.WaitingForQuery).For)
		require.Contains(t, b.page(), want)
		require.Empty(t, *timeouts)
	})
	b.runLifecycle(dailyOrders)

	require.NoError(t, b.GetWorkflowError())
	require.Len(t, *timeouts, 1)
	require.True(t, deadline.Equal((*timeouts)[0].Deadline))
	require.Equal(t, lineage.Offset(10), (*asked)[1].UpTo, "that time is up is weighed")
}

func TestRunOfWhichTheTimeIsUpAlreadyDoesNotWait(t *testing.T) {
	b := setup(t)
	scriptWeighing(b, heldUntil(b.Now().Add(-time.Hour)), completed)
	_, timeouts := scriptGates(b)
	b.runLifecycle(dailyOrders)
	require.NoError(t, b.GetWorkflowError())
	require.Len(t, *timeouts, 1)
}

func TestPersonAnswersAGate(t *testing.T) {
	b := setup(t)
	asked := scriptWeighing(b, heldUntil(time.Time{}), completed)
	markings, _ := scriptGates(b)
	var outcome *updated
	b.after(time.Hour, func() { outcome = b.answerGate(lookedAt) })
	b.runLifecycle(dailyOrders)

	require.NoError(t, b.GetWorkflowError())
	require.NoError(t, outcome.rejected)
	require.NoError(t, outcome.failed)
	require.Equal(t, contract.MarkedOutput{Offset: 10}, outcome.result)
	require.Len(t, *markings, 1)
	require.Equal(t, lineage.Passed, (*markings)[0].Marker.Kind)
	require.Equal(t, "olu", (*markings)[0].Marker.By)
	require.Equal(t, lineage.Offset(10), (*asked)[1].UpTo)
}

func TestAnswerBeforeTheFirstWeighingWaitsForIt(t *testing.T) {
	for name, test := range map[string]struct {
		gate, failed string
	}{
		"counts":         {gate: "quality"},
		"does not count": {gate: "freshness", failed: `does not wait for the gate "freshness", but for quality`},
	} {
		t.Run(name, func(t *testing.T) {
			b := setup(t)
			markings, _ := scriptGates(b)
			answer := lookedAt
			answer.Gate = test.gate
			outcome := &updated{}
			asked := 0
			script(b, contract.WeighRunActivity, func(contract.Weighing) (contract.Weighed, error) {
				if asked++; asked > 2 {
					return completed, nil
				}
				if asked == 1 {
					b.after(0, func() { b.UpdateWorkflow(contract.AnswerGateUpdate, "", outcome, answer) })
					return contract.Weighed{}, errors.New("the projection is behind")
				}
				return heldUntil(time.Time{}), nil
			})
			b.after(time.Hour, func() { b.signal(20) })
			b.runLifecycle(dailyOrders)
			require.NoError(t, b.GetWorkflowError())
			require.NoError(t, outcome.rejected)
			if test.failed != "" {
				require.ErrorContains(t, outcome.failed, test.failed)
				require.Empty(t, *markings)
				return
			}
			require.NoError(t, outcome.failed)
			require.Len(t, *markings, 1)
		})
	}
}

func TestAnswerThatDoesNotCountIsRefused(t *testing.T) {
	for name, change := range map[string]func(*contract.GateAnswer){
		"does not say who":           func(a *contract.GateAnswer) { a.By = "" },
		"names no output":            func(a *contract.GateAnswer) { a.Output = lineage.DatasetID{} },
		"names no gate":              func(a *contract.GateAnswer) { a.Gate = "" },
		"does not wait for the gate": func(a *contract.GateAnswer) { a.Gate = "freshness" },
		"roll the output back":       func(a *contract.GateAnswer) { a.Gate, a.Passed = lineage.CommitGate, false },
	} {
		t.Run(name, func(t *testing.T) {
			b := setup(t)
			scriptWeighing(b, heldUntil(time.Time{}), completed)
			scriptGates(b)
			answer := lookedAt
			change(&answer)
			var outcome *updated
			b.after(time.Minute, func() { outcome = b.answerGate(answer) })
			b.after(time.Hour, func() { b.signal(9) })
			b.runLifecycle(dailyOrders)
			require.ErrorContains(t, outcome.rejected, name)
		})
	}
}

func TestEveryAnswerIsItsMarker(t *testing.T) {
	for _, test := range []struct {
		gate   string
		passed bool
		kind   lineage.MarkerKind
		named  string
	}{
		{"quality", true, lineage.Passed, "quality"},
		{"quality", false, lineage.Failed, "quality"},
		{lineage.CommitGate, true, lineage.Committed, ""},
		{lineage.ValidationGate, true, lineage.Validated, ""},
		{lineage.ValidationGate, false, lineage.Invalidated, ""},
	} {
		marker := contract.GateAnswer{Output: mart, Gate: test.gate, Passed: test.passed, By: "olu", Reason: "why"}.Marker(time.Now())
		require.Equal(t, test.kind, marker.Kind)
		require.Equal(t, test.named, marker.Gate)
	}
}

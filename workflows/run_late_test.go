package workflows_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/headwater-data/headwater/lineage"
	"github.com/headwater-data/headwater/workflows/contract"
)

// settledUntil is a settled run whose workflow stays for late evidence.
func settledUntil(end time.Time) contract.Weighed {
	weighed := completed
	weighed.OpenUntil = end
	return weighed
}

func TestSettledRunStaysForLateEvidence(t *testing.T) {
	b := setup(t)
	end := b.Now().Add(10 * time.Minute)
	asked := scriptWeighing(b, settledUntil(end))
	b.after(9*time.Minute, func() {
		require.Contains(t, query[contract.WaitingFor](b, contract.WaitingForQuery).For, "late evidence until "+end.UTC().Format(time.DateTime))
		b.signal(7)
	})
	var ended time.Time
	b.after(11*time.Minute, func() { ended = b.Now() })
	b.runLifecycle(dailyOrders)

	require.NoError(t, b.GetWorkflowError())
	require.Equal(t, []contract.Weighing{{Run: dailyOrders}, {Run: dailyOrders, UpTo: 7}}, *asked)
	require.Zero(t, ended, "late evidence does not keep it longer")
}

func TestSettledRunEndsAtOnceWhenTheTimeForLateEvidenceIsOver(t *testing.T) {
	b := setup(t)
	scriptWeighing(b, settledUntil(b.Now().Add(-time.Second)))
	began := b.Now()
	b.runLifecycle(dailyOrders)
	require.NoError(t, b.GetWorkflowError())
	require.WithinDuration(t, began, b.Now(), time.Second)
}

func TestAnswerGivenWhileTheRunStaysIsWeighed(t *testing.T) {
	b := setup(t)
	asked := scriptWeighing(b, settledUntil(b.Now().Add(10*time.Minute)))
	markings, _ := scriptGates(b)
	invalid := lookedAt
	invalid.Gate, invalid.Passed = lineage.ValidationGate, false
	// The activity that carries the answer is under way when the time is over.
	b.after(10*time.Minute-time.Nanosecond, func() { b.answerGate(invalid) })
	b.runLifecycle(dailyOrders)

	require.NoError(t, b.GetWorkflowError())
	require.Len(t, *markings, 1)
	require.Equal(t, lineage.Offset(10), (*asked)[1].UpTo)
}

func TestInputThatNamesNoRunIsRefused(t *testing.T) {
	b := setup(t)
	b.runLifecycle(lineage.RunKey{RunID: dailyOrders.RunID})
	require.ErrorContains(t, b.GetWorkflowError(), `send {"run": {"job":`)
}

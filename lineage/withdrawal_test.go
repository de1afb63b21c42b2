package lineage_test

import (
	"slices"
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/headwater-data/headwater/lineage"
)

var wrongEvent = lineage.Sender{Producer: "spark", EventID: "1"}

// withdrawing is a withdrawal some minutes after ten.
func withdrawing(withdrawal lineage.Withdrawal, minutes int) lineage.Latest[lineage.StatedWithdrawal] {
	at := said(lineage.Other, minutes, "", "").Moment
	at.Key = lineage.HashOf(strconv.Itoa(minutes), strconv.FormatBool(withdrawal.Undone))
	return lineage.Latest[lineage.StatedWithdrawal]{Moment: at, Value: lineage.StatedWithdrawal{Withdrawal: withdrawal}}
}

func TestLatestWithdrawalOfASubjectRulesInAnyOrder(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var all []lineage.Latest[lineage.StatedWithdrawal]
		last, undone := -1, false
		for i := range rapid.IntRange(1, 5).Draw(t, "withdrawals") {
			w := lineage.Withdrawal{Event: wrongEvent, Undone: rapid.Bool().Draw(t, "undone")}
			minute := rapid.IntRange(0, 20).Draw(t, "minute")*10 + i
			all = append(all, withdrawing(w, minute))
			if minute > last {
				last, undone = minute, w.Undone
			}
		}
		withdrawals := lineage.Withdrawals{}
		for _, w := range rapid.Permutation(slices.Concat(all, all)).Draw(t, "order") {
			withdrawals.Add(w)
		}
		require.Equal(t, !undone, withdrawals.Cover(wrongEvent, lineage.Hash{}))
	})
}

func TestWithdrawnRunCoversItsEventsAndNoOthers(t *testing.T) {
	withdrawals := lineage.Withdrawals{}
	require.True(t, withdrawals.Add(withdrawing(lineage.Withdrawal{Run: loadOrdersRun}, 1)))
	require.True(t, withdrawals.Cover(wrongEvent, loadOrdersRun.Hash()))
	require.False(t, withdrawals.Cover(wrongEvent, lineage.RunKey{Job: loadOrders, RunID: "other"}.Hash()))
	require.False(t, withdrawals.Cover(wrongEvent, lineage.Hash{}))

	require.False(t, withdrawals.Add(withdrawing(lineage.Withdrawal{Run: loadOrdersRun, Undone: true}, 0)), "an earlier word does not rule")
	require.True(t, withdrawals.Add(withdrawing(lineage.Withdrawal{Run: loadOrdersRun, Undone: true}, 2)))
	require.False(t, withdrawals.Cover(wrongEvent, loadOrdersRun.Hash()))
	require.True(t, withdrawals.Add(withdrawing(lineage.Withdrawal{Event: wrongEvent}, 3)))
	require.True(t, withdrawals.Cover(wrongEvent, loadOrdersRun.Hash()), "an event is withdrawn by itself as well")
}

func TestWithdrawalIsReadAsItWasStated(t *testing.T) {
	for _, withdrawal := range []lineage.Withdrawal{{Event: wrongEvent}, {Run: loadOrdersRun, Undone: true}} {
		attribution := lineage.Attribution{EventTime: tenOClock, By: "olu", Reason: "a test"}
		payload, err := lineage.EncodeFact(withdrawal, attribution)
		require.NoError(t, err)
		event, err := lineage.Decode(lineage.FormatPlatform, payload, lineage.DefaultLimits())
		require.NoError(t, err)
		require.Equal(t, withdrawal, event.Fact)
		require.Equal(t, attribution, event.Attribution)
		kept := lineage.NewStatedWithdrawal(withdrawal, event, lineage.Arrival{Content: lineage.HashOf("x"), ReceivedAt: tenOClock, Producer: "dev", EventID: "f"})
		require.Equal(t, lineage.StatedWithdrawal{Withdrawal: withdrawal, Attribution: attribution, Sender: lineage.Sender{Producer: "dev", EventID: "f"}}, kept.Value)
	}
	for _, nothing := range []lineage.Withdrawal{{}, {Event: lineage.Sender{Producer: "p"}}, {Event: wrongEvent, Run: loadOrdersRun}} {
		payload, err := lineage.EncodeFact(nothing, lineage.Attribution{EventTime: tenOClock})
		require.NoError(t, err)
		_, err = lineage.Decode(lineage.FormatPlatform, payload, lineage.DefaultLimits())
		require.Error(t, err)
	}
}

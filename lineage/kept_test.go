package lineage_test

import (
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/headwater-data/headwater/lineage"
)

// drawnLog draws decisions on two outputs in the order of the log, more than are kept.
var drawnLog = rapid.Custom(func(t *rapid.T) []lineage.RecordedDecision {
	decisions := make([]lineage.RecordedDecision, rapid.IntRange(0, 5*lineage.KeptDecisions).Draw(t, "decisions"))
	seed := rapid.Uint64().Draw(t, "seed")
	next := func(n uint64) uint64 { // drawing each would take rapid too long
		seed = seed*6364136223846793005 + 1442695040888963407
		return seed >> 33 % n
	}
	for i := range decisions {
		decisions[i] = lineage.RecordedDecision{
			Decision: lineage.Decision{
				Output:      []lineage.DatasetID{orders, ordersLake}[next(2)],
				EndType:     []lineage.EventType{"", lineage.Complete, lineage.Fail}[next(3)],
				Basis:       lineage.Position{Epoch: 1, Offset: lineage.Offset(next(50))},
				Publication: lineage.Publication(1 + next(6)),
			},
			Recorded: lineage.Offset(i + 1), Overtaken: next(3) == 0,
		}
	}
	return decisions
})

func TestOfManyDecisionsTheLatestAreKeptAndThoseThatMayRule(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		all := drawnLog.Draw(t, "log")
		kept := lineage.Kept(all)
		require.LessOrEqual(t, len(kept), 2*(lineage.KeptDecisions+3))
		for _, end := range []lineage.EventType{lineage.Running, lineage.Complete, lineage.Fail} {
			run := folded(wrote(end, 5))
			require.Equal(t, run.Ruling(all), run.Ruling(kept), end)
		}
		if n := min(len(all), lineage.KeptDecisions); n > 0 {
			require.Equal(t, all[len(all)-n:], kept[len(kept)-n:])
		}
		first := rapid.IntRange(0, len(all)).Draw(t, "batch")
		require.Equal(t, kept, lineage.Kept(append(lineage.Kept(all[:first]), all[first:]...)), "however they are batched")
	})
}

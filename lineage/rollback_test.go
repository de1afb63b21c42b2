package lineage_test

import (
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/headwater-data/headwater/lineage"
)

// holding is the law of time said plainly: what holds at a time is the latest statement that speaks and was not ended
// by then; where none speaks, the latest of the others. An absence leaves none of those before it.
func holding(marks []lineage.Mark, at time.Time) (lineage.Mark, bool) {
	var found *lineage.Mark
	for _, mark := range slices.SortedFunc(slices.Values(marks), compareMarks) {
		alive := !mark.EffectiveAt.After(at) && mark.Until.After(at)
		if alive && mark.Content == absent {
			found = nil
			continue
		}
		if alive && (found == nil || mark.Speaks || !found.Speaks) {
			found = &mark
		}
	}
	if found == nil {
		return lineage.Mark{}, false
	}
	return *found, true
}

// writtenAt are the writes that hold at a time.
func writtenAt(writes []lineage.Write, at time.Time) []lineage.Write {
	var found []lineage.Write
	for _, write := range writes {
		if !write.From.EffectiveAt.After(at) && write.To.After(at) {
			found = append(found, write)
		}
	}
	return found
}

var drawnEndedMarks = rapid.Custom(func(t *rapid.T) lineage.Mark {
	mark := drawnMarks.Draw(t, "mark")
	if mark.Content != absent && rapid.Bool().Draw(t, "rolled back") {
		mark.Until = mark.EffectiveAt.Add(time.Duration(rapid.IntRange(1, 4).Draw(t, "minutes")) * time.Minute)
	}
	return mark
})

func TestAfterRollBacksTheNearestEarlierStatementThatWasNotEndedHolds(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		store := &timelineStore{}
		marks := rapid.SliceOfNDistinct(drawnEndedMarks, 1, 8, func(m lineage.Mark) lineage.Moment { return m.Moment }).Draw(t, "marks")
		for _, mark := range marks {
			change := timelineChange{added: []lineage.Mark{mark}}
			if len(store.marks) > 0 && rapid.Bool().Draw(t, "remove") {
				change.removed = []lineage.Moment{rapid.SampledFrom(store.marks).Draw(t, "removed").Moment}
			}
			whole := lineage.NewWholeTimeline(slices.Clone(store.marks), slices.Clone(store.writes))
			closed, opened := whole.Change(change.removed, change.added)
			store.apply(t, change, closed, opened)
			for minute := range 12 {
				at := tenOClock.Add(time.Duration(minute) * time.Minute)
				want, holds := holding(store.marks, at)
				got := writtenAt(store.writes, at)
				if !holds {
					require.Empty(t, got, at)
					continue
				}
				require.Len(t, got, 1, at)
				require.Equal(t, want.Content, got[0].Content, at)
				require.False(t, want.EffectiveAt.Before(got[0].Since), "what holds lies behind the write")
			}
		}
	})
}

func TestWhereNothingWasEndedTheWholeTimelineIsAsTheWindow(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		marks := rapid.SliceOfNDistinct(drawnMarks, 1, 8, func(m lineage.Mark) lineage.Moment { return m.Moment }).Draw(t, "marks")
		_, whole := lineage.NewWholeTimeline(nil, nil).Change(nil, marks)
		_, window := lineage.NewTimeline(nil, nil).Change(nil, marks)
		requireWrites(t, window, whole)
	})
}

func TestRolledBackRunIsStatedUntilTheRollBack(t *testing.T) {
	run := published(said(lineage.Complete, 5, "A", "C"))
	run.Outputs[0].Publication, run.Outputs[0].Until = lineage.RolledBack, tenOClock.Add(9*time.Minute)
	statements := run.Statements()
	require.Len(t, statements, 1)
	require.Equal(t, tenOClock.Add(9*time.Minute), statements[0].Until)
	require.Equal(t, lineage.RolledBack, statements[0].Publication)

	run.Outputs[0].Until = tenOClock.Add(5 * time.Minute)
	require.Empty(t, run.Statements(), "rolled back before it ended: it was never valid")
}

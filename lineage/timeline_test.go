package lineage_test

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/headwater-data/headwater/lineage"
)

// timelineStore keeps the statements and writes of one timeline, as tables would.
type timelineStore struct {
	marks  []lineage.Mark
	writes []lineage.Write
}

// timelineChange is what one event changes.
type timelineChange struct {
	removed []lineage.Moment
	added   []lineage.Mark
}

func compareMarks(a, b lineage.Mark) int { return a.Moment.Compare(b.Moment) }

func compareWrites(a, b lineage.Write) int { return a.From.Compare(b.From) }

// encoded is the law of time over the whole list: each statement holds until the next one of other content; one that
// does not speak carries on what stands before it; after an absence nothing does.
func encoded(marks []lineage.Mark) []lineage.Write {
	var writes []lineage.Write
	for _, mark := range slices.SortedFunc(slices.Values(marks), compareMarks) {
		n := len(writes)
		stands := n > 0 && writes[n-1].To.Equal(lineage.Forever)
		if stands && (!mark.Speaks || mark.Content == writes[n-1].Content) {
			continue
		}
		if stands {
			writes[n-1].To = mark.EffectiveAt
		}
		if mark.Content == absent {
			continue
		}
		writes = append(writes, lineage.Write{Content: mark.Content, From: mark.Moment, Since: mark.EffectiveAt, To: lineage.Forever})
	}
	return writes
}

// window loads what lineage.Timeline asks for around the moments from first to last, with the writes that may cover
// it by their times alone.
func (s *timelineStore) window(first, last lineage.Moment) *lineage.Timeline {
	var window []lineage.Mark
	var before *lineage.Mark
	next, speaking := false, false
	for _, mark := range slices.SortedFunc(slices.Values(s.marks), compareMarks) {
		switch {
		case mark.Moment.Compare(first) < 0:
			before = &mark
		case mark.Moment.Compare(last) <= 0:
			window = append(window, mark)
		case !next || !speaking && mark.Speaks:
			window = append(window, mark)
			next, speaking = true, mark.Speaks
		}
	}
	if before != nil {
		window = append(window, *before)
	}
	if len(window) == 0 {
		return lineage.NewTimeline(nil, nil)
	}
	from, to := slices.MinFunc(window, compareMarks).EffectiveAt, slices.MaxFunc(window, compareMarks).EffectiveAt
	var writes []lineage.Write
	for _, write := range s.writes {
		if !write.From.EffectiveAt.After(to) && !write.To.Before(from) {
			writes = append(writes, write)
		}
	}
	return lineage.NewTimeline(window, writes)
}

// whole loads the whole list.
func (s *timelineStore) whole() *lineage.Timeline {
	return lineage.NewTimeline(slices.Clone(s.marks), slices.Clone(s.writes))
}

// apply stores a change and what it closes and opens.
func (s *timelineStore) apply(t require.TestingT, change timelineChange, closed, opened []lineage.Write) {
	for _, moment := range change.removed {
		s.marks = slices.DeleteFunc(s.marks, func(m lineage.Mark) bool { return m.Moment.Compare(moment) == 0 })
	}
	for _, mark := range change.added {
		s.marks = slices.DeleteFunc(s.marks, func(m lineage.Mark) bool { return m.Moment.Compare(mark.Moment) == 0 })
		s.marks = append(s.marks, mark)
	}
	for _, write := range closed {
		i := slices.IndexFunc(s.writes, func(w lineage.Write) bool { return cmp.Equal(w, write) })
		require.GreaterOrEqual(t, i, 0, "only a write that stands can end")
		s.writes = slices.Delete(s.writes, i, i+1)
	}
	s.writes = append(s.writes, opened...)
	slices.SortFunc(s.writes, compareWrites)
}

// span is the first and last moment that changes touch.
func span(changes []timelineChange) (first, last lineage.Moment) {
	var moments []lineage.Moment
	for _, change := range changes {
		moments = append(moments, change.removed...)
		for _, mark := range change.added {
			moments = append(moments, mark.Moment)
		}
	}
	return slices.MinFunc(moments, lineage.Moment.Compare), slices.MaxFunc(moments, lineage.Moment.Compare)
}

// noInputs is the flow of a statement that says nothing of inputs, or says that there are none.
var noInputs = lineage.HashOf("no inputs")

// absent is the flow of an absence.
var absent lineage.Hash

var drawnMoments = rapid.Custom(func(t *rapid.T) lineage.Moment {
	return lineage.Moment{EffectiveAt: drawnTimes.Draw(t, "at"), Key: lineage.HashOf(rapid.SampledFrom([]string{"1", "2", "3"}).Draw(t, "key"))}
})

var drawnMarks = rapid.Custom(func(t *rapid.T) lineage.Mark {
	mark := lineage.Mark{Moment: drawnMoments.Draw(t, "moment"), Content: noInputs, Until: lineage.Forever}
	if mark.Speaks = rapid.IntRange(0, 2).Draw(t, "speaks") > 0; mark.Speaks {
		mark.Content = rapid.SampledFrom([]lineage.Hash{lineage.HashOf("a"), lineage.HashOf("b"), noInputs, absent}).Draw(t, "flow")
	}
	return mark
})

var drawnChanges = rapid.SliceOfN(rapid.Custom(func(t *rapid.T) timelineChange {
	marks := rapid.SliceOfNDistinct(drawnMarks, 0, 2, func(m lineage.Mark) lineage.Moment { return m.Moment })
	change := timelineChange{added: marks.Draw(t, "added")}
	change.removed = rapid.SliceOfNDistinct(drawnMoments, max(1-len(change.added), 0), 2, rapid.ID).Draw(t, "removed")
	return change
}), 1, 3)

func requireWrites(t require.TestingT, want, got []lineage.Write) {
	require.Empty(t, cmp.Diff(want, got, cmpopts.EquateEmpty()))
}

func TestChangeThroughAWindowEqualsTheWholeListEncodedAnew(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		store := &timelineStore{}
		for range rapid.IntRange(1, 12).Draw(t, "batches") {
			batch := drawnChanges.Draw(t, "batch")
			window := store.window(span(batch))
			for _, change := range batch {
				closed, opened := window.Change(change.removed, change.added)
				store.apply(t, change, closed, opened)
				requireWrites(t, encoded(store.marks), store.writes)
			}
		}
	})
}

func TestChangeThroughTheWholeListEqualsItEncodedAnew(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		store := &timelineStore{}
		for _, change := range rapid.SliceOfN(drawnChanges, 1, 8).Draw(t, "changes") {
			closed, opened := store.whole().Change(change[0].removed, change[0].added)
			store.apply(t, change[0], closed, opened)
			requireWrites(t, encoded(store.marks), store.writes)
		}
	})
}

func TestAnyOrderOfStatementsGivesTheSameWrites(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		marks := rapid.SliceOfNDistinct(drawnMarks, 1, 10, func(m lineage.Mark) lineage.Moment { return m.Moment }).Draw(t, "marks")
		store := &timelineStore{}
		for _, mark := range rapid.Permutation(marks).Draw(t, "order") {
			change := timelineChange{added: []lineage.Mark{mark}}
			closed, opened := store.window(mark.Moment, mark.Moment).Change(nil, change.added)
			store.apply(t, change, closed, opened)
		}
		requireWrites(t, encoded(marks), store.writes)
	})
}

// at is a statement by minutes after ten; flow "" says nothing.
func at(minutes int, flow string) lineage.Mark {
	c := said(lineage.Complete, minutes, "", "")
	if flow == "" {
		return lineage.Mark{Moment: c.Moment, Content: noInputs, Until: lineage.Forever}
	}
	return lineage.Mark{Moment: c.Moment, Content: lineage.HashOf(flow), Speaks: true, Until: lineage.Forever}
}

func TestLateStatementGoesBetweenItsNeighbours(t *testing.T) {
	first, last := at(0, "a"), at(9, "a")
	timeline := lineage.NewTimeline(nil, nil)
	_, opened := timeline.Change(nil, []lineage.Mark{first, last})
	requireWrites(t, []lineage.Write{{Content: first.Content, From: first.Moment, Since: first.EffectiveAt, To: lineage.Forever}}, opened)

	late := at(5, "b")
	closed, split := timeline.Change(nil, []lineage.Mark{late})
	requireWrites(t, opened, closed)
	requireWrites(t, []lineage.Write{
		{Content: first.Content, From: first.Moment, Since: first.EffectiveAt, To: late.EffectiveAt},
		{Content: late.Content, From: late.Moment, Since: late.EffectiveAt, To: last.EffectiveAt},
		{Content: last.Content, From: last.Moment, Since: last.EffectiveAt, To: lineage.Forever},
	}, split)

	closed, joined := timeline.Change([]lineage.Moment{late.Moment}, nil)
	requireWrites(t, split, closed)
	requireWrites(t, opened, joined)
}

func TestStatementThatSaysNothingReplacesNothing(t *testing.T) {
	silent, spoken := at(5, ""), at(0, "a")
	timeline := lineage.NewTimeline(nil, nil)
	_, opened := timeline.Change(nil, []lineage.Mark{silent})
	requireWrites(t, []lineage.Write{{Content: noInputs, From: silent.Moment, Since: silent.EffectiveAt, To: lineage.Forever}}, opened)

	closed, opened := timeline.Change(nil, []lineage.Mark{spoken})
	require.Len(t, closed, 1, "it only stood until somebody spoke before it")
	requireWrites(t, []lineage.Write{{Content: spoken.Content, From: spoken.Moment, Since: spoken.EffectiveAt, To: lineage.Forever}}, opened)
}

func TestAbsenceEndsWhatStandsAndTakenAwayLetsItGoOn(t *testing.T) {
	stated, gone := at(0, "a"), at(5, "b")
	gone.Content = absent
	timeline := lineage.NewTimeline(nil, nil)
	_, standing := timeline.Change(nil, []lineage.Mark{stated})
	closed, opened := timeline.Change(nil, []lineage.Mark{gone})
	requireWrites(t, standing, closed)
	ended := []lineage.Write{{Content: stated.Content, From: stated.Moment, Since: stated.EffectiveAt, To: gone.EffectiveAt}}
	requireWrites(t, ended, opened)
	closed, opened = timeline.Change([]lineage.Moment{gone.Moment}, nil)
	requireWrites(t, ended, closed)
	requireWrites(t, standing, opened)
}

func TestChangeThatChangesNothingClosesAndOpensNothing(t *testing.T) {
	timeline := lineage.NewTimeline(nil, nil)
	timeline.Change(nil, []lineage.Mark{at(0, "a")})
	for _, change := range []timelineChange{
		{added: []lineage.Mark{at(0, "a")}},
		{added: []lineage.Mark{at(3, "a")}},
		{added: []lineage.Mark{at(4, "")}},
		{removed: []lineage.Moment{at(3, "a").Moment}},
		{removed: []lineage.Moment{at(7, "a").Moment}},
	} {
		closed, opened := timeline.Change(change.removed, change.added)
		require.Empty(t, closed)
		require.Empty(t, opened)
	}
}

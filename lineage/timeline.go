package lineage

import (
	"math"
	"slices"
	"time"
)

// Forever is the end of what has not ended. PostgreSQL keeps it as infinity.
var Forever = time.Date(9999, 12, 31, 23, 59, 59, 0, time.UTC)

// OpenEnd is the recorded end of what is still believed.
const OpenEnd Offset = math.MaxInt64

// Mark is what a timeline needs of a statement.
type Mark struct {
	Moment
	// Content is zero where the statement is an absence: from then on nothing holds, until another statement does.
	Content Hash
	// Speaks is true of an absence.
	Speaks bool
	// Until is when a roll-back ended the statement itself, else Forever.
	Until time.Time
}

// absence reports whether the statement says that nothing holds.
func (m Mark) absence() bool { return m.Content.IsZero() }

// ended reports whether a roll-back ended the statement.
func (m Mark) ended() bool { return m.Until.Before(Forever) }

// Write says that a content held of the timeline's output from From until To. Neighbouring statements of equal content
// share one write.
type Write struct {
	Content Hash
	// From is the first statement of the write; where a roll-back uncovered an earlier statement, the time of the
	// roll-back and the key of that statement.
	From Moment
	// Since is the earliest effective time of a statement behind the write: before From where one was uncovered.
	Since time.Time
	// To is when the next write begins, when a roll-back left none or an absence begins, or Forever.
	To time.Time
}

// Timeline is a window on the statements of one (job, output, origin, scope) with the writes over it. The window
// holds every statement from the one before the first change to the next that speaks after the last change; what
// lies outside keeps its writes.
//
// At any time the latest statement holds that speaks and that was not itself ended by then; where none speaks, the
// latest of the others. An absence ends whatever stands before it.
type Timeline struct {
	marks  []Mark
	writes []Write
	// whole tells that the window is the whole timeline.
	whole bool
}

// NewTimeline takes the statements of a window and the writes that cover them, both in any order. Writes that lie
// beside the window do no harm. Where a statement of the window, or one before it, was ended within or after the window,
// a window is not enough: see NewWholeTimeline.
func NewTimeline(marks []Mark, writes []Write) *Timeline {
	slices.SortFunc(marks, compareMarks)
	slices.SortFunc(writes, func(a, b Write) int { return a.From.Compare(b.From) })
	return &Timeline{marks: marks, writes: covering(writes, marks)}
}

// NewWholeTimeline takes all statements and writes of a timeline, in any order. A roll-back may uncover a statement from
// any time before it, so it needs them all.
func NewWholeTimeline(marks []Mark, writes []Write) *Timeline {
	slices.SortFunc(marks, compareMarks)
	return &Timeline{marks: marks, writes: writes, whole: true}
}

func compareMarks(a, b Mark) int { return a.Moment.Compare(b.Moment) }

// covering leaves out the writes that end before the first statement or begin after the last.
func covering(writes []Write, marks []Mark) []Write {
	if len(marks) == 0 {
		return nil
	}
	first, last := marks[0].Moment, marks[len(marks)-1].Moment
	for len(writes) > 1 && writes[1].From.Compare(first) <= 0 {
		writes = writes[1:]
	}
	for len(writes) > 0 && writes[len(writes)-1].From.Compare(last) > 0 {
		writes = writes[:len(writes)-1]
	}
	return writes
}

// Change takes statements away and puts others in, and tells which writes end and which begin by that.
func (t *Timeline) Change(removed []Moment, added []Mark) (closed, opened []Write) {
	before, end := t.edges()
	for _, moment := range removed {
		if i, found := t.find(moment); found {
			t.marks = slices.Delete(t.marks, i, i+1)
		}
	}
	for _, mark := range added {
		i, found := t.find(mark.Moment)
		if !found {
			t.marks = slices.Insert(t.marks, i, mark)
		}
		t.marks[i] = mark
	}
	writes := t.encode(before, end)
	closed = without(t.writes, writes)
	opened = without(writes, t.writes)
	t.writes = writes
	return closed, opened
}

// edges are what reaches into the window from outside: the write that began before it, if one did, and the time at
// which its last write ends.
func (t *Timeline) edges() (before *Write, end time.Time) {
	if len(t.writes) == 0 || t.whole {
		return nil, Forever
	}
	if first := t.writes[0]; len(t.marks) > 0 && first.From.Compare(t.marks[0].Moment) < 0 {
		before = &first
	}
	if n := len(t.marks); n > 0 && t.marks[n-1].absence() {
		return before, Forever // nothing follows the window's absence, or it is not the change's to take away
	}
	return before, t.writes[len(t.writes)-1].To
}

func (t *Timeline) find(moment Moment) (int, bool) {
	return slices.BinarySearchFunc(t.marks, moment, func(m Mark, at Moment) int { return m.Moment.Compare(at) })
}

// without gives the writes of list that other does not hold.
func without(list, other []Write) []Write {
	var rest []Write
	for _, write := range list {
		if !slices.ContainsFunc(other, write.equal) {
			rest = append(rest, write)
		}
	}
	return rest
}

func (w Write) equal(other Write) bool {
	return w.Content == other.Content && w.From.Compare(other.From) == 0 && w.Since.Equal(other.Since) && w.To.Equal(other.To)
}

package lineage

import (
	"slices"
	"time"
)

// encode is the run-length encoding of the statements. One that says nothing of inputs carries on what stands before it.
func (t *Timeline) encode(before *Write, end time.Time) []Write {
	var e encoder
	if before != nil {
		e.writes = []Write{*before}
		e.live = []Mark{{Moment: Moment{EffectiveAt: before.Since, Key: before.From.Key}, Content: before.Content, Speaks: true, Until: Forever}}
	}
	ends := endings(t.marks)
	for _, mark := range t.marks {
		for len(ends) > 0 && !ends[0].After(mark.EffectiveAt) {
			// At the time of the mark itself, it is the mark that the next write begins with.
			e.expire(ends[0], ends[0].Before(mark.EffectiveAt))
			ends = ends[1:]
		}
		e.add(mark)
	}
	for _, at := range ends {
		e.expire(at, true)
	}
	if n := len(e.writes); n > 0 && !e.gap {
		e.writes[n-1].To = end
	}
	return e.writes
}

// endings are the times at which roll-backs ended statements, in order, each once.
func endings(marks []Mark) []time.Time {
	var ends []time.Time
	for _, mark := range marks {
		if mark.ended() {
			ends = append(ends, mark.Until)
		}
	}
	slices.SortFunc(ends, time.Time.Compare)
	return slices.CompactFunc(ends, time.Time.Equal)
}

// encoder goes through a timeline in the order of time.
type encoder struct {
	writes []Write
	// gap tells that nothing holds, and the last write has ended.
	gap bool
	// live are the statements that hold or may come to hold again, in order.
	live []Mark
}

// add begins a statement. What it hides for ever is forgotten.
func (e *encoder) add(mark Mark) {
	if mark.absence() {
		e.live = nil
		e.end(mark.EffectiveAt)
		return
	}
	if !mark.ended() {
		e.live = slices.DeleteFunc(e.live, func(m Mark) bool { return mark.Speaks || !m.Speaks })
	}
	e.live = append(e.live, mark)
	e.hold(mark.Moment)
}

// expire ends the statements that were ended at a time, and shows what that uncovers.
func (e *encoder) expire(at time.Time, show bool) {
	e.live = slices.DeleteFunc(e.live, func(m Mark) bool { return !m.Until.After(at) })
	if !show {
		return
	}
	if holder, ok := e.holder(); ok {
		e.hold(Moment{EffectiveAt: at, Key: holder.Key})
		return
	}
	e.end(at)
}

// end leaves nothing from a time on.
func (e *encoder) end(at time.Time) {
	if n := len(e.writes); n > 0 && !e.gap {
		e.writes[n-1].To = at
	}
	e.gap = true
}

// hold begins a write at a moment, unless the one that stands says the same.
func (e *encoder) hold(from Moment) {
	holder, _ := e.holder()
	if n := len(e.writes); n > 0 && !e.gap {
		last := &e.writes[n-1]
		if last.Content == holder.Content {
			last.Since = sooner(last.Since, holder.EffectiveAt)
			return
		}
		last.To = from.EffectiveAt
	}
	e.writes = append(e.writes, Write{Content: holder.Content, From: from, Since: holder.EffectiveAt})
	e.gap = false
}

// holder is the latest statement that speaks, else the latest.
func (e *encoder) holder() (Mark, bool) {
	for _, mark := range slices.Backward(e.live) {
		if mark.Speaks {
			return mark, true
		}
	}
	if n := len(e.live); n > 0 {
		return e.live[n-1], true
	}
	return Mark{}, false
}

func sooner(a, b time.Time) time.Time {
	if b.Before(a) {
		return b
	}
	return a
}

package main

import (
	"fmt"
	"time"

	"github.com/headwater-data/headwater/drill/oracle"
)

// place is where copies of events are looked for.
type place string

const (
	inLog        place = "log"
	inArchive    place = "archive"
	inProjection place = "projection"
)

// sighting is one copy of an event.
type sighting struct {
	offset   int64
	received time.Time // as the log has it
}

// evidence is what was found after a drill.
type evidence struct {
	// events maps, for each place, the id of an event to its copies there.
	events map[place]map[string][]sighting
	// fates maps the id of a run to what people are told of it.
	fates map[string]oracle.Fate
	// problems are those of the system as a whole.
	problems []string
	// decided and archived are how long after the load every run was as it should be, and the log archived.
	decided, archived time.Duration
}

// result is the outcome of a drill.
type result struct {
	// acknowledged events, and those of them that are found in every place.
	acknowledged, found int
	// doubled counts the events that a place has more than once.
	doubled int
	runs    int
	// right counts the runs that are as their events imply.
	right    int
	problems []string
}

// lost is how many acknowledged events some place lacks.
func (r result) lost() int { return r.acknowledged - r.found }

func (r result) passed() bool {
	return r.lost() == 0 && r.doubled == 0 && r.right == r.runs && len(r.problems) == 0
}

// check holds what the producer knows against what was found.
func check(l *ledger, found evidence) result {
	r := result{acknowledged: len(l.acknowledged), runs: len(l.runs)}
	r.problems = append(append(r.problems, l.complaints...), found.problems...)
	if l.unacknowledged() > 0 {
		r.problem("%d events were never acknowledged", l.unacknowledged())
	}
	for _, run := range l.runs {
		for _, e := range run.events {
			r.checkEvent(l, found, e)
		}
		r.checkRun(run, found)
	}
	return r
}

func (r *result) checkEvent(l *ledger, found evidence, e event) {
	offset, acknowledged := l.acknowledged[e.id]
	everywhere, doubled := true, false
	for _, where := range []place{inLog, inArchive, inProjection} {
		copies := found.events[where][e.id]
		switch {
		case len(copies) > 1:
			doubled = true
			r.problem("the %s has event %s %d times", where, e.id, len(copies))
		case len(copies) == 0 && acknowledged:
			everywhere = false
			r.problem("the %s lacks event %s, acknowledged at offset %d", where, e.id, offset)
		case len(copies) == 1 && offset != 0 && copies[0].offset != offset:
			r.problem("the %s has event %s at offset %d, acknowledged at %d", where, e.id, copies[0].offset, offset)
		}
	}
	if acknowledged && everywhere {
		r.found++
	}
	if doubled {
		r.doubled++
	}
}

func (r *result) checkRun(run *run, found evidence) {
	implied, got := run.implied(found.received), found.fates[run.id]
	if got == implied {
		r.right++
		return
	}
	r.problem("run %s is %s; its events imply %s", run.id, phrase(got), phrase(implied))
}

func phrase(fate oracle.Fate) string {
	text := fmt.Sprintf("%s and its output %s", fate.State, fate.Publication)
	if fate.Disputed {
		return "disputed, " + text
	}
	return text
}

func (r *result) problem(format string, args ...any) {
	r.problems = append(r.problems, fmt.Sprintf(format, args...))
}

// received is when the log says that it received an event.
func (e evidence) received(eventID string) time.Time {
	if copies := e.events[inLog][eventID]; len(copies) > 0 {
		return copies[0].received
	}
	return time.Time{}
}

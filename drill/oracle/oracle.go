// Package oracle works out what becomes of a run from what was said of it: by the rules that docs/run-states.md and
// docs/publication.md promise, and by none of the code that keeps them. It walks through time once, where lineage/ joins
// what comes in any order, so that the two can be held against each other.
package oracle

import (
	"cmp"
	"slices"
	"time"
)

// Word is what was said: the type of an OpenLineage event, or the kind of a marker.
type Word string

// The words of a run's own events.
const (
	Start    Word = "START"
	Running  Word = "RUNNING"
	Complete Word = "COMPLETE"
	Fail     Word = "FAIL"
	Abort    Word = "ABORT"
	Other    Word = "OTHER"
)

// The words of markers. Passed and Failed name a gate.
const (
	Committed   Word = "committed"
	RolledBack  Word = "rolled_back"
	Validated   Word = "validated"
	Invalidated Word = "invalidated"
	Passed      Word = "passed"
	Failed      Word = "failed"
)

// Said is one thing that was said of a run, or of its output.
type Said struct {
	Word Word
	// Gate is what Passed and Failed answer.
	Gate string
	// At is when it happened, by the clock of who said it. No two markers of a run may be of one time.
	At time.Time
	// Received is when it came; zero for what never did.
	Received time.Time
}

// Run is a run with one output.
type Run struct {
	// Streaming runs belong to a job without a natural end.
	Streaming bool
	// Said is what was said of it. What tells of the job and names the output is an event of the run, so there is one.
	Said []Said
	// Gates are what the policy asks for, by the names that it has for them: "commit", "validation", or any other.
	Gates []string
	// TimesOut tells that gates are not waited for for ever. AtTimeout is what holds then.
	TimesOut  bool
	AtTimeout string
}

// Fate is where a run ends up once everything has come and every wait is over.
type Fate struct {
	// State is UNKNOWN, STARTED, RUNNING, COMPLETED, FAILED or ABORTED.
	State string
	// Disputed: ends of different kinds came.
	Disputed bool
	// Publication is pending, published, suspect, diagnostic, rejected or rolled_back.
	Publication string
	// Until is when a roll-back ended what would be visible without it; zero where none did.
	Until time.Time
}

// clockTolerance is how far ahead of its receipt anything counts, whatever its own clock says.
const clockTolerance = 5 * time.Minute

// Fate works out what becomes of the run.
func (r Run) Fate() Fate {
	history := r.inTime()
	end, disputed := endOf(history)
	fate := Fate{State: stateOf(history, end), Disputed: disputed, Publication: "pending"}
	if end == "" && !r.Streaming {
		return fate
	}
	output := walk(history)
	fate.Publication = r.publication(end, output, r.TimesOut && end != "")
	if !output.rolledBackAt.IsZero() {
		if fate.Publication == "published" || fate.Publication == "suspect" {
			fate.Until = output.rolledBackAt
		}
		fate.Publication = "rolled_back"
	}
	return fate
}

// inTime is what came, each at the time at which it counts, in that order; ends of one time by which of them holds.
func (r Run) inTime() []Said {
	var came []Said
	for _, said := range r.Said {
		if said.Received.IsZero() {
			continue
		}
		if latest := said.Received.Add(clockTolerance); said.At.After(latest) {
			said.At = latest
		}
		came = append(came, said)
	}
	severity := []Word{Complete, Abort, Fail}
	slices.SortStableFunc(came, func(a, b Said) int {
		return cmp.Or(a.At.Compare(b.At), cmp.Compare(slices.Index(severity, a.Word), slices.Index(severity, b.Word)))
	})
	return came
}

// endOf is the end that holds, the last one, or empty.
func endOf(history []Said) (end Word, disputed bool) {
	for _, said := range history {
		switch said.Word {
		case Complete, Fail, Abort:
			disputed = disputed || end != "" && said.Word != end
			end = said.Word
		default:
		}
	}
	return end, disputed
}

func stateOf(history []Said, end Word) string {
	switch end {
	case Complete:
		return "COMPLETED"
	case Fail:
		return "FAILED"
	case Abort:
		return "ABORTED"
	default:
	}
	said := func(word Word) bool {
		return slices.ContainsFunc(history, func(s Said) bool { return s.Word == word })
	}
	switch {
	case said(Running):
		return "RUNNING"
	case said(Start):
		return "STARTED"
	default:
		return "UNKNOWN"
	}
}

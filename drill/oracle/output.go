package oracle

import (
	"slices"
	"time"
)

// answer is how a gate was answered.
type answer struct {
	// passes is the last answer, once whether any passed it.
	passes, once bool
}

// output is what is known of a run's output at some time.
type output struct {
	gates     map[string]answer
	committed bool
	// validated: someone vouches for it, and nobody took that back. flawed are the gates that fail since then.
	validated bool
	flawed    map[string]bool
	// rolledBackAt is when it was taken back, and not put back since.
	rolledBackAt time.Time
}

// walk goes through what was said of an output, in the order of time.
func walk(history []Said) output {
	o := output{gates: map[string]answer{}, flawed: map[string]bool{}}
	for _, said := range history {
		switch said.Word {
		case Committed:
			// What someone vouched for before it was taken back is not what is there now.
			o.validated = o.validated && o.rolledBackAt.IsZero()
			o.committed, o.rolledBackAt = true, time.Time{}
			o.answer("commit", true)
		case Validated:
			o.validated, o.flawed, o.rolledBackAt = true, map[string]bool{}, time.Time{}
			o.answer("validation", true)
		case Invalidated:
			o.validated = false
			o.answer("validation", false)
		case Passed:
			o.answer(said.Gate, true)
		case Failed:
			o.answer(said.Gate, false)
		case RolledBack:
			if o.rolledBackAt.IsZero() {
				o.rolledBackAt = said.At
			}
		default:
		}
	}
	return o
}

func (o *output) answer(gate string, passes bool) {
	o.gates[gate] = answer{passes, passes || o.gates[gate].once}
	if passes {
		delete(o.flawed, gate)
	} else {
		o.flawed[gate] = true
	}
}

// publication is what an output is that was not rolled back.
func (r Run) publication(end Word, o output, timedOut bool) string {
	switch {
	case o.validated:
		return flawedIf(len(o.flawed) > 0)
	case !r.Streaming && end != Complete && o.committed:
		return "suspect" // it is visible although the run failed
	case !r.Streaming && end != Complete:
		return "diagnostic"
	}
	unanswered, flaw := false, false
	for gate, answered := range o.gates {
		if answered.passes {
			continue
		}
		if slices.Contains(r.Gates, gate) && !answered.once {
			return "rejected"
		}
		flaw = true
	}
	for _, gate := range r.Gates {
		_, answered := o.gates[gate]
		unanswered = unanswered || !answered
	}
	switch {
	case !unanswered:
		return flawedIf(flaw)
	case !timedOut:
		return "pending"
	case r.AtTimeout == "published":
		return flawedIf(flaw)
	default:
		return r.AtTimeout
	}
}

func flawedIf(flaw bool) string {
	if flaw {
		return "suspect"
	}
	return "published"
}

package lineage

import (
	"slices"
	"time"
)

// Requirement is what the publication policy asks of one output.
type Requirement struct {
	// Gates name what must answer before the output is published; none means that the end of the run suffices.
	Gates []string
	// Wait is how long the gates are waited for from the receipt of the first terminal event; zero is for ever.
	Wait time.Duration
	// Deadline is when that time is over, as follows for this run; zero while it has not begun, and where it is for ever.
	Deadline time.Time
	// AtTimeout is what holds when the time is over and a gate has not answered.
	AtTimeout Publication
	// PolicyRevision identifies the set of policies that answered.
	PolicyRevision string
}

// Verdict is what weighing an output gives.
type Verdict struct {
	Publication Publication
	// Until is when a roll-back ended what had been visible; zero unless one did.
	Until time.Time
	// Awaited are the gates that have not answered and that hold the output back.
	Awaited []string
}

// Decide weighs an output. It depends on nothing but what the run's own events and markers say, in the order of event
// time, and on what the policy requires.
func (r *Run) Decide(output DatasetID, requirement Requirement) Verdict {
	found := r.findings(output)
	rollback, rolledBack := found.rollback()
	switch {
	case r.End == nil && !r.Continuous():
		return Verdict{Publication: Pending}
	case !rolledBack:
		return r.weigh(found, requirement)
	}
	verdict := Verdict{Publication: RolledBack}
	if r.weigh(found.hadNot(rollback), requirement).Publication.Visible() {
		verdict.Until = rollback.EffectiveAt
	}
	return verdict
}

// weigh decides over an output that was not rolled back.
func (r *Run) weigh(found findings, requirement Requirement) Verdict {
	validated, isValidated := found.validation()
	if isValidated {
		return Verdict{Publication: flawed(found.since(validated).failedGate(nil))}
	}
	if !r.Continuous() && r.End.Type != Complete {
		if _, committed := found.last(Committed, ""); committed {
			return Verdict{Publication: Suspect}
		}
		return Verdict{Publication: Diagnostic}
	}
	var awaited []string
	for _, gate := range requirement.Gates {
		answered, passed := found.gate(gate)
		switch {
		case !answered:
			awaited = append(awaited, gate)
		case !passed && !found.hadPassed(gate):
			return Verdict{Publication: Rejected}
		}
	}
	flaw := found.failedGate(requirement.Gates)
	for _, gate := range requirement.Gates {
		answered, passed := found.gate(gate)
		flaw = flaw || answered && !passed
	}
	switch {
	case len(awaited) == 0:
		return Verdict{Publication: flawed(flaw)}
	case !found.timedOut(requirement.Deadline):
		return Verdict{Publication: Pending, Awaited: awaited}
	case requirement.AtTimeout == Published:
		return Verdict{Publication: flawed(flaw)}
	default:
		return Verdict{Publication: requirement.AtTimeout}
	}
}

func flawed(flaw bool) Publication {
	if flaw {
		return Suspect
	}
	return Published
}

// findings are the markers of one output.
type findings []RunMarker

func (r *Run) findings(output DatasetID) findings {
	first, _ := slices.BinarySearchFunc(r.Markers, output, func(m RunMarker, id DatasetID) int { return m.Output.Compare(id) })
	end := first
	for end < len(r.Markers) && r.Markers[end].Output == output {
		end++
	}
	return r.Markers[first:end:end]
}

// first and last are the earliest and the latest marker of a kind, about a gate where the kind has one.
func (f findings) first(kind MarkerKind, gate string) (RunMarker, bool) {
	return f.outermost(kind, gate, func(a, b Moment) bool { return a.Compare(b) < 0 })
}

func (f findings) last(kind MarkerKind, gate string) (RunMarker, bool) {
	return f.outermost(kind, gate, func(a, b Moment) bool { return a.Compare(b) > 0 })
}

func (f findings) outermost(kind MarkerKind, gate string, beyond func(a, b Moment) bool) (outermost RunMarker, found bool) {
	for _, marker := range f {
		if marker.Kind == kind && marker.Gate == gate && (!found || beyond(marker.Moment, outermost.Moment)) {
			outermost, found = marker, true
		}
	}
	return outermost, found
}

// latest is the latest marker of any of some kinds. At equal times a kind that is named later holds.
func (f findings) latest(kinds ...MarkerKind) (RunMarker, bool) {
	var latest RunMarker
	found := false
	for _, kind := range kinds {
		if marker, ok := f.last(kind, ""); ok && (!found || !marker.EffectiveAt.Before(latest.EffectiveAt)) {
			latest, found = marker, true
		}
	}
	return latest, found
}

// timedOut tells whether the time until a deadline is over. That an earlier one had passed does not count any more: it followed
// from an end that was withdrawn since, or from policies that waited less long.
func (f findings) timedOut(deadline time.Time) bool {
	timeout, found := f.last(TimedOut, "")
	return found && !deadline.IsZero() && !timeout.EventTime.Before(deadline)
}

// rollback is the roll-back that holds: neither a commit nor a validation came after it. Of several in a row the first
// counts.
func (f findings) rollback() (RunMarker, bool) {
	holding, found := f.latest(Committed, Validated, RolledBackMarker)
	if !found || holding.Kind != RolledBackMarker {
		return RunMarker{}, false
	}
	undone, wasUndone := f.latest(Committed, Validated)
	for _, marker := range f {
		stands := marker.Kind == RolledBackMarker && (!wasUndone || !marker.EffectiveAt.Before(undone.EffectiveAt))
		if stands && marker.Moment.Compare(holding.Moment) < 0 {
			holding = marker
		}
	}
	return holding, true
}

// validation is the validation that holds: nothing took it back.
func (f findings) validation() (RunMarker, bool) {
	holding, found := f.latest(Validated, Invalidated, RolledBackMarker)
	return holding, found && holding.Kind == Validated
}

// gate tells whether a gate has been answered, and by its latest answer whether it was passed. At equal times it was not.
func (f findings) gate(gate string) (answered, passed bool) {
	pass, hasPassed := f.answer(gate, true)
	fail, hasFailed := f.answer(gate, false)
	return hasPassed || hasFailed, hasPassed && (!hasFailed || fail.EffectiveAt.Before(pass.EffectiveAt))
}

// hadPassed tells whether a gate that fails was passed before.
func (f findings) hadPassed(gate string) bool {
	passed, hadPassed := f.first(answering(gate, true))
	failed, _ := f.answer(gate, false)
	return hadPassed && passed.EffectiveAt.Before(failed.EffectiveAt)
}

// answer is the latest marker that passes a gate, or that fails it.
func (f findings) answer(gate string, pass bool) (RunMarker, bool) {
	return f.last(answering(gate, pass))
}

// answering is what a marker that passes a gate, or fails it, says. Nothing fails a commit.
func answering(gate string, pass bool) (kind MarkerKind, of string) {
	switch {
	case gate == CommitGate && pass:
		return Committed, ""
	case gate == ValidationGate && pass:
		return Validated, ""
	case gate == ValidationGate:
		return Invalidated, ""
	case pass:
		return Passed, gate
	default:
		return Failed, gate
	}
}

// failedGate tells whether any gate, but for some, stands failed.
func (f findings) failedGate(except []string) bool {
	return slices.ContainsFunc(f, func(m RunMarker) bool {
		gate := m.Gate
		switch m.Kind {
		case Failed:
		case Invalidated:
			gate = ValidationGate
		default:
			return false
		}
		_, passed := f.gate(gate)
		return !passed && !slices.Contains(except, gate)
	})
}

// hadNot is what would have been found without a roll-back and those in a row with it. What was said later counts: a late
// answer weighs like a timely one.
func (f findings) hadNot(rollback RunMarker) findings {
	return slices.DeleteFunc(slices.Clone(f), func(m RunMarker) bool {
		return m.Kind == RolledBackMarker && m.Moment.Compare(rollback.Moment) >= 0
	})
}

// since is what was found at the time of a marker or later.
func (f findings) since(at RunMarker) findings {
	return slices.DeleteFunc(slices.Clone(f), func(m RunMarker) bool { return m.EffectiveAt.Before(at.EffectiveAt) })
}

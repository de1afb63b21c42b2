package lineage

import (
	"cmp"
	"slices"
	"strconv"
	"time"
)

// Position is a place in the log across recoveries.
type Position struct {
	Epoch  Epoch  `json:"epoch"`
	Offset Offset `json:"offset"`
}

// Compare orders positions as the log does.
func (p Position) Compare(other Position) int {
	return cmp.Or(cmp.Compare(p.Epoch, other.Epoch), cmp.Compare(p.Offset, other.Offset))
}

// Decision says whether one output of a run is published. It is a fact in the log: a replay folds it and never takes
// it again. It has no clock, so that the same decision taken twice is a duplicate.
type Decision struct {
	Run    RunKey    `json:"run"`
	Output DatasetID `json:"output"`
	// Basis is the last event that was weighed.
	Basis Position `json:"basis"`
	// EndType is the kind of terminal event that held at the basis, or empty. The decision is void while another kind holds.
	EndType        EventType   `json:"endType,omitzero"`
	Publication    Publication `json:"publication"`
	PolicyRevision string      `json:"policyRevision"`
	// Gates are those that the policy asked for.
	Gates []string `json:"gates,omitempty"`
	// Deadline is until when an output that is Pending waits for its gates: what the log says of the first terminal event's
	// receipt, and what the policy adds to it. Zero where it waits for ever, and for any other publication.
	Deadline time.Time `json:"deadline,omitzero"`
	// Until is when a roll-back ended what had been visible; zero unless one did.
	Until time.Time `json:"until,omitzero"`
	// Overrules is where the decision is recorded that ruled when this one was taken; zero where none did. It tells a decision
	// that is taken again, after policies changed and changed back, from the one that they overruled.
	Overrules Offset `json:"overrules,omitzero"`
}

// ID is the same for the same run, output, basis and policy, as long as the same decision rules.
func (d Decision) ID() Hash {
	run := d.Run.Hash()
	parts := []string{
		"decision", run.String(), d.Output.Namespace, d.Output.Name,
		strconv.Itoa(int(d.Basis.Epoch)), strconv.FormatInt(int64(d.Basis.Offset), 10), d.PolicyRevision,
	}
	if d.Overrules > 0 {
		parts = append(parts, strconv.FormatInt(int64(d.Overrules), 10))
	}
	return HashOf(parts...)
}

// RecordedDecision is a decision with its place in the log.
type RecordedDecision struct {
	Decision
	Recorded Offset `json:"recorded"`
	// ReceivedAt is when it was recorded.
	ReceivedAt time.Time `json:"receivedAt,omitzero"`
	// Overtaken reports that evidence came between the basis and the decision which changes what is weighed (see WeighsAs) and
	// does not lead to it (see Entails). It is void: whoever weighed that evidence did not know of it, and kept silent where
	// what stood was right.
	Overtaken bool `json:"overtaken,omitzero"`
}

// ApplyDecisions gives each output the decision that rules it, and returns those that do.
func (r *Run) ApplyDecisions(decisions []RecordedDecision) Ruling {
	for i := range r.Outputs {
		r.Outputs[i].Publication, r.Outputs[i].Until = Pending, time.Time{}
		if r.Outputs[i].Replaced {
			r.Outputs[i].Publication = NotPublishable
		}
	}
	ruling := r.Ruling(decisions)
	for id, decision := range ruling {
		if output := r.Output(id); output != nil && !output.Replaced {
			output.Publication, output.Until = decision.Publication, decision.Until
		}
	}
	return ruling
}

// ApplyDecision takes in one more decision on a run to which those that rule were applied. It reports whether the output is
// another for it.
func (r *Run) ApplyDecision(ruling Ruling, decision RecordedDecision) bool {
	if !ruling.take(r, decision) {
		return false
	}
	output := r.Output(decision.Output)
	if output == nil || output.Replaced || output.Publication == decision.Publication && output.Until.Equal(decision.Until) {
		return false
	}
	output.Publication, output.Until = decision.Publication, decision.Until
	return true
}

// Ruling is the decision that rules each output.
type Ruling map[DatasetID]RecordedDecision

// Ruling tells which decision rules each output. Void decisions are left out; of the others the greatest basis rules,
// then the latest in the log.
func (r *Run) Ruling(decisions []RecordedDecision) Ruling {
	ruling := Ruling{}
	for _, decision := range decisions {
		ruling.take(r, decision)
	}
	return ruling
}

// take has a decision on a run rule its output, unless it is void or another one overrules it. It reports whether it rules.
func (r Ruling) take(run *Run, decision RecordedDecision) bool {
	if decision.Overtaken || run.EndsOtherwise(decision.Decision) {
		return false
	}
	if standing, ok := r[decision.Output]; ok && !decision.overrules(standing) {
		return false
	}
	r[decision.Output] = decision
	return true
}

// EndsOtherwise reports whether another kind of terminal event holds than held at the basis of a decision, if one did.
func (r *Run) EndsOtherwise(d Decision) bool { return d.EndType != "" && d.EndType != r.EndType() }

// WeighsAs reports whether whoever decides would decide as before, whatever the policy: the state of the run, the mode of
// its job, and what markers say in the order of event time are the same. A stream that goes on reporting, and is checked
// over and over, stays so.
func (r *Run) WeighsAs(before *Run) bool {
	return r.State() == before.State() && r.Mode.Value == before.Mode.Value && slices.Equal(r.told(), before.told())
}

// Upholds reports whether all that has come leads to a decision still, under the gates that it names. Where their time is up it
// takes what the decision says for what the policy has hold then.
func (r *Run) Upholds(d Decision) bool {
	switch {
	case !d.Until.IsZero():
		return r.leadsTo(d, Suspect) // or published: it had been visible
	case d.Publication == RolledBack:
		return r.leadsTo(d, Diagnostic) // or rejected: it had not
	default:
		return r.leadsTo(d, d.Publication)
	}
}

// Entails reports whether all that has come leads to a decision under the gates that it names, whatever holds when their time is up.
func (r *Run) Entails(d Decision) bool { return r.leadsTo(d, Published) && r.leadsTo(d, Rejected) }

func (r *Run) leadsTo(d Decision, atTimeout Publication) bool {
	requirement := Requirement{Gates: d.Gates, Deadline: d.Deadline, AtTimeout: atTimeout}
	if timeout, timedOut := r.findings(d.Output).last(TimedOut, ""); timedOut && d.Publication != Pending {
		requirement.Deadline = timeout.EventTime
	}
	verdict := r.Decide(d.Output, requirement)
	return verdict.Publication == d.Publication && verdict.Until.Equal(d.Until)
}

// Outdated reports whether what has come leads to another decision than one that rules: evidence has not been weighed yet.
func (r *Run) Outdated(ruling Ruling) bool {
	return slices.ContainsFunc(r.Outputs, func(output Output) bool {
		decided, isDecided := ruling[output.DatasetID]
		return isDecided && !output.Replaced && !r.Upholds(decided.Decision)
	})
}

// told is what a marker says, at its place among the others.
type told struct {
	Marker
	// together tells that it is of the same time as the one before.
	together bool
}

// told is what the markers say in the order of event time, without the times: of them only that of a roll-back counts.
func (r *Run) told() []told {
	inOrder := r.MarkersInOrder()
	all := make([]told, len(inOrder))
	for i, marker := range inOrder {
		all[i] = told{marker.Marker, i > 0 && marker.EffectiveAt.Equal(inOrder[i-1].EffectiveAt)}
		all[i].Reason = ""
		if marker.Kind != RolledBackMarker {
			all[i].EventTime = time.Time{}
		}
	}
	return all
}

// AwaitsGates reports whether nothing but the answers of gates keeps the run from being settled: it has ended, and each
// output that is pending was decided to wait, and by all that has come since would be again.
func (r *Run) AwaitsGates(decisions []RecordedDecision) bool {
	if r.End == nil || r.Settled() {
		return false
	}
	ruling := r.Ruling(decisions)
	return !slices.ContainsFunc(r.Outputs, func(output Output) bool {
		if output.Publication != Pending {
			return false
		}
		decided, ok := ruling[output.DatasetID]
		return !ok || r.Decide(output.DatasetID, Requirement{Gates: decided.Gates, Deadline: decided.Deadline}).Publication != Pending
	})
}

func (d RecordedDecision) overrules(standing RecordedDecision) bool {
	return cmp.Or(d.Basis.Compare(standing.Basis), cmp.Compare(d.Recorded, standing.Recorded)) > 0
}

package lineage

import (
	"slices"
	"strings"
)

// Withdrawal takes accepted evidence out of the answers without deleting it: one event, or a run with all its events.
// It may come before what it withdraws.
type Withdrawal struct {
	// Event is set, or Run.
	Event Sender `json:"event,omitzero"`
	Run   RunKey `json:"run,omitzero"`
	// Undone withdraws the withdrawal: the evidence counts again.
	Undone bool `json:"undone,omitzero"`
}

// Subject is the key of what is withdrawn: of facts with one subject the latest holds.
func (w Withdrawal) Subject() Hash {
	if w.Event != (Sender{}) {
		return w.Event.Hash()
	}
	return w.Run.Hash()
}

// StatedWithdrawal is a withdrawal with who states it, and the event that carries it.
type StatedWithdrawal struct {
	Withdrawal
	Attribution
	Sender Sender `json:"sender"`
}

// NewStatedWithdrawal is what an event states that carries a withdrawal, at its place among those of its subject.
func NewStatedWithdrawal(withdrawal Withdrawal, event Event, arrival Arrival) Latest[StatedWithdrawal] {
	return Latest[StatedWithdrawal]{
		Moment: Moment{EffectiveAt(event.EventTime, arrival.ReceivedAt), arrival.Key()},
		Value:  StatedWithdrawal{withdrawal, event.Attribution, Sender{arrival.Producer, arrival.EventID}},
	}
}

// Withdrawals are what was last stated of each subject. The order in which they are added does not matter.
type Withdrawals map[Hash]Latest[StatedWithdrawal]

// Add takes in what was stated, and reports whether it rules now.
func (w Withdrawals) Add(stated Latest[StatedWithdrawal]) bool {
	subject := stated.Value.Subject()
	ruling := w[subject]
	before := ruling.Moment
	ruling.offer(stated.Moment, stated.Value)
	w[subject] = ruling
	return ruling.Moment.Compare(before) != 0
}

// Of gives the withdrawal of a subject that is in effect.
func (w Withdrawals) Of(subject Hash) (StatedWithdrawal, bool) {
	ruling := w[subject]
	return ruling.Value, ruling.said() && !ruling.Value.Undone
}

// Cover reports whether an event counts no more, by itself or with its run; run is zero where it is about none.
func (w Withdrawals) Cover(event Sender, run Hash) bool {
	_, itself := w.Of(event.Hash())
	_, withRun := w.Of(run)
	return itself || withRun
}

// WithdrawnAs is by what the contribution is withdrawn, beside its run; zero where nothing does: that time was up follows from
// what else is known, and would be found again.
func (c *Contribution) WithdrawnAs() Sender {
	if slices.ContainsFunc(c.Markers, func(m Marker) bool { return m.Kind == TimedOut }) {
		return Sender{}
	}
	return c.Sender
}

// PlatformType implements Fact.
func (Withdrawal) PlatformType() PlatformType { return EvidenceWithdrawn }

func (w Withdrawal) checked(limits Limits) (Fact, error) {
	if w.Event == (Sender{}) {
		w.Run = RunKey{Job: NewJobID(w.Run.Job.Namespace, w.Run.Job.Name), RunID: strings.ToLower(strings.TrimSpace(w.Run.RunID))}
		return w, checkNames(limits, namedText{"fact.run.job.namespace", w.Run.Job.Namespace},
			namedText{"fact.run.job.name", w.Run.Job.Name}, namedText{"fact.run.runId", w.Run.RunID})
	}
	if w.Run != (RunKey{}) {
		return w, invalid("two_subjects", "fact", "names an event and a run; withdraw one at a time")
	}
	return w, checkNames(limits, namedText{"fact.event.producer", w.Event.Producer}, namedText{"fact.event.eventId", w.Event.EventID})
}

// namedText is a text with its place in an event.
type namedText struct{ path, text string }

// checkNames refuses the first of some names that is missing, cannot be stored or is longer than Limits.NameBytes.
func checkNames(limits Limits, names ...namedText) error {
	for _, name := range names {
		switch {
		case !usable(name.text):
			return invalid("missing_name", name.path, "is missing, empty or holds the character U+0000")
		case len(name.text) > limits.NameBytes:
			return invalid("name_too_long", name.path, "has %d bytes, more than the limit of %d", len(name.text), limits.NameBytes)
		}
	}
	return nil
}

// Permanent says why an event cannot be withdrawn and what to do instead; it is empty for one that can be.
func (e Event) Permanent() string {
	switch {
	case e.Kind == MarkerEvent && e.Marker.Kind == TimedOut:
		return "tells that the time to wait for a gate is over, which follows from the end of its run and from the policies; answer the gate, or have the run weighed again under others"
	case e.Kind == PublicationDecidedEvent:
		return "is a decision, which follows from the evidence of its run; withdraw that evidence, and it is decided again"
	case e.Kind != FactEvent:
		return ""
	}
	switch e.Fact.(type) {
	case Withdrawal:
		return "is a withdrawal; undo it, and what it was about counts again"
	case NameRuleRegistration:
		return "registers name rules, which hold only in projections that were built under them; apply the rules that held before"
	default:
		return ""
	}
}

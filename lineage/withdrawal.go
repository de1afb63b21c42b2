package lineage

import "strings"

// Withdrawal takes accepted evidence out of the answers without deleting it: one event, or a run with all its events.
// It may come before what it withdraws.
type Withdrawal struct {
	// Event is set, or Run.
	Event Sender `json:"event,omitzero"`
	Run   RunKey `json:"run,omitzero"`
	// Undone withdraws the withdrawal: the evidence counts again.
	Undone bool `json:"undone,omitzero"`
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

package lineage

import (
	"strconv"
	"time"
)

// Position is a place in the log across recoveries.
type Position struct {
	Epoch  Epoch  `json:"epoch"`
	Offset Offset `json:"offset"`
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
	// Until is when a roll-back ended what had been visible; zero unless one did.
	Until time.Time `json:"until,omitzero"`
}

// ID is the same for the same run, output, basis and policy.
func (d Decision) ID() Hash {
	run := d.Run.Hash()
	return HashOf("decision", run.String(), d.Output.Namespace, d.Output.Name,
		strconv.Itoa(int(d.Basis.Epoch)), strconv.FormatInt(int64(d.Basis.Offset), 10), d.PolicyRevision)
}

// RecordedDecision is a decision with its place in the log.
type RecordedDecision struct {
	Decision
	Recorded Offset `json:"recorded"`
	// ReceivedAt is when it was recorded.
	ReceivedAt time.Time `json:"receivedAt,omitzero"`
}

// ApplyDecisions gives each output the decision that rules it. Void decisions are left out; of the others the
// greatest basis rules, then the latest in the log.
func (r *Run) ApplyDecisions(decisions []RecordedDecision) {
	for i := range r.Outputs {
		r.Outputs[i].Publication, r.Outputs[i].Until = Pending, time.Time{}
	}
	ruling := map[DatasetID]RecordedDecision{}
	for _, decision := range decisions {
		if decision.EndType != "" && decision.EndType != r.EndType() {
			continue
		}
		if standing, ok := ruling[decision.Output]; !ok || decision.overrules(standing) {
			ruling[decision.Output] = decision
		}
	}
	for id, decision := range ruling {
		if output := r.Output(id); output != nil {
			output.Publication, output.Until = decision.Publication, decision.Until
		}
	}
}

func (d RecordedDecision) overrules(standing RecordedDecision) bool {
	if d.Basis != standing.Basis {
		return d.Basis.Epoch > standing.Basis.Epoch ||
			d.Basis.Epoch == standing.Basis.Epoch && d.Basis.Offset > standing.Basis.Offset
	}
	return d.Recorded > standing.Recorded
}

package lineage

import (
	"encoding/json/v2"
	"fmt"
	"strconv"
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
}

// Requirement is what the publication policy asks of one output.
type Requirement struct {
	// Gates name what must answer before the output is published; none means that the end of the run suffices.
	Gates []string
	// PolicyRevision identifies the set of policies that answered.
	PolicyRevision string
}

// Decide weighs an output. It depends on nothing but what the run's own events say and what the policy requires.
func (r *Run) Decide(requirement Requirement) Publication {
	switch {
	case len(requirement.Gates) > 0:
		return Pending
	case r.Continuous():
		return Published
	case r.End == nil:
		return Pending
	case r.End.Type == Complete:
		return Published
	default:
		return Diagnostic
	}
}

// ApplyDecisions gives each output the decision that rules it. Void decisions are left out; of the others the
// greatest basis rules, then the latest in the log.
func (r *Run) ApplyDecisions(decisions []RecordedDecision) {
	for i := range r.Outputs {
		r.Outputs[i].Publication = Pending
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
			output.Publication = decision.Publication
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

// platformEvent is the shape of Headwater's own facts in the log.
type platformEvent struct {
	Type     string   `json:"type"`
	Decision Decision `json:"decision"`
}

const publicationDecided = "PublicationDecided"

// EncodeDecision gives the payload under which a decision stands in the log.
func EncodeDecision(decision Decision) ([]byte, error) {
	payload, err := json.Marshal(platformEvent{Type: publicationDecided, Decision: decision})
	if err != nil {
		return nil, fmt.Errorf("encode a decision: %w", err)
	}
	return payload, nil
}

func decodePlatform(payload []byte) (Event, error) {
	var event platformEvent
	if err := json.Unmarshal(payload, &event); err != nil {
		return Event{}, invalid("bad_platform_event", "", "cannot be read: %v", err)
	}
	if event.Type != publicationDecided {
		return Event{}, invalid("unknown_platform_event", "type", "%q is not known to this version", event.Type)
	}
	return Event{Kind: PublicationDecidedEvent, Decision: event.Decision}, nil
}

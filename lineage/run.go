package lineage

import (
	"bytes"
	"slices"
	"time"
)

// Run is what the events of one run say together. It is a join of what each says: the order in which they are added
// does not matter, and adding one twice changes nothing.
type Run struct {
	Key RunKey `json:"key"`
	// StartedAt is the earliest event time of a START; zero where none came.
	StartedAt time.Time `json:"startedAt,omitzero"`
	// LastEventAt is the latest effective time of any event.
	LastEventAt time.Time `json:"lastEventAt"`
	// Progress is how far the run got by what is not terminal.
	Progress RunState `json:"progress"`
	// End is the terminal event that holds; nil while the run is open.
	End *End `json:"end,omitempty"`
	// EndTypes are the kinds of terminal event that came, sorted.
	EndTypes []EventType `json:"endTypes,omitempty"`

	JobVersion Latest[string]         `json:"jobVersion,omitzero"`
	Mode       Latest[ProcessingMode] `json:"mode,omitzero"`
	Parent     Latest[RunKey]         `json:"parent,omitzero"`
	Error      Latest[string]         `json:"error,omitzero"`
	// Sender is the last event that named an input or output, and who sent it.
	Sender Latest[Sender] `json:"sender,omitzero"`

	// Inputs and Outputs are sorted by identity.
	Inputs  []Input  `json:"inputs,omitempty"`
	Outputs []Output `json:"outputs,omitempty"`
	// Explicit is sorted by target.
	Explicit []Target `json:"explicit,omitempty"`
}

// End is a terminal event.
type End struct {
	Type        EventType `json:"type"`
	EventTime   time.Time `json:"eventTime"`
	EffectiveAt time.Time `json:"effectiveAt"`
	Event       Hash      `json:"event"`
	Sender      Sender    `json:"sender"`
}

// Sender names an event and the principal that sent it.
type Sender struct {
	Producer string `json:"producer"`
	EventID  string `json:"eventId"`
}

// Input is a dataset that the run reads.
type Input struct {
	DatasetID
	// Since is the earliest effective time at which the run named it.
	Since time.Time `json:"since"`
}

// Output is a dataset that the run writes.
type Output struct {
	DatasetID
	// Since is the earliest effective time at which the run named it.
	Since time.Time `json:"since"`
	// Columns are the datasets that its column lineage names.
	Columns Latest[[]Node] `json:"columns,omitzero"`
	// Publication is the decision that rules, else Pending.
	Publication Publication `json:"publication"`
}

// Target is a dataset or job whose inputs a lineage facet names.
type Target struct {
	Node
	Since  time.Time      `json:"since"`
	Inputs Latest[[]Node] `json:"inputs"`
}

// Add takes in what one event says.
func (r *Run) Add(c Contribution) {
	r.Progress = max(r.Progress, progress(c.Type))
	if c.Type == Start && (r.StartedAt.IsZero() || c.EventTime.Before(r.StartedAt)) {
		r.StartedAt = c.EventTime
	}
	if c.EffectiveAt.After(r.LastEventAt) {
		r.LastEventAt = c.EffectiveAt
	}
	if c.Type.Terminal() {
		r.addEnd(End{c.Type, c.EventTime, c.EffectiveAt, c.Content, Sender{c.Producer, c.EventID}})
	}
	offerStated(&r.JobVersion, c, c.JobVersion)
	offerStated(&r.Mode, c, c.Mode)
	offerStated(&r.Parent, c, c.Parent)
	offerStated(&r.Error, c, c.Error)
	if len(c.Inputs)+len(c.Outputs)+len(c.Explicit) > 0 {
		r.Sender.offer(c.EffectiveAt, c.Content, Sender{c.Producer, c.EventID})
	}
	r.addDatasets(c)
}

// State is where the run stands.
func (r *Run) State() RunState {
	if r.End != nil {
		return stateAfter(r.End.Type)
	}
	return max(r.Progress, RunUnknown)
}

// EndType is the kind of terminal event that holds, or empty.
func (r *Run) EndType() EventType {
	if r.End == nil {
		return ""
	}
	return r.End.Type
}

// Disputed reports whether terminal events of different kinds came.
func (r *Run) Disputed() bool { return len(r.EndTypes) > 1 }

// Continuous reports whether the run belongs to a job without a natural end.
func (r *Run) Continuous() bool { return r.Mode.Value.Continuous() }

// Settled reports whether nothing is left to decide: the run has ended and every output is decided.
func (r *Run) Settled() bool {
	return r.End != nil && !slices.ContainsFunc(r.Outputs, func(o Output) bool { return o.Publication == Pending })
}

// Output finds an output by identity, or returns nil.
func (r *Run) Output(id DatasetID) *Output {
	i, found := slices.BinarySearchFunc(r.Outputs, id, func(o Output, id DatasetID) int { return o.Compare(id) })
	if !found {
		return nil
	}
	return &r.Outputs[i]
}

// progress is how far an event that does not end the run takes it.
func progress(t EventType) RunState {
	if t.Terminal() {
		return RunUnknown
	}
	return stateAfter(t)
}

func offerStated[T comparable](register *Latest[T], c Contribution, value T) {
	var unstated T
	if value != unstated {
		register.offer(c.EffectiveAt, c.Content, value)
	}
}

func (r *Run) addEnd(end End) {
	if i, found := slices.BinarySearch(r.EndTypes, end.Type); !found {
		r.EndTypes = slices.Insert(slices.Clone(r.EndTypes), i, end.Type)
	}
	if r.End == nil || r.End.compare(end) < 0 {
		r.End = &end
	}
}

// compare orders terminal events by which one holds: the latest; at equal times FAIL beats ABORT beats COMPLETE.
func (e End) compare(other End) int {
	if c := e.EffectiveAt.Compare(other.EffectiveAt); c != 0 {
		return c
	}
	if c := endRank(e.Type) - endRank(other.Type); c != 0 {
		return c
	}
	return bytes.Compare(e.Event[:], other.Event[:])
}

func endRank(t EventType) int { return slices.Index([]EventType{Complete, Abort, Fail}, t) }

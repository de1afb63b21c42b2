package lineage

import (
	"slices"
	"time"
)

// Run is what the events of one run say together. It is a join of what each says: the order in which they are added
// does not matter, and adding one twice changes nothing.
type Run struct {
	Key RunKey `json:"key"`
	// StartedAt is the earliest event time of a START; zero where none came.
	StartedAt time.Time `json:"startedAt,omitzero"`
	// FirstEventAt and LastEventAt are the earliest and the latest effective time of any event.
	FirstEventAt time.Time `json:"firstEventAt,omitzero"`
	LastEventAt  time.Time `json:"lastEventAt"`
	// Progress is how far the run got by what is not terminal.
	Progress RunState `json:"progress"`
	// End is the terminal event that holds; nil while the run is open.
	End *End `json:"end,omitempty"`
	// EndTypes are the kinds of terminal event that came, sorted.
	EndTypes []EventType `json:"endTypes,omitempty"`

	JobVersion Latest[string]         `json:"jobVersion,omitzero"`
	Mode       Latest[ProcessingMode] `json:"mode,omitzero"`
	Parent     Latest[RunKey]         `json:"parent,omitzero"`
	Root       Latest[RunKey]         `json:"root,omitzero"`
	Error      Latest[string]         `json:"error,omitzero"`
	Nominal    Latest[NominalTime]    `json:"nominal,omitzero"`
	Engine     Latest[Engine]         `json:"engine,omitzero"`
	Tags       Latest[[]Tag]          `json:"tags,omitzero"`
	// LineageDeleted is when the lineage facet of the job was last deleted.
	LineageDeleted Moment `json:"lineageDeleted,omitzero"`

	// Inputs and Outputs are sorted by identity.
	Inputs  []Input  `json:"inputs,omitempty"`
	Outputs []Output `json:"outputs,omitempty"`
	// InputListings and OutputListings are what events listed as the whole of their windows, which last WindowSeconds; where
	// that is 0 the run is the window.
	InputListings  Listings      `json:"inputListings,omitempty"`
	OutputListings Listings      `json:"outputListings,omitempty"`
	WindowSeconds  Latest[int64] `json:"windowSeconds,omitzero"`
	// Explicit is sorted by target.
	Explicit []Target `json:"explicit,omitempty"`
	// Symlinks are sorted by dataset, sender and what is named.
	Symlinks []RunSymlinks `json:"symlinks,omitempty"`
	// Markers are what was said of outputs, sorted by output, kind, gate and moment; of each kind but
	// roll-backs the first and the last.
	Markers []RunMarker `json:"markers,omitempty"`
	// Unread names facets of its events that say nothing here, sorted.
	Unread []string `json:"unread,omitempty"`
	// Witnesses are the events that first named something in the lists above, sorted by moment.
	Witnesses []Witness `json:"witnesses,omitempty"`
}

// Sender names an event and the principal that sent it.
type Sender struct {
	Producer string `json:"producer"`
	EventID  string `json:"eventId"`
}

// Hash is the key of the event, as withdrawals know it.
func (s Sender) Hash() Hash { return HashOf("sender", s.Producer, s.EventID) }

// Witness is an event that was the first to name something.
type Witness struct {
	Moment
	Sender
}

// Fold is the run that contributions give, in whatever order they are listed.
func Fold(key RunKey, contributions []Contribution) Run {
	run := Run{Key: key}
	inOrder := slices.SortedFunc(slices.Values(contributions), func(a, b Contribution) int { return a.Moment.Compare(b.Moment) })
	for _, c := range inOrder {
		run.Add(c)
	}
	return run
}

// Add takes in what one event says, unless the run Splits by it.
func (r *Run) Add(c Contribution) {
	r.Progress = max(r.Progress, progress(c.Type))
	if c.Type == Start && (r.StartedAt.IsZero() || c.EventTime.Before(r.StartedAt)) {
		r.StartedAt = c.EventTime
	}
	if r.FirstEventAt.IsZero() || c.EffectiveAt.Before(r.FirstEventAt) {
		r.FirstEventAt = c.EffectiveAt
	}
	if c.EffectiveAt.After(r.LastEventAt) {
		r.LastEventAt = c.EffectiveAt
	}
	if c.Type.Terminal() {
		r.addEnd(End{c.Type, c.EventTime, c.Moment, c.Sender})
	}
	offerStated(&r.JobVersion, c.Moment, c.JobVersion)
	offerStated(&r.Mode, c.Moment, c.Mode)
	offerStated(&r.Parent, c.Moment, c.Parent)
	offerStated(&r.Root, c.Moment, c.Root)
	offerStated(&r.Error, c.Moment, c.Error)
	offerStated(&r.Nominal, c.Moment, c.Nominal)
	offerStated(&r.Engine, c.Moment, c.Engine)
	if c.Tags != nil {
		r.Tags.offer(c.Moment, c.Tags)
	}
	r.addDeleted(c)
	r.addDatasets(c)
	r.addSymlinks(c)
	r.addMarkers(c)
	r.addUnread(c)
}

// State is where the run stands.
func (r *Run) State() RunState {
	if r.End != nil {
		return stateAfter(r.End.Type)
	}
	return max(r.Progress, RunUnknown)
}

// Continuous reports whether the run belongs to a job without a natural end.
func (r *Run) Continuous() bool { return r.Mode.Value.Continuous() }

// Empty reports whether nothing that counts is known of the run: all its evidence was withdrawn, or only other runs name it.
func (r *Run) Empty() bool { return r.LastEventAt.IsZero() }

// Settled reports whether nothing is left to decide: the run has ended and every output is decided, or it is empty.
func (r *Run) Settled() bool {
	return r.Empty() || r.End != nil && !slices.ContainsFunc(r.Outputs, func(o Output) bool { return o.Publication == Pending })
}

// Written are the outputs that no later listing has replaced.
func (r *Run) Written() []Output {
	return slices.DeleteFunc(slices.Clone(r.Outputs), func(o Output) bool { return o.Replaced })
}

// Output finds an output by identity, or returns nil.
func (r *Run) Output(id DatasetID) *Output {
	i, found := slices.BinarySearchFunc(r.Outputs, id, func(o Output, id DatasetID) int { return o.DatasetID.Compare(id) })
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

func offerStated[T comparable](register *Latest[T], at Moment, value T) {
	var unstated T
	if value != unstated {
		register.offer(at, value)
	}
}

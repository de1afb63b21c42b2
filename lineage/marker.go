package lineage

import (
	"cmp"
	"slices"
	"time"
)

// MarkerKind is what a marker says of an output.
type MarkerKind string

// The kinds of marker.
const (
	// Committed: what the run wrote became visible in the store, whatever became of the run.
	Committed MarkerKind = "committed"
	// RolledBackMarker: it was taken back.
	RolledBackMarker MarkerKind = "rolled_back"
	// Validated and Invalidated are the word of a person, or of a check that speaks for one.
	Validated   MarkerKind = "validated"
	Invalidated MarkerKind = "invalidated"
	// Passed and Failed are results of a named quality gate.
	Passed MarkerKind = "passed"
	Failed MarkerKind = "failed"
	// TimedOut: the time to wait for gates is over.
	TimedOut MarkerKind = "timed_out"
)

// The gates that have a meaning of their own. A gate of any other name is answered by quality results of that name.
const (
	// CommitGate is passed by a marker Committed.
	CommitGate = "commit"
	// ValidationGate is passed by a marker Validated and failed by Invalidated.
	ValidationGate = "validation"
	// QualityGate is what the assertions of a dataQualityAssertions facet answer together.
	QualityGate = "quality"
)

// Marker says something about one output of a run beside the life of the run.
type Marker struct {
	// Output is named as the run names it.
	Output DatasetID  `json:"output"`
	Kind   MarkerKind `json:"kind"`
	// Gate names the gate that Passed or Failed answer; empty for the other kinds.
	Gate string `json:"gate,omitzero"`
	// EventTime is when it happened, by the clock of who says so; for TimedOut the deadline.
	EventTime time.Time `json:"eventTime"`
	// By names the person or system that says so, and Reason why; both may be empty.
	By     string `json:"by,omitzero"`
	Reason string `json:"reason,omitzero"`
	// Facet names the facet of a RunEvent that the marker was read from; empty where it came by itself.
	Facet string `json:"facet,omitzero"`
}

// RunMarker is a marker with its place among those of its run.
type RunMarker struct {
	Marker
	Moment
	Sender
}

// markerSlot is what markers are kept under.
type markerSlot struct {
	output DatasetID
	kind   MarkerKind
	gate   string
}

func (m *RunMarker) slot() markerSlot { return markerSlot{m.Output, m.Kind, m.Gate} }

func compareMarkers(a, b RunMarker) int {
	return cmp.Or(a.Output.Compare(b.Output), cmp.Compare(a.Kind, b.Kind), cmp.Compare(a.Gate, b.Gate), a.Moment.Compare(b.Moment))
}

// addMarkers unites the markers of one event with those that the run has. A stream may be checked for ever, so of each kind
// about each output the run keeps the first and the last: no decision depends on those between. Roll-backs are rare and all
// kept: which of them ended what had been visible depends on what came between.
func (r *Run) addMarkers(c Contribution) {
	if len(c.Markers) == 0 {
		return
	}
	markers := make([]RunMarker, len(c.Markers))
	for i, marker := range c.Markers {
		markers[i] = RunMarker{marker, c.Moment, c.Sender}
	}
	all := unite(r.Markers, markers, compareMarkers, func(*RunMarker, RunMarker) {})
	r.Markers = nil
	for i, marker := range all {
		first := i == 0 || all[i-1].slot() != marker.slot()
		last := i == len(all)-1 || all[i+1].slot() != marker.slot()
		if first || last || marker.Kind == RolledBackMarker {
			r.Markers = append(r.Markers, marker)
		}
	}
}

// caution orders what is said at one time: of two that disagree the later in this list holds.
var caution = []MarkerKind{Committed, Validated, Passed, TimedOut, Failed, Invalidated, RolledBackMarker}

// MarkersInOrder are the markers in the order in which they count.
func (r *Run) MarkersInOrder() []RunMarker {
	return slices.SortedFunc(slices.Values(r.Markers), func(a, b RunMarker) int {
		return cmp.Or(a.EffectiveAt.Compare(b.EffectiveAt), slices.Index(caution, a.Kind)-slices.Index(caution, b.Kind), compareMarkers(a, b))
	})
}

// Unmatches reports whether a marker names no output of the run. One that was read from a facet never counts: a run may
// check what it does not write.
func (r *Run) Unmatches(marker RunMarker) bool {
	return marker.Facet == "" && r.Output(marker.Output) == nil
}

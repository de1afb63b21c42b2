package lineage

import (
	"slices"
	"time"
)

// Arrival is what the log knows of an event beside its payload.
type Arrival struct {
	// Content is the hash of the event's content.
	Content    Hash
	ReceivedAt time.Time
	// Producer is the principal that sent the event.
	Producer string
	EventID  string
}

// Key orders events of equal effective time. It differs for one content that came under two ids.
func (a Arrival) Key() Hash { return HashOf("event", string(a.Content[:]), a.Producer, a.EventID) }

// Contribution is what one event says of its run.
type Contribution struct {
	Type      EventType
	EventTime time.Time
	// Moment is the place of the event among those of its run.
	Moment
	Sender

	// JobVersion, Mode, Parent, Error and Nominal are zero where the event does not state them.
	JobVersion string
	Mode       ProcessingMode
	Parent     RunKey
	Error      string
	Nominal    NominalTime

	Inputs  []DatasetID
	Outputs []DatasetID
	// Explicit holds the inputs that a lineage facet names for each target.
	Explicit []Pairs
	// Columns holds the datasets that the column lineage of each output names.
	Columns []Pairs
	// Maps are the column maps that either names, by hash; ColumnMaps is what is in them, and no part of the run.
	Maps       []StatedMap
	ColumnMaps []*ColumnMap `json:"-"`
	// Symlinks are the other names of the datasets.
	Symlinks []Symlinks
	// Markers are what the event says of outputs beside the life of the run.
	Markers []RunMarker
}

// NewContribution takes from a RunEvent or a MarkerEvent what it says of its run. Facets that it needs and cannot read cost
// themselves and a warning; the warnings are those of the event and these.
func NewContribution(event Event, arrival Arrival) (Contribution, []Warning) {
	facets := facetReader{warnings{slices.Clone(event.Warnings)}}
	c := Contribution{
		Type:       event.Type,
		EventTime:  event.EventTime,
		Moment:     Moment{EffectiveAt(event.EventTime, arrival.ReceivedAt), arrival.Key()},
		Sender:     Sender{arrival.Producer, arrival.EventID},
		JobVersion: facets.jobVersion(event),
		Mode:       facets.mode(event),
		Parent:     facets.parent(event),
		Error:      facets.errorMessage(event),
		Nominal:    facets.nominalTime(event),
		Inputs:     datasetIDs(event.Inputs),
		Outputs:    datasetIDs(event.Outputs),
		Symlinks:   facets.symlinks(event),
	}
	explicit, explicitMaps := facets.explicitLineage(event)
	columns, columnMaps := facets.columnLineage(event)
	c.Explicit, c.Columns = explicit, columns
	c.addMaps(explicitMaps, ExplicitPair)
	c.addMaps(columnMaps, ByColumnLineage)
	for _, marker := range append(facets.markers(event), markersOf(event)...) {
		c.Markers = append(c.Markers, RunMarker{marker, c.Moment, c.Sender})
	}
	if c.EffectiveAt.Before(c.EventTime) {
		facets.warn("clock_ahead", "eventTime", "lies more than %s after its receipt; it counts as %s",
			ClockTolerance, c.EffectiveAt.Format(time.RFC3339Nano))
	}
	return c, facets.list
}

// markersOf is what an event that is a marker says itself.
func markersOf(event Event) []Marker {
	if event.Kind != MarkerEvent {
		return nil
	}
	return []Marker{event.Marker}
}

func datasetIDs(datasets []Dataset) []DatasetID {
	ids := make([]DatasetID, len(datasets))
	for i, dataset := range datasets {
		ids[i] = dataset.DatasetID
	}
	return ids
}

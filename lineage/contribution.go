package lineage

import (
	"slices"
	"time"
)

// Arrival is what the log knows of an event beside its payload.
type Arrival struct {
	// Content is the hash of the event's content. It orders events of equal effective time.
	Content    Hash
	ReceivedAt time.Time
	// Producer is the principal that sent the event.
	Producer string
	EventID  string
}

// Contribution is what one event says of its run.
type Contribution struct {
	Type        EventType `json:"type"`
	EventTime   time.Time `json:"eventTime"`
	EffectiveAt time.Time `json:"effectiveAt"`
	Content     Hash      `json:"content"`
	Producer    string    `json:"producer"`
	EventID     string    `json:"eventId"`

	JobVersion string         `json:"jobVersion,omitzero"`
	Mode       ProcessingMode `json:"mode,omitzero"`
	Parent     RunKey         `json:"parent,omitzero"`
	Error      string         `json:"error,omitzero"`

	Inputs  []DatasetID `json:"inputs,omitempty"`
	Outputs []DatasetID `json:"outputs,omitempty"`
	// Explicit holds the inputs that a lineage facet names for each target.
	Explicit []Pairs `json:"explicit,omitempty"`
	// Columns holds the datasets that the column lineage of each output names.
	Columns []Pairs `json:"columns,omitempty"`
}

// Pairs are the inputs that are known to feed one target.
type Pairs struct {
	Target Node   `json:"target"`
	Inputs []Node `json:"inputs"`
}

// NewContribution takes from a RunEvent what it says of its run. Facets that it needs and cannot read cost
// themselves and a warning.
func NewContribution(event Event, arrival Arrival) (Contribution, []Warning) {
	facets := facetReader{warnings: slices.Clone(event.Warnings)}
	c := Contribution{
		Type:        event.Type,
		EventTime:   event.EventTime,
		EffectiveAt: EffectiveAt(event.EventTime, arrival.ReceivedAt),
		Content:     arrival.Content,
		Producer:    arrival.Producer,
		EventID:     arrival.EventID,
		JobVersion:  facets.jobVersion(event),
		Mode:        facets.mode(event),
		Parent:      facets.parent(event),
		Error:       facets.errorMessage(event),
		Inputs:      datasetIDs(event.Inputs),
		Outputs:     datasetIDs(event.Outputs),
		Explicit:    facets.explicitPairs(event),
		Columns:     facets.columnPairs(event),
	}
	if c.EffectiveAt.Before(c.EventTime) {
		facets.warn("clock_ahead", "eventTime", "the event time lies more than %s after its receipt; it counts as %s",
			ClockTolerance, c.EffectiveAt.Format(time.RFC3339Nano))
	}
	return c, facets.warnings
}

func datasetIDs(datasets []Dataset) []DatasetID {
	ids := make([]DatasetID, len(datasets))
	for i, dataset := range datasets {
		ids[i] = dataset.DatasetID
	}
	return ids
}

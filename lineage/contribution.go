package lineage

import (
	"fmt"
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

// Contribution is what one event says of its run. What the stores keep of it besides the event's own columns is its JSON:
// see Encode.
type Contribution struct {
	Type      EventType `json:"-"`
	EventTime time.Time `json:"-"`
	// Moment is the place of the event among those of its run.
	Moment
	Sender `json:"-"`

	// JobVersion, Mode, Parent, Root, Error, Nominal and Engine are zero where the event does not state them.
	JobVersion string         `json:"jobVersion,omitzero"`
	Mode       ProcessingMode `json:"mode,omitzero"`
	Parent     RunKey         `json:"parent,omitzero"`
	Root       RunKey         `json:"root,omitzero"`
	Error      string         `json:"error,omitzero"`
	Nominal    NominalTime    `json:"nominal,omitzero"`
	Engine     Engine         `json:"engine,omitzero"`
	// Tags are those of the run, sorted: nil where the event says nothing of them, empty where it takes them away.
	Tags []Tag `json:"tags,omitzero"`
	// Whole tells that what the event lists is the whole of its window: of WindowSeconds, or of the run where that is 0.
	Whole         bool  `json:"whole,omitzero"`
	WindowSeconds int64 `json:"windowSeconds,omitzero"`
	// Deleted are facets of earlier events.
	Deleted Deleted `json:"deleted,omitzero"`

	Inputs  []DatasetID `json:"inputs,omitempty"`
	Outputs []DatasetID `json:"outputs,omitempty"`
	// InputStatistics and OutputStatistics are of datasets of these lists.
	InputStatistics  []DatasetStatistics `json:"inputStatistics,omitempty"`
	OutputStatistics []DatasetStatistics `json:"outputStatistics,omitempty"`
	// InputSubsets and OutputSubsets are of datasets of these lists.
	InputSubsets  []DatasetSubset `json:"inputSubsets,omitempty"`
	OutputSubsets []DatasetSubset `json:"outputSubsets,omitempty"`
	// Explicit holds the inputs that a lineage facet names for each target.
	Explicit []Pairs `json:"explicit,omitempty"`
	// Columns holds the datasets that the column lineage of each output names.
	Columns []Pairs `json:"columns,omitempty"`
	// Maps are the column maps that either names, by hash; ColumnMaps is what is in them, and no part of the run.
	Maps       []StatedMap  `json:"maps,omitempty"`
	ColumnMaps []*ColumnMap `json:"-"`
	// Schemas are the schemas of the datasets, by hash; SchemaContents is what is in them.
	Schemas        []StatedSchema `json:"schemas,omitempty"`
	SchemaContents []*Schema      `json:"-"`
	// Lives are the outputs that the event creates or drops, and InputLives the inputs.
	Lives      []StatedLife `json:"lives,omitempty"`
	InputLives []StatedLife `json:"inputLives,omitempty"`
	// Attributes are what the event says of its job and datasets as such, and no part of the run.
	Attributes []StatedAttribute `json:"-"`
	// Symlinks are the other names of the datasets.
	Symlinks []Symlinks `json:"symlinks,omitempty"`
	// Renames are the outputs that the event renames.
	Renames []StatedRename `json:"renames,omitempty"`
	// Markers are what the event says of outputs beside the life of the run.
	Markers []Marker `json:"markers,omitempty"`
	// Unread names facets that say nothing here, such as run.facets.environmentVariables, sorted.
	Unread []string `json:"unread,omitempty"`
}

// NewContribution takes from a RunEvent or a MarkerEvent what it says of its run. Facets that it needs and cannot read cost
// themselves and a warning; the warnings are those of the event and these.
func NewContribution(event Event, arrival Arrival) (Contribution, []Warning) {
	facets := facetReader{warnings: warnings{slices.Clone(event.Warnings)}}
	c := Contribution{
		Type:       event.Type,
		EventTime:  event.EventTime,
		Moment:     Moment{EffectiveAt(event.EventTime, arrival.ReceivedAt), arrival.Key()},
		Sender:     Sender{arrival.Producer, arrival.EventID},
		JobVersion: facets.jobVersion(event),
		Error:      facets.errorMessage(event),
		Nominal:    facets.nominalTime(event),
		Engine:     facets.engine(event),
		Tags:       facets.tags(event),
		Deleted:    deletedIn(event),
		Inputs:     datasetIDs(event.Inputs),
		Outputs:    datasetIDs(event.Outputs),
		Attributes: facets.attributes(event),
		Symlinks:   facets.symlinks(event),
		Markers:    append(facets.markers(event), markersOf(event)...),
	}
	c.Mode, c.Whole, c.WindowSeconds = facets.jobType(event)
	c.Lives, c.Renames = facets.stateChanges(event)
	c.InputLives = facets.inputLives(event)
	c.Parent, c.Root = facets.parent(event)
	c.InputStatistics = facets.statistics(event.Inputs, "input", "inputStatistics")
	c.OutputStatistics = facets.statistics(event.Outputs, "output", "outputStatistics")
	c.InputSubsets = facets.subsets(event.Inputs, "input")
	c.OutputSubsets = facets.subsets(event.Outputs, "output")
	explicit, explicitMaps := facets.explicitLineage(event)
	columns, columnMaps := facets.columnLineage(event, explicit)
	c.Explicit, c.Columns = explicit, columns
	c.addMaps(explicitMaps, ExplicitPair)
	c.addMaps(columnMaps, ByColumnLineage)
	var described []StatedAttribute
	c.Schemas, c.SchemaContents, described = facets.schemas(event)
	c.Attributes = append(c.Attributes, described...)
	facets.warnOfExtraction(event)
	c.Unread = facets.unread(event)
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

// Encode gives the JSON under which the stores keep what an event contributed. Type, EventTime, EffectiveAt and Sender
// are left out: they are columns of the event.
func (c Contribution) Encode() ([]byte, error) {
	c.EffectiveAt = time.Time{}
	encoded, err := marshalInterned(c)
	if err != nil {
		return nil, fmt.Errorf("encode what event %s of %s contributes: %w", c.EventID, c.Producer, err)
	}
	return encoded, nil
}

// Decode reads what Encode wrote into a contribution that has the rest.
func (c *Contribution) Decode(encoded []byte) error {
	at := c.EffectiveAt
	if err := unmarshalInterned(encoded, c); err != nil {
		return fmt.Errorf("read what event %s of %s contributed: %w", c.EventID, c.Producer, err)
	}
	c.EffectiveAt = at
	return nil
}

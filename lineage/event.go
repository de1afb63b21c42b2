package lineage

import (
	"bytes"
	"encoding/json/jsontext"
	"time"
)

// Format tells how the payload of a log entry is written. The numbers are stored.
type Format int16

// The formats of the log.
const (
	// FormatOpenLineage is an OpenLineage document, verbatim.
	FormatOpenLineage Format = 1
	// FormatEnvelope is Headwater's own envelope, version 1.0.
	FormatEnvelope Format = 2
	// FormatPlatform is a fact of Headwater itself, such as a decision.
	FormatPlatform Format = 3
)

// EventKind tells what an event is about. It follows from what is present in it, never from its schemaURL.
type EventKind int

// The kinds of event.
const (
	RunEvent EventKind = iota + 1
	JobEvent
	DatasetEvent
	PublicationDecidedEvent
	// MarkerEvent is a PublicationMarker, a QualityResult or a GateTimedOut.
	MarkerEvent
	// FactEvent carries a Fact.
	FactEvent
)

// EventType is the transition of a run that an event reports. An event without one is OTHER.
type EventType string

// The event types of OpenLineage.
const (
	Start    EventType = "START"
	Running  EventType = "RUNNING"
	Complete EventType = "COMPLETE"
	Fail     EventType = "FAIL"
	Abort    EventType = "ABORT"
	Other    EventType = "OTHER"
)

// Terminal reports whether the event type ends a run.
func (t EventType) Terminal() bool { return t == Complete || t == Fail || t == Abort }

// Facets are the facets of one entity by name, verbatim.
type Facets map[string]jsontext.Value

// Dataset is a dataset as one event mentions it.
type Dataset struct {
	DatasetID
	Facets Facets
	// RoleFacets are its inputFacets or outputFacets.
	RoleFacets Facets
	// Deleted names the facets of the dataset that the event deletes, sorted. They are not in Facets.
	Deleted []string
}

// Event is what one accepted document says.
type Event struct {
	Kind EventKind
	// Type is set for a RunEvent; for a MarkerEvent and a FactEvent it is its platform type.
	Type EventType
	// EventTime is the producer's clock, in UTC.
	EventTime time.Time
	// Run is set for a RunEvent and a MarkerEvent, RunFacets for a RunEvent.
	Run       RunKey
	RunFacets Facets
	// Job is set for a RunEvent, a JobEvent and a MarkerEvent, JobFacets for the first two.
	Job       JobID
	JobFacets Facets
	// JobDeleted names the facets of the job that the event deletes, sorted. They are not in JobFacets.
	JobDeleted []string
	// JobVersion is the version that an envelope states; OpenLineage states it in facets.
	JobVersion string
	Inputs     []Dataset
	Outputs    []Dataset
	// Dataset is set for a DatasetEvent.
	Dataset Dataset
	// Decision is set for a PublicationDecidedEvent.
	Decision Decision
	// Marker is set for a MarkerEvent.
	Marker Marker
	// Fact and Attribution are set for a FactEvent.
	Fact        Fact
	Attribution Attribution
	// EventID and ProducerName are what an envelope states of itself; empty for OpenLineage, which has neither.
	EventID      string
	ProducerName string
	// Warnings tell what was odd but not worth refusing the event for.
	Warnings []Warning
}

// RunHash is the key of the run that the event is about, or zero where it is about none.
func (e Event) RunHash() Hash {
	switch e.Kind {
	case RunEvent, MarkerEvent:
		return e.Run.Hash()
	case PublicationDecidedEvent:
		return e.Decision.Run.Hash()
	default:
		return Hash{}
	}
}

// Decode reads an accepted payload. The same bytes give the same event for ever; an error is an *InvalidError.
func Decode(format Format, payload []byte, limits Limits) (Event, error) {
	document := bytes.TrimPrefix(payload, byteOrderMark)
	if err := checkSyntax(document, limits); err != nil {
		return Event{}, err
	}
	switch format {
	case FormatOpenLineage:
		return decodeOpenLineage(document, limits)
	case FormatEnvelope:
		return decodeEnvelope(document, limits)
	case FormatPlatform:
		return decodePlatform(document, limits)
	default:
		return Event{}, invalid("unknown_format", "", "format %d is not known to this version", format)
	}
}

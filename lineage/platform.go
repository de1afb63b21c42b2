package lineage

import (
	"encoding/json/jsontext"
	"encoding/json/v2"
	"fmt"
	"strings"
	"time"
)

// PlatformType names one of Headwater's own facts in the log.
type PlatformType string

// The platform events.
const (
	PublicationDecided PlatformType = "PublicationDecided"
	// PublicationMarker is Committed, RolledBackMarker, Validated or Invalidated.
	PublicationMarker PlatformType = "PublicationMarker"
	// QualityResult is Passed or Failed, of a named gate.
	QualityResult PlatformType = "QualityResult"
	// GateTimedOut is TimedOut.
	GateTimedOut PlatformType = "GateTimedOut"
	// EvidenceWithdrawn is a Withdrawal.
	EvidenceWithdrawn PlatformType = "EvidenceWithdrawn"
)

// platformEvent is the shape of a platform event. Which of the members is there follows from its type.
type platformEvent struct {
	Type     PlatformType `json:"type"`
	Decision Decision     `json:"decision,omitzero"`
	Run      RunKey       `json:"run,omitzero"`
	Marker   Marker       `json:"marker,omitzero"`
	// Attribution and Fact are set for what implements Fact.
	Attribution Attribution    `json:"attribution,omitzero"`
	Fact        jsontext.Value `json:"fact,omitzero"`
}

// markerTypes says which platform event carries a kind of marker.
var markerTypes = map[MarkerKind]PlatformType{
	Committed: PublicationMarker, RolledBackMarker: PublicationMarker, Validated: PublicationMarker, Invalidated: PublicationMarker,
	Passed: QualityResult, Failed: QualityResult, TimedOut: GateTimedOut,
}

// EncodeDecision gives the payload under which a decision stands in the log.
func EncodeDecision(decision Decision) ([]byte, error) {
	return encodePlatform(platformEvent{Type: PublicationDecided, Decision: decision})
}

// EncodeMarker gives the payload under which a marker of a run stands in the log. Its kind decides the platform event.
func EncodeMarker(run RunKey, marker Marker) ([]byte, error) {
	return encodePlatform(platformEvent{Type: markerTypes[marker.Kind], Run: run, Marker: marker})
}

func encodePlatform(event platformEvent) ([]byte, error) {
	payload, err := json.Marshal(event)
	if err != nil {
		return nil, fmt.Errorf("encode %s: %w", event.Type, err)
	}
	return payload, nil
}

func decodePlatform(payload []byte, limits Limits) (Event, error) {
	var event platformEvent
	if err := json.Unmarshal(payload, &event); err != nil {
		return Event{}, invalid("bad_platform_event", "", "cannot be read: %v", err)
	}
	switch event.Type {
	case PublicationDecided:
		return Event{Kind: PublicationDecidedEvent, Decision: event.Decision}, nil
	case PublicationMarker, QualityResult, GateTimedOut:
		if err := checkMarker(event, limits); err != nil {
			return Event{}, err
		}
		return markerEvent(event), nil
	default:
		if read, known := factReaders[event.Type]; known {
			return factEvent(event, read, limits)
		}
		return Event{}, invalid("unknown_platform_event", "type", "%q is not known to this version", event.Type)
	}
}

// markerEvent names run and output as a RunEvent would.
func markerEvent(event platformEvent) Event {
	marker := event.Marker
	marker.Output = NewDatasetID(marker.Output.Namespace, marker.Output.Name)
	marker.EventTime = marker.EventTime.UTC().Truncate(time.Microsecond)
	marker.By, marker.Reason = RedactText(marker.By), RedactText(marker.Reason)
	run := RunKey{
		Job:   NewJobID(event.Run.Job.Namespace, event.Run.Job.Name),
		RunID: strings.ToLower(strings.TrimSpace(event.Run.RunID)),
	}
	return Event{
		Kind: MarkerEvent, Type: EventType(event.Type), EventTime: marker.EventTime, Run: run, Job: run.Job, Marker: marker,
	}
}

// checkMarker refuses a marker that names no run and output, or says nothing.
func checkMarker(event platformEvent, limits Limits) error {
	if err := checkNames(limits,
		namedText{"run.job.namespace", event.Run.Job.Namespace},
		namedText{"run.job.name", event.Run.Job.Name},
		namedText{"run.runId", strings.TrimSpace(event.Run.RunID)},
		namedText{"marker.output.namespace", event.Marker.Output.Namespace},
		namedText{"marker.output.name", event.Marker.Output.Name},
	); err != nil {
		return err
	}
	marker := event.Marker
	switch needsGate := event.Type == QualityResult; {
	case markerTypes[marker.Kind] != event.Type:
		return invalid("unknown_marker", "marker.kind", "%q is no kind of %s", excerpt(string(marker.Kind)), event.Type)
	case needsGate && !usable(marker.Gate):
		return invalid("missing_gate", "marker.gate", "is missing; name the gate or check that passed or failed")
	case needsGate && (marker.Gate == CommitGate || marker.Gate == ValidationGate):
		return invalid("reserved_gate", "marker.gate", "%q is answered by a publication marker, not by a quality result", marker.Gate)
	case !needsGate && marker.Gate != "":
		return invalid("unexpected_gate", "marker.gate", "only a quality result names a gate")
	case len(marker.Gate) > limits.NameBytes:
		return invalid("name_too_long", "marker.gate", "has %d bytes, more than the limit of %d", len(marker.Gate), limits.NameBytes)
	case marker.EventTime.IsZero():
		return invalid("missing_event_time", "marker.eventTime", "is missing; send when it happened")
	case marker.Facet != "":
		return invalid("unexpected_facet", "marker.facet", "is set only on what was read from a facet")
	case !usableText(marker.By) || !usableText(marker.Reason):
		return invalid("bad_text", "marker", "by and reason hold at most %d bytes and no U+0000", maxErrorBytes)
	}
	return nil
}

// usableText reports whether a text, which may be empty, can be kept.
func usableText(text string) bool {
	return len(text) <= maxErrorBytes && (text == "" || usable(text))
}

package lineage

import (
	"encoding/json/jsontext"
)

// EnvelopeVersion is the version of the envelope that this code reads.
const EnvelopeVersion = "1.0"

// decodeEnvelope reads Headwater's own envelope. It says what a RunEvent says, with an id and a producer of its own,
// or carries a whole OpenLineage document as openLineage.
func decodeEnvelope(payload []byte, limits Limits) (Event, error) {
	members, err := decodeObject(payload)
	if err != nil {
		return Event{}, err
	}
	d := documentReader{limits: limits}
	eventID := d.readName(members["eventId"], "eventId")
	producer := d.readName(members["producer"], "producer")
	if version, ok := decodeString(members["schemaVersion"]); !ok || version != EnvelopeVersion {
		d.fail(invalid("unknown_schema_version", "schemaVersion", "is %s; this server reads %q", members["schemaVersion"], EnvelopeVersion))
	}
	event := d.readDocument(openLineageMembers(members))
	event.EventID, event.ProducerName = eventID, producer
	event.JobVersion, _ = decodeString(members["jobVersion"])
	if d.err != nil {
		return Event{}, d.err
	}
	event.Warnings = d.warnings
	return event, nil
}

// openLineageMembers says in OpenLineage's words what the envelope says in its own.
func openLineageMembers(envelope map[string]jsontext.Value) map[string]jsontext.Value {
	if document, err := decodeObject(envelope["openLineage"]); err == nil {
		return document
	}
	members := map[string]jsontext.Value{
		"eventType": envelope["state"],
		"eventTime": envelope["eventTime"],
		"job":       envelope["job"],
		"inputs":    envelope["inputs"],
		"outputs":   envelope["outputs"],
	}
	if members["eventTime"] == nil {
		members["eventTime"] = envelope["emittedAt"]
	}
	if runID := envelope["runId"]; runID != nil {
		run := map[string]jsontext.Value{"runId": runID}
		if facets := envelope["facets"]; facets != nil {
			run["facets"] = facets
		}
		members["run"], _ = encodeObject(run)
	}
	return members
}

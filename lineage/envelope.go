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
	reader := eventReader{limits: limits}
	eventID := reader.readHeader(members["eventId"], "eventId", "send an id that no other event of the producer has")
	producer := reader.readHeader(members["producer"], "producer", "send the name under which the producer is registered")
	if version, ok := decodeString(members["schemaVersion"]); !ok || version != EnvelopeVersion {
		reader.refuse("unknown_schema_version", "schemaVersion", "must be the string %q, the version that this server reads", EnvelopeVersion)
	}
	event := reader.readContent(members)
	event.EventID, event.ProducerName = eventID, producer
	return reader.finish(event)
}

// readHeader reads what an envelope states of itself.
func (r *eventReader) readHeader(value jsontext.Value, path, advice string) string {
	if text, ok := decodeString(value); !ok || text == "" {
		r.refuse("missing_header", path, "is missing, empty or no string; %s", advice)
		return ""
	}
	return r.readName(value, path)
}

// readContent reads what the envelope tells: an OpenLineage document, or a run in words of its own.
func (r *eventReader) readContent(members map[string]jsontext.Value) Event {
	content := members["openLineage"]
	switch {
	case content == nil:
		return r.readEnvelopeRun(members)
	case members["job"] != nil || members["runId"] != nil:
		r.refuse("two_contents", "openLineage", "stands beside job or runId; send either an OpenLineage document or the envelope's own members")
		return Event{}
	}
	document, err := decodeObject(content)
	if err != nil {
		r.refuse("bad_content", "openLineage", "is %s where an OpenLineage document is expected", kindName(content.Kind()))
		return Event{}
	}
	r.prefix = "openLineage."
	return r.readOpenLineage(document)
}

func (r *eventReader) readEnvelopeRun(members map[string]jsontext.Value) Event {
	event := Event{Kind: RunEvent, Type: r.readEventType(members["state"], "state")}
	if eventTime := members["eventTime"]; eventTime != nil {
		event.EventTime = r.readEventTime(eventTime, "eventTime")
	} else {
		event.EventTime = r.readEventTime(members["emittedAt"], "emittedAt")
	}
	event.Job, event.JobFacets = r.readJob(members["job"])
	event.JobDeleted = event.JobFacets.deletedFacets()
	event.Run = RunKey{Job: event.Job, RunID: r.readRunID(members["runId"], "runId")}
	event.RunFacets = r.readFacets(members["facets"], "facets")
	event.Inputs = r.readDatasets(members["inputs"], "inputs", "inputFacets")
	event.Outputs = r.readDatasets(members["outputs"], "outputs", "outputFacets")

	version, ok := decodeString(members["jobVersion"])
	if !ok {
		r.warn("bad_job_version", "jobVersion", "is %s where a string is expected; it was left out", kindName(members["jobVersion"].Kind()))
	}
	event.JobVersion = version
	return event
}

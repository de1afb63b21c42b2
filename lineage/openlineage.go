package lineage

import (
	"encoding/json/jsontext"
	"strings"
	"time"
)

// decodeOpenLineage reads a RunEvent, JobEvent or DatasetEvent of the OpenLineage specification, leniently: what is
// null is absent, an unknown member is ignored, and a malformed facet costs that facet and a warning.
// Source: https://openlineage.io/spec/2-0-2/OpenLineage.json
func decodeOpenLineage(payload []byte, limits Limits) (Event, error) {
	members, err := decodeObject(payload)
	if err != nil {
		return Event{}, err
	}
	reader := eventReader{limits: limits}
	return reader.finish(reader.readOpenLineage(members))
}

// eventReader reads the parts of an event and keeps every warning and the first reason to refuse it.
type eventReader struct {
	warnings
	limits Limits
	// prefix is where the OpenLineage document stands in what was sent; empty, or ending in a dot.
	prefix  string
	refusal *InvalidError
}

// refuse notes why the event can never be accepted. The first reason is the one that the producer is told.
func (r *eventReader) refuse(code, path, format string, args ...any) {
	if r.refusal == nil {
		r.refusal = invalid(code, r.prefix+path, format, args...)
	}
}

func (r *eventReader) warn(code, path, format string, args ...any) {
	r.warnings.warn(code, r.prefix+path, format, args...)
}

// finish gives the event with its warnings, unless it was refused.
func (r *eventReader) finish(event Event) (Event, error) {
	if r.refusal != nil {
		return Event{}, r.refusal
	}
	event.Warnings = r.list
	return event, nil
}

func (r *eventReader) readOpenLineage(members map[string]jsontext.Value) Event {
	event := Event{EventTime: r.readEventTime(members["eventTime"], "eventTime")}
	switch {
	case members["run"] != nil:
		event.Kind = RunEvent
		event.Type = r.readEventType(members["eventType"], "eventType")
		event.Job, event.JobFacets = r.readJob(members["job"])
		event.JobDeleted = event.JobFacets.deletedFacets()
		event.Run.Job = event.Job
		event.Run.RunID, event.RunFacets = r.readRun(members["run"])
	case members["job"] != nil:
		event.Kind = JobEvent
		event.Job, event.JobFacets = r.readJob(members["job"])
		event.JobDeleted = event.JobFacets.deletedFacets()
	case members["dataset"] != nil:
		event.Kind = DatasetEvent
		event.Dataset, _ = r.readDataset(members["dataset"], "dataset", "")
		return event
	default:
		r.refuse("unknown_kind", "", "the event has none of run, job and dataset, so there is nothing to say what it is about")
	}
	event.Inputs = r.readDatasets(members["inputs"], "inputs", "inputFacets")
	event.Outputs = r.readDatasets(members["outputs"], "outputs", "outputFacets")
	return event
}

func (r *eventReader) readRun(value jsontext.Value) (runID string, facets Facets) {
	members, err := decodeObject(value)
	if err != nil {
		r.refuse("bad_run", "run", "is %s where a JSON object is expected", kindName(value.Kind()))
		return "", nil
	}
	return r.readRunID(members["runId"], "run.runId"), r.readFacets(members["facets"], "run.facets")
}

// readRunID lower-cases a run id. One that is no UUID is kept, with a warning.
func (r *eventReader) readRunID(value jsontext.Value, path string) string {
	text, ok := decodeString(value)
	text = strings.TrimSpace(text)
	switch {
	case !ok || text == "":
		r.refuse("missing_run_id", path, "is missing, empty or no string; send the UUID of the run")
	case len(text) > r.limits.RunIDBytes:
		r.refuse("run_id_too_long", path, "has %d bytes, more than the limit of %d", len(text), r.limits.RunIDBytes)
	case strings.ContainsRune(text, 0):
		r.refuse("nul_in_run_id", path, "holds the character U+0000, which cannot be stored; remove it")
	case !isUUID(text):
		r.warn("run_id_no_uuid", path, "%q is no UUID; it was kept as it is", excerpt(text))
	}
	return strings.ToLower(text)
}

func (r *eventReader) readJob(value jsontext.Value) (JobID, Facets) {
	members, err := decodeObject(value)
	if err != nil {
		r.refuse("missing_job", "job", "is %s where a JSON object is expected; every run belongs to a job", kindName(value.Kind()))
		return JobID{}, nil
	}
	job := NewJobID(r.readName(members["namespace"], "job.namespace"), r.readName(members["name"], "job.name"))
	return job, r.readFacets(members["facets"], "job.facets")
}

func (r *eventReader) readEventTime(value jsontext.Value, path string) (at time.Time) {
	text, ok := decodeString(value)
	text = strings.TrimSpace(text)
	if !ok || text == "" {
		r.refuse("missing_event_time", path, "is missing or no string; send an ISO 8601 time such as 2026-07-19T00:00:00.000Z")
		return at
	}
	at, zoned, err := ParseEventTime(text)
	switch {
	case err != nil:
		r.refuse("bad_event_time", path, "%v", err)
	case !zoned:
		r.warn("event_time_without_zone", path, "%q names no time zone; it was taken as UTC", text)
	}
	return at
}

// readEventType folds case. What it does not know is OTHER: it adds evidence and moves nothing.
func (r *eventReader) readEventType(value jsontext.Value, path string) EventType {
	text, ok := decodeString(value)
	known := EventType(strings.ToUpper(strings.TrimSpace(text)))
	switch known {
	case Start, Running, Complete, Fail, Abort, Other:
		return known
	}
	if !ok || text != "" {
		r.warn("unknown_event_type", path, "%s is no event type of OpenLineage; it was taken as OTHER", excerpt(string(value)))
	}
	return Other
}

func isUUID(text string) bool {
	if len(text) != 36 {
		return false
	}
	for i, char := range []byte(text) {
		switch {
		case i == 8 || i == 13 || i == 18 || i == 23:
			if char != '-' {
				return false
			}
		case !strings.ContainsRune("0123456789abcdefABCDEF", rune(char)):
			return false
		}
	}
	return true
}

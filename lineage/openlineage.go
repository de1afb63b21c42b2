package lineage

import (
	"bytes"
	"encoding/json/jsontext"
	"fmt"
	"strings"
)

// decodeOpenLineage reads a RunEvent, JobEvent or DatasetEvent of the OpenLineage specification, leniently: what is
// null is absent, an unknown member is ignored, and a malformed facet costs that facet and a warning.
// Source: https://openlineage.io/spec/2-0-2/OpenLineage.json
func decodeOpenLineage(payload []byte, limits Limits) (Event, error) {
	members, err := decodeObject(bytes.TrimPrefix(payload, byteOrderMark))
	if err != nil {
		return Event{}, err
	}
	d := documentReader{limits: limits}
	event := d.readDocument(members)
	if d.err != nil {
		return Event{}, d.err
	}
	event.Warnings = d.warnings
	return event, nil
}

// documentReader reads the parts of a document and keeps the first error, and every warning.
type documentReader struct {
	limits   Limits
	warnings []Warning
	err      error
}

func (d *documentReader) fail(err error) {
	if d.err == nil {
		d.err = err
	}
}

func (d *documentReader) warn(code, path, format string, args ...any) {
	d.warnings = append(d.warnings, Warning{Code: code, Path: path, Reason: fmt.Sprintf(format, args...)})
}

func (d *documentReader) readDocument(members map[string]jsontext.Value) Event {
	event := Event{}
	d.readEventTime(&event, members["eventTime"])
	switch {
	case members["run"] != nil:
		event.Kind = RunEvent
		event.Type = d.readEventType(members["eventType"])
		d.readJob(&event, members["job"])
		d.readRun(&event, members["run"])
	case members["job"] != nil:
		event.Kind = JobEvent
		d.readJob(&event, members["job"])
	case members["dataset"] != nil:
		event.Kind = DatasetEvent
		event.Dataset, _ = d.readDataset(members["dataset"], "dataset", "")
		return event
	default:
		d.fail(invalid("unknown_kind", "", "the event has none of run, job and dataset, so there is nothing to say what it is about"))
	}
	event.Inputs = d.readDatasets(members["inputs"], "inputs", "inputFacets")
	event.Outputs = d.readDatasets(members["outputs"], "outputs", "outputFacets")
	return event
}

func (d *documentReader) readEventTime(event *Event, value jsontext.Value) {
	text, ok := decodeString(value)
	if !ok || text == "" {
		d.fail(invalid("missing_event_time", "eventTime", "is missing or no string; send an ISO 8601 time such as 2026-07-19T00:00:00.000Z"))
		return
	}
	at, zoned, err := ParseEventTime(text)
	if err != nil {
		d.fail(err)
		return
	}
	if !zoned {
		d.warn("event_time_without_zone", "eventTime", "%q names no time zone; it was taken as UTC", text)
	}
	event.EventTime = at
}

// readEventType folds case. What it does not know is OTHER: it adds evidence and moves nothing.
func (d *documentReader) readEventType(value jsontext.Value) EventType {
	text, ok := decodeString(value)
	known := EventType(strings.ToUpper(strings.TrimSpace(text)))
	switch known {
	case Start, Running, Complete, Fail, Abort, Other:
		return known
	}
	if !ok || text != "" {
		d.warn("unknown_event_type", "eventType", "%s is no event type of OpenLineage; it was taken as OTHER", value)
	}
	return Other
}

func (d *documentReader) readRun(event *Event, value jsontext.Value) {
	members, err := decodeObject(value)
	if err != nil {
		d.fail(invalid("bad_run", "run", "is %s where a JSON object is expected", kindName(value)))
		return
	}
	text, ok := decodeString(members["runId"])
	text = strings.TrimSpace(text)
	switch {
	case !ok || text == "":
		d.fail(invalid("missing_run_id", "run.runId", "is missing, empty or no string; send the UUID of the run"))
	case len(text) > d.limits.RunIDBytes:
		d.fail(invalid("run_id_too_long", "run.runId", "has %d bytes, more than the limit of %d", len(text), d.limits.RunIDBytes))
	case strings.ContainsRune(text, 0):
		d.fail(invalid("nul_in_name", "run.runId", "holds the character U+0000, which cannot be stored; remove it"))
	case !isUUID(text):
		d.warn("run_id_no_uuid", "run.runId", "%q is no UUID; it was kept as it is", text)
	}
	event.Run = RunKey{Job: event.Job, RunID: strings.ToLower(text)}
	event.RunFacets = d.readFacets(members["facets"], "run.facets")
}

func (d *documentReader) readJob(event *Event, value jsontext.Value) {
	members, err := decodeObject(value)
	if err != nil {
		d.fail(invalid("missing_job", "job", "is missing or no JSON object; every run belongs to a job"))
		return
	}
	event.Job = JobID{
		Namespace: d.readName(members["namespace"], "job.namespace"),
		Name:      d.readName(members["name"], "job.name"),
	}
	event.JobFacets = d.readFacets(members["facets"], "job.facets")
}

func (d *documentReader) readName(value jsontext.Value, path string) string {
	text, ok := decodeString(value)
	if !ok {
		d.fail(invalid("bad_name", path, "is %s where a string is expected", kindName(value)))
		return ""
	}
	if err := checkName(text, path, d.limits); err != nil {
		d.fail(err)
	}
	return text
}

// readDatasets reads inputs or outputs. Datasets that stand in the list more than once are one, the later facets winning.
func (d *documentReader) readDatasets(value jsontext.Value, path, roleFacets string) []Dataset {
	elements, ok := decodeArray(value)
	if !ok {
		d.fail(invalid("bad_datasets", path, "is %s where an array of datasets is expected", kindName(value)))
		return nil
	}
	if len(elements) > d.limits.Datasets {
		d.fail(invalid("too_many_datasets", path, "has %d entries, more than the limit of %d", len(elements), d.limits.Datasets))
		return nil
	}
	datasets := make([]Dataset, 0, len(elements))
	index := make(map[DatasetID]int, len(elements))
	for i, element := range elements {
		dataset, ok := d.readDataset(element, fmt.Sprintf("%s[%d]", path, i), roleFacets)
		if !ok {
			continue
		}
		if first, repeated := index[dataset.DatasetID]; repeated {
			datasets[first].merge(dataset)
			continue
		}
		index[dataset.DatasetID] = len(datasets)
		datasets = append(datasets, dataset)
	}
	return datasets
}

func (d *documentReader) readDataset(value jsontext.Value, path, roleFacets string) (Dataset, bool) {
	if value.Kind() == 'n' {
		d.warn("null_dataset", path, "is null; it was left out")
		return Dataset{}, false
	}
	members, err := decodeObject(value)
	if err != nil {
		d.fail(invalid("bad_dataset", path, "is %s where a JSON object is expected", kindName(value)))
		return Dataset{}, false
	}
	dataset := Dataset{
		DatasetID: DatasetID{
			Namespace: d.readName(members["namespace"], path+".namespace"),
			Name:      d.readName(members["name"], path+".name"),
		},
		Facets: d.readFacets(members["facets"], path+".facets"),
	}
	if roleFacets != "" {
		dataset.RoleFacets = d.readFacets(members[roleFacets], path+"."+roleFacets)
	}
	return dataset, true
}

func (d *Dataset) merge(later Dataset) {
	for name, facet := range later.Facets {
		if d.Facets == nil {
			d.Facets = Facets{}
		}
		d.Facets[name] = facet
	}
	for name, facet := range later.RoleFacets {
		if d.RoleFacets == nil {
			d.RoleFacets = Facets{}
		}
		d.RoleFacets[name] = facet
	}
}

// readFacets keeps facets verbatim. What is no object costs that facet and a warning.
func (d *documentReader) readFacets(value jsontext.Value, path string) Facets {
	if len(value) == 0 {
		return nil
	}
	members, err := decodeObject(value)
	if err != nil {
		d.warn("malformed_facet", path, "is %s where a JSON object is expected; it was left out", kindName(value))
		return nil
	}
	for name, facet := range members {
		if facet.Kind() != '{' {
			d.warn("malformed_facet", path+"."+name, "is %s where a JSON object is expected; it was left out", kindName(facet))
			delete(members, name)
		}
	}
	return members
}

func isUUID(text string) bool {
	if len(text) != 36 {
		return false
	}
	for i, r := range text {
		switch i {
		case 8, 13, 18, 23:
			if r != '-' {
				return false
			}
		default:
			if !strings.ContainsRune("0123456789abcdefABCDEF", r) {
				return false
			}
		}
	}
	return true
}

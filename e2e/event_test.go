package e2e

import (
	"encoding/json/v2"
	"time"

	"github.com/google/uuid"

	"github.com/headwater-data/headwater/lineage"
)

// event is a RunEvent of a job whose datasets are in the namespace of the job.
type event struct {
	kind            lineage.EventType
	at              time.Time
	run             string
	namespace, job  string
	inputs, outputs []string
	// streaming tells that the job has no natural end.
	streaming bool
	// parent is the run that started this one.
	parent *lineage.RunKey
}

func newRunID() string { return uuid.NewString() }

func (e event) document() []byte {
	job := map[string]any{"namespace": e.namespace, "name": e.job}
	if e.streaming {
		job["facets"] = map[string]any{"jobType": map[string]any{"processingType": "STREAMING", "integration": "FLINK"}}
	}
	run := map[string]any{"runId": e.run}
	if e.parent != nil {
		run["facets"] = map[string]any{"parent": map[string]any{
			"run": map[string]any{"runId": e.parent.RunID},
			"job": map[string]any{"namespace": e.parent.Job.Namespace, "name": e.parent.Job.Name},
		}}
	}
	document, err := json.Marshal(map[string]any{
		"eventType": e.kind,
		"eventTime": e.at.UTC().Format(time.RFC3339Nano),
		"run":       run,
		"job":       job,
		"inputs":    e.datasets(e.inputs),
		"outputs":   e.datasets(e.outputs),
		"producer":  "https://github.com/headwater-data/headwater/tree/main/e2e",
		"schemaURL": "https://openlineage.io/spec/2-0-2/OpenLineage.json#/$defs/RunEvent",
	}, json.Deterministic(true))
	if err != nil {
		panic(err) // there is nothing in it that JSON cannot say
	}
	return document
}

func (e event) datasets(names []string) []lineage.DatasetID {
	datasets := make([]lineage.DatasetID, len(names))
	for i, name := range names {
		datasets[i] = lineage.DatasetID{Namespace: e.namespace, Name: name}
	}
	return datasets
}

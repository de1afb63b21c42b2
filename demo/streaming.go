package demo

import (
	"fmt"
	"time"

	"google.golang.org/protobuf/types/known/structpb"
	"google.golang.org/protobuf/types/known/timestamppb"

	headwaterv1 "github.com/headwater-data/headwater/gen/headwater/v1"
	"github.com/headwater-data/headwater/lineage"
)

var flink = integration{
	name: "FLINK", namespace: "flink-prod",
	producer: "https://github.com/OpenLineage/OpenLineage/tree/1.54.0/integration/flink",
	engine:   "flink", version: "2.1.0",
}

// streaming is a Flink job that makes sessions of clicks, and a Kafka connector that carries them into the
// warehouse. Neither ever ends.
func (n night) streaming() []Event {
	job := n.run(flink, "sessionize_clicks", "JOB", "STREAMING", "1")
	output := flink.written(sessions, map[string][]influence{
		"customer_id": {identity(clicks, "customer_id")},
		"session_id":  {transformed(clicks, "visitor_id")},
		"clicks":      {aggregated(clicks, "url")},
		"started_at":  {aggregated(clicks, "clicked_at")},
	}, indirect("GROUP_BY", clicks, "visitor_id"))
	inputs, outputs := flink.datasets(clicks), []dataset{output}
	return []Event{
		job.event(n.before(56), lineage.Start, inputs, outputs),
		job.event(n.before(28), lineage.Running, inputs, outputs),
		job.event(n.before(1), lineage.Running, inputs, outputs),
		n.carrying(lineage.Start, 55, 0, 0),
		n.carrying(lineage.Running, 27, 0, 18_400),
		n.carrying(lineage.Running, 2, 18_400, 36_950),
	}
}

// carrying is a report of the connector: which records of the topic it has written since the report before.
func (n night) carrying(kind lineage.EventType, minutes int, from, to int64) Event {
	job := lineage.JobID{Namespace: "kafka-connect-prod", Name: "sessions_to_bigquery"}
	event := n.envelope(job, kind, n.before(minutes))
	event.Job.Facets = structOf(map[string]any{"jobType": map[string]any{
		"integration": "KAFKA_CONNECT", "jobType": "CONNECTOR", "processingType": "STREAMING",
	}})
	event.Inputs = []*headwaterv1.EventDataset{{
		Namespace: sessions.Namespace, Name: sessions.Name,
		Offsets: []*headwaterv1.OffsetRange{{Partition: "0", From: from, To: to}},
	}}
	event.Outputs = envelopeDatasets(rawSessions)
	return Event{At: n.before(minutes), Envelope: event}
}

// envelope starts an event of a job that reports without OpenLineage. The producer is named after the job's namespace.
func (n night) envelope(job lineage.JobID, kind lineage.EventType, at time.Time) *headwaterv1.Event {
	return &headwaterv1.Event{
		EventId:       fmt.Sprintf("%s-%s-%s", job.Name, kind, at.Format(time.RFC3339)),
		Producer:      job.Namespace,
		SchemaVersion: lineage.EnvelopeVersion,
		EmittedAt:     timestamppb.New(at),
		Job:           &headwaterv1.EventJob{Namespace: job.Namespace, Name: job.Name},
		RunId:         n.runID(job, "1"),
		State:         new(string(kind)),
	}
}

func envelopeDatasets(tables ...table) []*headwaterv1.EventDataset {
	mentioned := make([]*headwaterv1.EventDataset, len(tables))
	for i, of := range tables {
		mentioned[i] = &headwaterv1.EventDataset{Namespace: of.Namespace, Name: of.Name}
	}
	return mentioned
}

func structOf(members map[string]any) *structpb.Struct {
	message, err := structpb.NewStruct(members)
	if err != nil {
		panic(fmt.Sprintf("demo: %v", err)) // there is nothing in it that a Struct cannot say
	}
	return message
}

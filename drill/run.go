package main

import (
	"encoding/json/v2"
	"fmt"
	"math/rand/v2"
	"time"

	"github.com/google/uuid"
)

// run is one run whose events are known before they are sent: the ground truth of a drill.
type run struct {
	id             string
	namespace, job string
	streaming      bool
	input, output  string
	// batch has all events sent in one request.
	batch bool
	// events are in the order in which they are sent.
	events []event
}

// event is one OpenLineage document.
type event struct {
	// id stands in the document, so that the event is found again wherever it is kept.
	id       string
	kind     kind
	at       time.Time // by the clock of the producer
	document []byte
	// repeat has the event sent once more after its acknowledgement, as by a client that missed that.
	repeat bool
}

// kind is the type of an event, as OpenLineage has it.
type kind string

const (
	start    kind = "START"
	running  kind = "RUNNING"
	complete kind = "COMPLETE"
	fail     kind = "FAIL"
	abort    kind = "ABORT"
	other    kind = "OTHER"
)

// script is the life of a run: its events as they are sent, at how many seconds of the run each happens.
type script struct {
	weight    int // how often it is drawn
	streaming bool
	steps     []step
}

type step struct {
	kind   kind
	second int
}

var scripts = []script{
	{weight: 8, steps: []step{{start, 0}, {running, 1}, {complete, 2}}},
	{weight: 3, steps: []step{{start, 0}, {fail, 2}}},
	{weight: 2, steps: []step{{start, 0}, {running, 1}, {abort, 2}}},
	{weight: 2, steps: []step{{start, 0}, {other, 1}, {complete, 2}}},
	{weight: 2, steps: []step{{complete, 2}}},
	{weight: 2, steps: []step{{start, 0}, {running, 1}}},
	{weight: 2, steps: []step{{complete, 2}, {start, 0}}},             // the start is late
	{weight: 2, steps: []step{{start, 0}, {complete, 2}, {fail, 3}}},  // the failure overrules
	{weight: 1, steps: []step{{start, 0}, {fail, 3}, {complete, 2}}},  // and does so when it comes first
	{weight: 1, steps: []step{{start, 0}, {complete, 2}, {abort, 2}}}, // neither is later
	{weight: 2, streaming: true, steps: []step{{start, 0}, {running, 1}, {running, 2}}},
	{weight: 1, streaming: true, steps: []step{{running, 1}, {complete, 2}}},
}

// author invents the runs of one drill. The same seed gives the same runs.
type author struct {
	random    *rand.Rand
	namespace string
	skews     []time.Duration // that a producer's clock may have
}

// jobs is how many jobs the runs of a drill belong to, so that each has a history.
const jobs = 40

// next invents a run that begins now by a right clock.
func (a *author) next(now time.Time) *run {
	var id uuid.UUID
	for i := range id {
		id[i] = byte(a.random.Uint32())
	}
	id[6], id[8] = id[6]&0x0f|0x40, id[8]&0x3f|0x80 // version 4
	job := a.random.IntN(jobs)
	r := &run{
		id: id.String(), namespace: a.namespace, job: fmt.Sprintf("job_%02d", job),
		input: fmt.Sprintf("raw.table_%02d", a.random.IntN(jobs)), output: fmt.Sprintf("mart.table_%02d", job),
		batch: a.random.IntN(4) == 0,
	}
	if len(a.skews) > 0 {
		now = now.Add(a.skews[a.random.IntN(len(a.skews))])
	}
	drawn := a.draw()
	r.streaming = drawn.streaming
	for i, step := range drawn.steps {
		e := event{
			id: fmt.Sprintf("%s/%d", r.id, i), kind: step.kind,
			at:     now.Add(time.Duration(step.second) * time.Second).UTC().Truncate(time.Microsecond),
			repeat: a.random.IntN(20) == 0,
		}
		e.document = r.encode(e)
		r.events = append(r.events, e)
	}
	return r
}

func (a *author) draw() script {
	total := 0
	for _, s := range scripts {
		total += s.weight
	}
	drawn := a.random.IntN(total)
	for _, s := range scripts {
		if drawn -= s.weight; drawn < 0 {
			return s
		}
	}
	panic("unreachable: the draw is below the sum of the weights")
}

// marker is the facet of the run in which an event carries its id.
const marker = "headwater_drill"

func (r *run) encode(e event) []byte {
	mode := "BATCH"
	if r.streaming {
		mode = "STREAMING"
	}
	facet := func(members map[string]any) map[string]any {
		members["_producer"], members["_schemaURL"] = producerURL, producerURL
		return members
	}
	dataset := func(name string) []map[string]string {
		return []map[string]string{{"namespace": r.namespace, "name": name}}
	}
	document, err := json.Marshal(map[string]any{
		"eventType": e.kind,
		"eventTime": e.at.Format(time.RFC3339Nano),
		"run":       map[string]any{"runId": r.id, "facets": map[string]any{marker: facet(map[string]any{"event": e.id})}},
		"job": map[string]any{
			"namespace": r.namespace, "name": r.job,
			"facets": map[string]any{"jobType": facet(map[string]any{"processingType": mode, "integration": "SPARK"})},
		},
		"inputs":    dataset(r.input),
		"outputs":   dataset(r.output),
		"producer":  producerURL,
		"schemaURL": "https://openlineage.io/spec/2-0-2/OpenLineage.json#/$defs/RunEvent",
	}, json.Deterministic(true))
	if err != nil {
		panic(err) // there is nothing in it that JSON cannot say
	}
	return document
}

const producerURL = "https://github.com/headwater-data/headwater/tree/main/drill"

// markerOf reads the id that an event of a drill carries; empty for any other payload.
func markerOf(payload []byte) string {
	var document struct {
		Run struct {
			Facets struct {
				Marker struct {
					Event string `json:"event"`
				} `json:"headwater_drill"`
			} `json:"facets"`
		} `json:"run"`
	}
	if json.Unmarshal(payload, &document) != nil {
		return ""
	}
	return document.Run.Facets.Marker.Event
}

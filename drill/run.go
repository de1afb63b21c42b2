package main

import (
	"fmt"
	"math/rand/v2"
	"time"

	"github.com/google/uuid"

	"github.com/headwater-data/headwater/drill/oracle"
	"github.com/headwater-data/headwater/internal/system"
)

// run is one run of which all is known before it is sent: the ground truth of a drill.
type run struct {
	id             string
	namespace, job string
	streaming      bool
	asked          *asked
	input, output  string
	// batch has all its documents sent in one request, before its markers.
	batch bool
	// events are in the order in which they are sent.
	events []event
}

// event is one thing that is said of a run, as it is sent.
type event struct {
	// id stands in the body, so that the event is found again wherever it is kept.
	id   string
	word oracle.Word
	// gate is what a check answers.
	gate string
	at   time.Time // by the clock of the producer
	door string
	body []byte
	// repeat has the event sent once more after its acknowledgement, as by a client that missed that.
	repeat bool
}

// implied says what becomes of the run. received tells when each event was received, with a zero time for one that never
// was.
func (r *run) implied(received func(eventID string) time.Time) oracle.Fate {
	told := oracle.Run{Streaming: r.streaming, Gates: r.asked.gates, TimesOut: r.asked.wait > 0, AtTimeout: r.asked.atTimeout}
	for _, e := range r.events {
		told.Said = append(told.Said, oracle.Said{Word: e.word, Gate: e.gate, At: e.at, Received: received(e.id)})
	}
	fate := told.Fate()
	fate.Until = time.Time{} // what people are told of a run does not say it apart
	return fate
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
	job, drawn := a.random.IntN(jobs), a.draw()
	r := &run{
		id: id.String(), namespace: a.namespace, job: fmt.Sprintf("job_%02d", job),
		input: fmt.Sprintf("raw.table_%02d", a.random.IntN(jobs)), output: fmt.Sprintf("%s.table_%02d", drawn.asked.prefix, job),
		batch: a.random.IntN(4) == 0, streaming: drawn.streaming, asked: drawn.asked,
	}
	if len(a.skews) > 0 {
		r.batch = false // what comes at once from a clock far ahead counts as of one time
		now = now.Add(a.skews[a.random.IntN(len(a.skews))])
	}
	for i, step := range drawn.steps {
		e := event{
			id: fmt.Sprintf("%s/%d", r.id, i), word: step.word, door: system.SingleDoor,
			at:     now.Add(time.Duration(step.second) * time.Second).UTC().Truncate(time.Microsecond),
			repeat: a.random.IntN(20) == 0,
		}
		if step.word == passed || step.word == failed {
			e.gate = qualityGate
		}
		switch isFacet := a.random.IntN(2) == 0; {
		case !isMarker(step.word), hasFacet(step.word) && isFacet:
			e.body = r.document(e)
		default:
			e.door, e.body = markerDoor, r.marker(e)
		}
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

package main

import (
	"bytes"
	"context"
	"fmt"
	"net/http"
	"slices"
	"sync"
	"time"

	"github.com/headwater-data/headwater/internal/system"
)

const (
	// senders is how many requests are under way at a time.
	senders = 24
	// patience is how long a sender waits for an answer, as OpenLineage clients do.
	patience = 5 * time.Second
	// again is when a sender sends again what was not acknowledged.
	again = 100 * time.Millisecond
)

// markerDoor takes markers as JSON.
const markerDoor = "/headwater.v1.IngestService/SubmitMarkers"

// load sends runs, each event again and again until it is acknowledged.
type load struct {
	producer *system.Caller
	author   *author
	rate     int // runs that begin in a second, unless the senders cannot keep up
	ledger   *ledger
	// hush is held by who wants that nothing is sent for a while.
	hush sync.RWMutex
}

// run begins runs until begin ends, and returns once their events are acknowledged or ctx ends.
func (l *load) run(ctx, begin context.Context) {
	runs := make(chan *run)
	var sending sync.WaitGroup
	for range senders {
		sending.Go(func() {
			for r := range runs {
				l.send(ctx, r)
			}
		})
	}
	tick := time.NewTicker(time.Second / time.Duration(l.rate))
	defer tick.Stop()
	for {
		select {
		case <-begin.Done():
			close(runs)
			sending.Wait()
			return
		case <-tick.C:
		}
		r := l.author.next(time.Now())
		select {
		case runs <- r:
		case <-begin.Done():
		}
	}
}

func (l *load) send(ctx context.Context, r *run) {
	l.ledger.begin(r)
	rest := r.events
	if r.batch {
		var documents []event
		documents, rest = split(r.events)
		if !l.untilAcknowledged(ctx, system.BatchDoor, documents...) {
			return
		}
	}
	for _, e := range rest {
		if !l.untilAcknowledged(ctx, e.door, e) {
			return
		}
		if e.repeat {
			l.untilAcknowledged(ctx, e.door, e)
		}
	}
}

// split parts the documents from the markers.
func split(events []event) (documents, markers []event) {
	for _, e := range events {
		if e.door == markerDoor {
			markers = append(markers, e)
		} else {
			documents = append(documents, e)
		}
	}
	return documents, markers
}

// untilAcknowledged reports whether the events were acknowledged. They are not when ctx ends before, or when the door
// said what it must not say.
func (l *load) untilAcknowledged(ctx context.Context, door string, events ...event) bool {
	body := events[0].body
	if door == system.BatchDoor {
		body = slices.Concat([]byte("["), bytes.Join(bodies(events), []byte(",")), []byte("]"))
	}
	tick := time.NewTicker(again)
	defer tick.Stop()
	for {
		answered, err := l.post(ctx, door, body)
		switch {
		case ctx.Err() != nil:
			return false
		case err != nil:
			l.ledger.broken()
		case answered.accepted():
			for _, e := range events {
				l.ledger.acknowledge(e.id, answered.offset())
			}
			return true
		case answered.putOff():
			l.ledger.refused()
		default:
			l.ledger.complain("event %s was answered %s", events[0].id, answered)
			return false
		}
		select {
		case <-ctx.Done():
			return false
		case <-tick.C:
		}
	}
}

func bodies(events []event) [][]byte {
	list := make([][]byte, len(events))
	for i, e := range events {
		list[i] = e.body
	}
	return list
}

// answer is what a door says.
type answer struct {
	system.Answer `json:"-"`

	// What the door for single events says, the one for batches, and the one for markers.
	Offset       int64     `json:"offset"`
	FailedEvents []any     `json:"failed_events"`
	Receipts     []receipt `json:"receipts"`
}

type receipt struct {
	Accepted *struct {
		Offset int64 `json:"offset,string"`
	} `json:"accepted"`
	Rejected *struct {
		Retriable bool `json:"retriable"`
	} `json:"rejected"`
}

func (l *load) post(ctx context.Context, door string, body []byte) (said answer, err error) {
	l.hush.RLock()
	defer l.hush.RUnlock()
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	said.Answer, err = l.producer.Post(ctx, door, body, &said)
	return said, err
}

func (a answer) accepted() bool {
	switch {
	case a.Status == http.StatusCreated:
		return true
	case a.Status != http.StatusOK:
		return false
	case len(a.Receipts) == 1:
		return a.Receipts[0].Accepted != nil
	default:
		return len(a.FailedEvents) == 0
	}
}

// offset is where a single event stands in the log; 0 for a batch.
func (a answer) offset() int64 {
	if len(a.Receipts) == 1 {
		return a.Receipts[0].Accepted.Offset
	}
	return a.Offset
}

// putOff reports that the producer was told to send again later.
func (a answer) putOff() bool {
	if a.Status == http.StatusOK && len(a.Receipts) == 1 {
		return a.Receipts[0].Rejected != nil && a.Receipts[0].Rejected.Retriable
	}
	return (a.Status == http.StatusTooManyRequests || a.Status == http.StatusServiceUnavailable) && a.Header.Get("Retry-After") != ""
}

// String quotes the answer.
func (a answer) String() string { return fmt.Sprintf("%d %s", a.Status, bytes.TrimSpace(a.Body)) }

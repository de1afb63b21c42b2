package main

import (
	"bytes"
	"context"
	"encoding/json/v2"
	"fmt"
	"io"
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

const (
	singleDoor = "/api/v1/lineage"
	batchDoor  = "/api/v1/lineage/batch"
)

// load sends runs, each event again and again until it is acknowledged.
type load struct {
	producer *system.Caller
	author   *author
	rate     int // runs that begin in a second, unless the senders cannot keep up
	ledger   *ledger
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
	if r.batch {
		l.untilAcknowledged(ctx, batchDoor, r.events...)
		return
	}
	for _, e := range r.events {
		if !l.untilAcknowledged(ctx, singleDoor, e) {
			return
		}
		if e.repeat {
			l.untilAcknowledged(ctx, singleDoor, e)
		}
	}
}

// untilAcknowledged reports whether the events were acknowledged. They are not when ctx ends before, or when the door
// said what it must not say.
func (l *load) untilAcknowledged(ctx context.Context, path string, events ...event) bool {
	body := events[0].document
	if path == batchDoor {
		body = slices.Concat([]byte("["), bytes.Join(documents(events), []byte(",")), []byte("]"))
	}
	tick := time.NewTicker(again)
	defer tick.Stop()
	for {
		answered, err := l.post(ctx, path, body)
		switch {
		case ctx.Err() != nil:
			return false
		case err != nil:
			l.ledger.broken()
		case answered.accepted():
			for _, e := range events {
				l.ledger.acknowledge(e.id, answered.Offset)
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

func documents(events []event) [][]byte {
	list := make([][]byte, len(events))
	for i, e := range events {
		list[i] = e.document
	}
	return list
}

// answer is what a door says.
type answer struct {
	status     int
	retryAfter string
	body       []byte

	Offset       int64 `json:"offset"`
	FailedEvents []any `json:"failed_events"`
}

func (l *load) post(ctx context.Context, path string, body []byte) (answer, error) {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, l.producer.URL+path, bytes.NewReader(body))
	if err != nil {
		return answer{}, err
	}
	request.Header.Set("Content-Type", "application/json")
	response, err := l.producer.HTTP.Do(request)
	if err != nil {
		return answer{}, err
	}
	defer response.Body.Close()
	a := answer{status: response.StatusCode, retryAfter: response.Header.Get("Retry-After")}
	if a.body, err = io.ReadAll(response.Body); err != nil {
		return answer{}, err
	}
	return a, json.Unmarshal(a.body, &a)
}

func (a answer) accepted() bool {
	return a.status == http.StatusCreated || a.status == http.StatusOK && len(a.FailedEvents) == 0
}

// putOff reports that the producer was told to send again later.
func (a answer) putOff() bool {
	return (a.status == http.StatusTooManyRequests || a.status == http.StatusServiceUnavailable) && a.retryAfter != ""
}

// String quotes the answer.
func (a answer) String() string { return fmt.Sprintf("%d %s", a.status, bytes.TrimSpace(a.body)) }

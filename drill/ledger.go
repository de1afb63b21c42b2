package main

import (
	"fmt"
	"sync"
)

// ledger is what the producer knows: which events it sent, and what it was told of each. It may be used concurrently.
type ledger struct {
	mu   sync.Mutex
	runs []*run
	// acknowledged maps an event to the offset that its acknowledgement named, 0 where it named none.
	acknowledged map[string]int64
	// refusals counts the answers 429 and 503, breaks the requests that got no answer.
	refusals, breaks int
	// complaints are answers that should not be.
	complaints []string
}

func newLedger() *ledger { return &ledger{acknowledged: map[string]int64{}} }

func (l *ledger) begin(r *run) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.runs = append(l.runs, r)
}

// begun counts the runs that have begun.
func (l *ledger) begun() int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return len(l.runs)
}

// acknowledge notes an acknowledgement. A repeated one must name the same offset.
func (l *ledger) acknowledge(eventID string, offset int64) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if before := l.acknowledged[eventID]; before != 0 && offset != 0 && before != offset {
		l.complaints = append(l.complaints, fmt.Sprintf("event %s was acknowledged at offset %d and at %d", eventID, before, offset))
	}
	l.acknowledged[eventID] = max(offset, l.acknowledged[eventID])
}

func (l *ledger) refused() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.refusals++
}

func (l *ledger) broken() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.breaks++
}

func (l *ledger) complain(format string, args ...any) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.complaints = append(l.complaints, fmt.Sprintf(format, args...))
}

// unacknowledged counts the events that were to be sent and were never acknowledged.
func (l *ledger) unacknowledged() int {
	l.mu.Lock()
	defer l.mu.Unlock()
	planned := 0
	for _, r := range l.runs {
		planned += len(r.events)
	}
	return planned - len(l.acknowledged)
}

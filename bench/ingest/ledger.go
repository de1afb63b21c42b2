package main

import (
	"sync"
	"time"

	"github.com/headwater-data/headwater/bench/report"
	"github.com/headwater-data/headwater/lineage"
)

// acknowledgement is one event that was answered 201.
type acknowledgement struct {
	serial int // in the corpus
	run    int
	last   bool // it ended the run
	offset lineage.Offset
	at     time.Time
	// took is from the moment at which it was due.
	took time.Duration
}

// ledger is what came of the events of one load.
type ledger struct {
	mu           sync.Mutex
	acknowledged []acknowledgement
	// refused counts answers by their code, and failed what got no answer: it may be in the log or not.
	refused map[string]int
	failed  int
}

func newLedger() *ledger { return &ledger{refused: map[string]int{}} }

func (l *ledger) note(a acknowledgement, answered answer, err error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	switch {
	case err != nil:
		l.failed++
	case answered.acknowledged():
		a.offset = answered.Offset
		l.acknowledged = append(l.acknowledged, a)
	default:
		l.refused[answered.Code]++
	}
}

func (l *ledger) latencies() report.Latencies {
	latencies := make(report.Latencies, len(l.acknowledged))
	for i, a := range l.acknowledged {
		latencies[i] = a.took
	}
	return latencies
}

func (l *ledger) turnedAway() int {
	count := 0
	for _, refused := range l.refused {
		count += refused
	}
	return count
}

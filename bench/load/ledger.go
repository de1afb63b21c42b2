package load

import (
	"sync"
	"time"

	"github.com/headwater-data/headwater/bench/report"
	"github.com/headwater-data/headwater/lineage"
)

// Acknowledgement is one event that was answered 201.
type Acknowledgement struct {
	Serial int // in the corpus
	Run    int
	Last   bool // it ended the run
	Offset lineage.Offset

	at time.Time
	// took is from the moment at which it was due.
	took time.Duration
}

// Ledger is what came of the events of one load.
type Ledger struct {
	Acknowledged []Acknowledgement

	mu sync.Mutex
	// refused counts answers by their code, and failed what got no answer: it may be in the log or not.
	refused map[string]int
	failed  int
}

func newLedger() *Ledger { return &Ledger{refused: map[string]int{}} }

func (l *Ledger) note(a Acknowledgement, answered answer, err error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	switch {
	case err != nil:
		l.failed++
	case answered.acknowledged():
		a.Offset = answered.Offset
		l.Acknowledged = append(l.Acknowledged, a)
	default:
		l.refused[answered.Code]++
	}
}

// Latencies are from the moment at which each event was due until it was acknowledged.
func (l *Ledger) Latencies() report.Latencies {
	latencies := make(report.Latencies, len(l.Acknowledged))
	for i, a := range l.Acknowledged {
		latencies[i] = a.took
	}
	return latencies
}

func (l *Ledger) turnedAway() int {
	count := 0
	for _, refused := range l.refused {
		count += refused
	}
	return count
}

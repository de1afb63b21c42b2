package load

import (
	"context"
	"sync"
	"time"

	"github.com/headwater-data/headwater/bench/report"
)

// publishedLimit is how long a run may take to be published before it counts as never.
const publishedLimit = time.Minute

// Steady is a load that decisions keep up with.
type Steady struct {
	// Runs begin in a second, for a Duration.
	Runs     float64
	Duration time.Duration
	// Events are those of each run that are sent, by their place in it, in that order.
	Events []int
	// Pause lies between the acknowledgement of one of them and the next.
	Pause time.Duration
}

// Published is when runs of a steady load were.
type Published struct {
	// Latencies are from the acknowledgement of a run's last event until the run was seen as published.
	Latencies report.Latencies
	// Never counts the runs that were not within a minute.
	Never int
	// Runs are those that were published, as the corpus numbers them.
	Runs []int
}

// Steady sends a steady load and waits until its runs are published.
func (r *Rig) Steady(ctx context.Context, s Steady) (*Ledger, Published) {
	l := newLedger()
	var (
		mu        sync.Mutex
		published Published
		living    sync.WaitGroup
		block     int
	)
	begun := time.Now()
	interval := time.Duration(float64(time.Second) / s.Runs)
	for i := 0; time.Duration(i)*interval < s.Duration && ctx.Err() == nil; i++ {
		if i%interleaved == 0 {
			block = r.serials.block()
			r.serials.next.Add(int64(blockEvents))
		}
		first := block + i%interleaved
		at := begun.Add(time.Duration(i) * interval)
		wait(ctx, time.Until(at))
		living.Go(func() {
			if !r.live(ctx, l, s, first, at) {
				return // it is in the ledger
			}
			acknowledged, run := time.Now(), r.Corpus.Event(first).Run
			seen, err := r.awaitPublished(ctx, run, publishedLimit)
			mu.Lock()
			defer mu.Unlock()
			if err != nil {
				published.Never++
				return
			}
			published.Latencies = append(published.Latencies, seen.Sub(acknowledged))
			published.Runs = append(published.Runs, run)
		})
	}
	living.Wait()
	return l, published
}

// live sends the events of a run, and tells whether all were acknowledged.
func (r *Rig) live(ctx context.Context, l *Ledger, s Steady, first int, due time.Time) bool {
	for i, event := range s.Events {
		if i > 0 {
			wait(ctx, s.Pause)
			due = time.Now()
		}
		if !r.sender.sendInto(ctx, l, first+event*interleaved, due) {
			return false
		}
	}
	return true
}

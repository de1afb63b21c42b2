package main

import (
	"context"
	"sync"
	"time"

	"github.com/headwater-data/headwater/bench/report"
)

// publishedLimit is how long a run may take to be published before it counts as never.
const publishedLimit = time.Minute

// trickle starts and ends rate runs a second for a while. It returns how long after the acknowledgement of its end each
// run was seen as published, and how many were not within publishedLimit.
func trickle(ctx context.Context, s *sender, o *observer, numbers *serials, rate float64, duration time.Duration) (l *ledger, published report.Latencies, never int) {
	l = newLedger()
	var mu sync.Mutex
	var waiting sync.WaitGroup
	begun := time.Now()
	interval := time.Duration(float64(time.Second) / rate)
	var block int
	for i := 0; time.Duration(i)*interval < duration && ctx.Err() == nil; i++ {
		if i%interleaved == 0 {
			block = numbers.block()
			numbers.next.Add(int64(blockEvents))
		}
		at := begun.Add(time.Duration(i) * interval)
		wait(ctx, time.Until(at))
		started := block + i%interleaved
		ended := started + blockEvents - interleaved
		waiting.Go(func() {
			if !s.sendInto(ctx, l, started, at) || !s.sendInto(ctx, l, ended, time.Now()) {
				return // it is in the ledger
			}
			acknowledged := time.Now()
			seen, err := o.awaitPublished(ctx, s.corpus.event(ended).run, publishedLimit)
			mu.Lock()
			defer mu.Unlock()
			if err != nil {
				never++
				return
			}
			published = append(published, seen.Sub(acknowledged))
		})
	}
	waiting.Wait()
	return l, published, never
}

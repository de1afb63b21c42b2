package load

import (
	"context"
	"sync"
	"sync/atomic"
	"time"
)

// senders is how many events may be under way at a time. In an open loop it is reached only by a server that stands
// still for a second or so, and then what is due later waits here; its latency counts all the same.
const senders = 400

// serials numbers the events of all loads, so that no event is sent twice.
type serials struct{ next atomic.Int64 }

// block moves on to the next block of runs and returns its first serial, so that a load begins with starts.
func (s *serials) block() int {
	first := (s.next.Load() + int64(blockEvents) - 1) / int64(blockEvents) * int64(blockEvents)
	s.next.Store(first)
	return int(first)
}

func (s *serials) take() int { return int(s.next.Add(1) - 1) }

// OpenLoop sends rate events a second, each when it is due, for a while.
func (r *Rig) OpenLoop(ctx context.Context, rate float64, duration time.Duration) *Ledger {
	r.serials.block()
	l := newLedger()
	type due struct {
		serial int
		at     time.Time
	}
	waiting := make(chan due, int(rate*duration.Seconds())+1) // holds all, so that the clock never waits
	var sending sync.WaitGroup
	for range senders {
		sending.Go(func() {
			for next := range waiting {
				r.sender.sendInto(ctx, l, next.serial, next.at)
			}
		})
	}
	begun := time.Now()
	interval := time.Duration(float64(time.Second) / rate)
	for i := 0; time.Duration(i)*interval < duration && ctx.Err() == nil; i++ {
		at := begun.Add(time.Duration(i) * interval)
		wait(ctx, time.Until(at))
		waiting <- due{r.serials.take(), at}
	}
	close(waiting)
	sending.Wait()
	return l
}

// ClosedLoop has a number of senders send as fast as they get answers, for a while.
func (r *Rig) ClosedLoop(ctx context.Context, count int, duration time.Duration) *Ledger {
	r.serials.block()
	l := newLedger()
	ctx, cancel := context.WithTimeout(ctx, duration)
	defer cancel()
	var sending sync.WaitGroup
	for range count {
		sending.Go(func() {
			for ctx.Err() == nil {
				serial, at := r.serials.take(), time.Now()
				// What is under way when time is up is finished: its outcome would not be known otherwise.
				if !r.sender.sendInto(context.WithoutCancel(ctx), l, serial, at) {
					wait(ctx, time.Second)
				}
			}
		})
	}
	sending.Wait()
	return l
}

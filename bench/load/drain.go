package load

import (
	"context"
	"fmt"
	"time"

	"github.com/headwater-data/headwater/projection"
)

// Drained is how a backlog of decisions went down.
type Drained struct {
	// Waited runs had ended and were undecided at the beginning, and Left are so in the end.
	Waited, Left int64
	Took         time.Duration
}

// PerSecond is how many runs were decided in a second.
func (d Drained) PerSecond() float64 { return float64(d.Waited-d.Left) / d.Took.Seconds() }

// Drain watches until no run that has ended waits for a decision, or time is up. It counts in the store: answers count
// only up to a thousand.
func (r *Rig) Drain(ctx context.Context, limit time.Duration) (Drained, error) {
	var drained Drained
	store := projection.NewStore(r.Pool)
	begun := time.Now()
	for first := true; ; first = false {
		waiting, err := store.Awaiting(ctx)
		if err != nil {
			return Drained{}, fmt.Errorf("ask for the backlog: %w", err)
		}
		if first {
			drained.Waited = waiting.Decision
		}
		drained.Left, drained.Took = waiting.Decision, time.Since(begun)
		if drained.Left == 0 || drained.Took >= limit || ctx.Err() != nil {
			return drained, ctx.Err()
		}
		wait(ctx, time.Second/4)
	}
}

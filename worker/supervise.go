package worker

import (
	"context"
	"log/slog"
	"time"

	"github.com/cenkalti/backoff/v5"
)

// soundLife is how long a part must have run for its failure to count as the first.
const soundLife = time.Minute

// supervise runs a part, and runs it again after a growing pause whenever it ends, until ctx ends.
func supervise(ctx context.Context, logger *slog.Logger, name string, part func(context.Context) error) {
	delay := newBackOff()
	for {
		began := time.Now()
		err := part(ctx)
		if ctx.Err() != nil {
			return
		}
		if time.Since(began) > soundLife {
			delay.Reset()
		}
		wait := delay.NextBackOff()
		logger.ErrorContext(ctx, "a part of the worker ended and begins again", "part", name, "after", wait, "error", err)
		if pause(ctx, wait) != nil {
			return
		}
	}
}

func newBackOff() *backoff.ExponentialBackOff {
	return &backoff.ExponentialBackOff{
		InitialInterval: 100 * time.Millisecond, RandomizationFactor: 0.2, Multiplier: 2, MaxInterval: 10 * time.Second,
	}
}

// pause waits, and returns the error of a context that ends meanwhile.
func pause(ctx context.Context, d time.Duration) error {
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-time.After(d):
		return nil
	}
}

package activities

import (
	"context"
	"time"

	"go.temporal.io/sdk/activity"
)

// heartbeatInterval is well below the heartbeat timeout of long activities.
const heartbeatInterval = 5 * time.Second

// heartbeat tells Temporal that the activity lives, until stop is called: for work that cannot tell how far it is.
func heartbeat(ctx context.Context) (stop func()) {
	done := make(chan struct{})
	go func() {
		ticker := time.NewTicker(heartbeatInterval)
		defer ticker.Stop()
		for {
			select {
			case <-done:
				return
			case <-ctx.Done():
				return
			case <-ticker.C:
				activity.RecordHeartbeat(ctx)
			}
		}
	}()
	return func() { close(done) }
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

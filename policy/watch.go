package policy

import (
	"context"
	"time"
)

const (
	// settleTime is how long the files must rest before they are read: one save is several events.
	settleTime = 100 * time.Millisecond
	// pollInterval bounds how long a change stays unseen that the system does not announce: on a network mount, behind
	// a link further up, in files that never rest.
	pollInterval = 5 * time.Second
)

// Watch takes changed files into use until ctx ends, then returns nil. A change that fails leaves the last good set in
// use; see Failure. The default set never changes. An engine is watched once.
func (e *Engine) Watch(ctx context.Context) error {
	if e.config.Dir == "" {
		<-ctx.Done()
		return nil
	}
	changes, err := announceChanges(ctx, e.config.Log, e.config.Dir)
	if err != nil {
		e.config.Log.WarnContext(ctx, "policies are only polled, since their files cannot be watched",
			"dir", e.config.Dir, "interval", pollInterval, "error", err)
	}
	poll := time.NewTicker(pollInterval)
	defer poll.Stop()
	settled := time.NewTimer(0) // first, what changed between Load and now
	defer settled.Stop()
	for {
		select {
		case <-ctx.Done():
			return nil
		case <-changes:
			settled.Reset(settleTime)
		case <-settled.C:
			e.reload(ctx)
		case <-poll.C:
			e.reload(ctx)
		}
	}
}

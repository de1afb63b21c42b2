package worker

import (
	"context"
	"time"

	"go.temporal.io/sdk/client"
)

const (
	// healthInterval is how often Temporal is asked whether it is there, and how long it may take to answer.
	healthInterval = time.Second
	// tendInterval is how often what must stand in Temporal is looked after although Temporal never was away.
	tendInterval = 5 * time.Minute
)

// tend looks after what must stand in Temporal whatever becomes of its store, now and then and whenever Temporal
// answers again: it may have come back without all that it remembered. Each time it tells resume.
func (h *host) tend(ctx context.Context, temporal client.Client, resume chan<- struct{}) error {
	away, tended := false, time.Now()
	for pause(ctx, healthInterval) == nil {
		if err := h.probe(ctx, temporal); err != nil {
			if !away {
				h.logger.WarnContext(ctx, "Temporal is away; runs wait to be decided", "error", err)
			}
			away = true
			continue
		}
		if !away && time.Since(tended) < tendInterval {
			continue
		}
		if err := h.prepare(ctx, temporal); err != nil {
			h.logger.WarnContext(ctx, "Temporal is not ready for Headwater's workflows; trying again", "error", err)
			continue
		}
		away, tended = false, time.Now()
		select {
		case resume <- struct{}{}:
		default: // it was told before and has not begun
		}
	}
	return nil
}

// probe asks Temporal whether it is there.
func (h *host) probe(ctx context.Context, temporal client.Client) error {
	ctx, cancel := context.WithTimeout(ctx, healthInterval)
	defer cancel()
	_, err := temporal.CheckHealth(ctx, &client.CheckHealthRequest{})
	connected := 1.0
	if err != nil {
		connected = 0
	}
	h.metrics.temporalConnected.Set(connected)
	return err
}

// prepare sees to what must stand in Temporal before workflows can do their work.
func (h *host) prepare(ctx context.Context, temporal client.Client) error {
	if err := ensureSearchAttributes(ctx, temporal, h.options.Namespace, h.logger); err != nil {
		return err
	}
	return ensureArchiveSchedule(ctx, temporal, h.interval)
}

package worker

import (
	"context"
	"time"

	"go.temporal.io/api/workflowservice/v1"
	"go.temporal.io/sdk/client"
)

const (
	// probeInterval is how often Temporal is asked whether it is there, probeTimeout how long it may take to answer.
	probeInterval, probeTimeout = time.Second, 5 * time.Second
	// tendInterval is how often what must stand in Temporal is looked after although Temporal never was away.
	tendInterval = 5 * time.Minute
)

// tend looks after what must stand in Temporal whatever becomes of its store: now and then, when Temporal answers again,
// since its store may have been set back, and when its namespace is another one than before, since the store is new
// then. Each time it tells resume.
func (h *host) tend(ctx context.Context, temporal client.Client, resume chan<- struct{}) error {
	namespace, err := h.probe(ctx, temporal)
	due, tended := err != nil, time.Now()
	for pause(ctx, probeInterval) == nil {
		found, err := h.probe(ctx, temporal)
		if err != nil {
			if !due {
				h.logger.WarnContext(ctx, "Temporal is away; runs wait to be decided", "error", err)
			}
			due = true
			continue
		}
		if !due && found == namespace && time.Since(tended) < tendInterval {
			continue
		}
		if err := h.prepare(ctx, temporal); err != nil {
			h.logger.WarnContext(ctx, "Temporal is not ready for Headwater's workflows; trying again", "error", err)
			continue
		}
		due, namespace, tended = false, found, time.Now()
		select {
		case resume <- struct{}{}:
		default: // it was told before and has not begun
		}
	}
	return nil
}

// probe asks Temporal whether it is there, and for the id of its namespace.
func (h *host) probe(ctx context.Context, temporal client.Client) (namespaceID string, err error) {
	ctx, cancel := context.WithTimeout(ctx, probeTimeout)
	defer cancel()
	described, err := temporal.WorkflowService().DescribeNamespace(ctx, &workflowservice.DescribeNamespaceRequest{
		Namespace: h.options.Namespace,
	})
	connected := 1.0
	if err != nil {
		connected = 0
	}
	h.metrics.temporalConnected.Set(connected)
	return described.GetNamespaceInfo().GetId(), err
}

// prepare sees to what must stand in Temporal before workflows can do their work.
func (h *host) prepare(ctx context.Context, temporal client.Client) error {
	if err := ensureSearchAttributes(ctx, temporal, h.options.Namespace, h.logger); err != nil {
		return err
	}
	return ensureArchiveSchedule(ctx, temporal, h.interval)
}

package worker

import (
	"context"
	"time"

	"go.temporal.io/api/workflowservice/v1"
	"go.temporal.io/sdk/client"
)

// probeInterval is how often Temporal is asked whether it is there, probeTimeout how long it may take to answer.
const probeInterval, probeTimeout = time.Second, 5 * time.Second

// tend looks after what must stand in Temporal whatever becomes of its store, each time that upkeep is due, and then tells
// resume.
func (h *host) tend(ctx context.Context, temporal client.Client, resume chan<- struct{}) error {
	namespace, err := h.probe(ctx, temporal)
	upkeep := newUpkeep(namespace, err, time.Now())
	for pause(ctx, probeInterval) == nil {
		namespace, err := h.probe(ctx, temporal)
		if err != nil && !upkeep.away {
			h.logger.WarnContext(ctx, "Temporal is away; runs wait to be decided", "error", err)
		}
		if !upkeep.due(namespace, err, time.Now()) {
			continue
		}
		if err := h.prepare(ctx, temporal); err != nil {
			h.logger.WarnContext(ctx, "Temporal is not ready for Headwater's workflows; trying again", "error", err)
			continue
		}
		upkeep.done(namespace, time.Now())
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

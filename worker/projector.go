package worker

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"go.opentelemetry.io/otel"
	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/codes"
	"go.opentelemetry.io/otel/propagation"
	"go.opentelemetry.io/otel/trace"

	"github.com/headwater-data/headwater/eventlog"
	"github.com/headwater-data/headwater/lineage"
	"github.com/headwater-data/headwater/projection"
)

const (
	// One transaction folds at most so many entries, and reaches for no further one once their payloads have so many bytes.
	batchEntries = 1000
	batchBytes   = 16 << 20
	// idleInterval is how long a loop that found nothing waits before it looks again.
	idleInterval = 50 * time.Millisecond
)

// projector folds the log into a projection.
type projector struct {
	store   *projection.Store
	log     *eventlog.Log
	metrics *metrics
	logger  *slog.Logger
}

// follow folds what the log gains until ctx ends. A batch that fails is tried again for ever, half as large each time:
// what one entry alone may be to blame for should hold up as few others as possible, and be named in the log. It
// returns an error when another projector was faster, and the cursor must be read anew.
func (p *projector) follow(ctx context.Context, name string) error {
	followed, err := p.store.Get(ctx, name)
	if err != nil {
		return err
	}
	limit, delay := batchEntries, newBackOff()
	for {
		folded, err := p.step(ctx, &followed, limit)
		switch {
		case ctx.Err() != nil:
			return ctx.Err()
		case errors.Is(err, projection.ErrFenced):
			return err
		case err != nil:
			p.metrics.applyFailures.WithLabelValues(name).Inc()
			wait := delay.NextBackOff()
			p.logger.ErrorContext(ctx, "a batch cannot be folded and is tried again", "projection", name,
				"after_offset", followed.Cursor.Offset, "entries", limit, "after", wait, "error", err)
			limit = max(1, limit/2)
			if err := pause(ctx, wait); err != nil {
				return err
			}
			continue
		case folded == 0:
			if err := pause(ctx, idleInterval); err != nil {
				return err
			}
		}
		limit = min(2*limit, batchEntries)
		delay.Reset()
	}
}

// step folds the next batch and tells how many entries it had.
func (p *projector) step(ctx context.Context, followed *projection.Projection, limit int) (int, error) {
	entries, err := p.log.Read(ctx, followed.Cursor.Offset, limit, batchBytes)
	if err != nil || len(entries) == 0 {
		return 0, err
	}
	ctx, span := startBatch(ctx, followed.Name, entries)
	defer span.End()
	began := time.Now()
	if err := p.store.Apply(ctx, followed.ID, entries); err != nil {
		span.SetStatus(codes.Error, err.Error())
		return 0, fmt.Errorf("fold offsets %d to %d: %w", entries[0].Offset, entries[len(entries)-1].Offset, err)
	}
	followed.Cursor = entries[len(entries)-1].Position()
	p.metrics.applied(followed.Name, entries, began)
	return len(entries), nil
}

// maxLinks bounds how many requests a batch's span refers to.
const maxLinks = 100

// startBatch begins a span that refers to the requests by which the entries came.
func startBatch(ctx context.Context, name string, entries []lineage.Entry) (context.Context, trace.Span) {
	ctx, span := tracer().Start(ctx, "fold", trace.WithNewRoot(), trace.WithAttributes(
		attribute.String("headwater.projection", name),
		attribute.Int64("headwater.offset.first", int64(entries[0].Offset)),
		attribute.Int64("headwater.offset.last", int64(entries[len(entries)-1].Offset)),
	))
	if !span.IsRecording() {
		return ctx, span
	}
	linked := map[string]bool{"": true}
	for _, entry := range entries {
		if linked[entry.TraceParent] || len(linked) > maxLinks {
			continue
		}
		linked[entry.TraceParent] = true
		span.AddLink(trace.LinkFromContext(withTrace(context.Background(), entry)))
	}
	return ctx, span
}

// withTrace continues the trace of the request by which an entry came.
func withTrace(ctx context.Context, entry lineage.Entry) context.Context {
	return propagation.TraceContext{}.Extract(ctx, propagation.MapCarrier{"traceparent": entry.TraceParent})
}

func tracer() trace.Tracer { return otel.Tracer("github.com/headwater-data/headwater/worker") }

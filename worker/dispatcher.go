package worker

import (
	"context"
	"errors"
	"log/slog"
	"time"

	"github.com/cenkalti/backoff/v5"
	"go.opentelemetry.io/otel/trace"
	"go.temporal.io/api/serviceerror"
	"go.temporal.io/sdk/client"
	"golang.org/x/sync/errgroup"

	"github.com/headwater-data/headwater/activities"
	"github.com/headwater-data/headwater/eventlog"
	"github.com/headwater-data/headwater/projection"
)

const (
	// dispatchEntries bounds how much of the log one round covers. All that came of one run within it is one signal.
	dispatchEntries = 2000
	// dispatchConcurrency is how many signals are under way at a time. With many, a backlog of signals keeps Temporal from
	// the workflows that were signalled before, and nothing is decided until all are.
	dispatchConcurrency = 4
)

// dispatcher tells the workflows of runs that evidence came. Its cursor moves only when all have been told, so a
// worker that dies tells some of them twice and none of them never.
type dispatcher struct {
	projections *projection.Store
	log         *eventlog.Log
	client      client.Client
	// resumption tells that workflows may be gone.
	resumption <-chan struct{}
	metrics    *metrics
	logger     *slog.Logger
}

// run dispatches until ctx ends or the database fails.
func (d *dispatcher) run(ctx context.Context) error {
	if err := d.resume(ctx); err != nil {
		return err
	}
	for {
		select {
		case <-d.resumption:
			if err := d.resume(ctx); err != nil {
				return err
			}
		default:
		}
		evidence, err := d.projections.Evidence(ctx, dispatchEntries)
		if err != nil {
			return err
		}
		if evidence.From == evidence.Through {
			if err := pause(ctx, idleInterval); err != nil {
				return err
			}
			continue
		}
		if err := d.signalAll(ctx, evidence.Runs); err != nil {
			return err
		}
		if err := d.projections.MoveDispatch(ctx, evidence.From, evidence.Through); err != nil {
			return err
		}
	}
}

func (d *dispatcher) signalAll(ctx context.Context, runs []projection.RunEvidence) error {
	ctx, span := tracer().Start(ctx, "dispatch", trace.WithNewRoot())
	defer span.End()
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(dispatchConcurrency)
	for _, run := range runs {
		group.Go(func() error { return d.signal(ctx, run) })
	}
	return group.Wait()
}

// signal tells the workflow of one run, which starts with it if none is running. It keeps trying while Temporal is
// away or busy. A run that Temporal refuses for what it is would hold up all others, so it is passed over.
func (d *dispatcher) signal(ctx context.Context, evidence projection.RunEvidence) error {
	ctx = d.continueTrace(ctx, evidence)
	run := evidence.Run
	send := func() (struct{}, error) {
		err := activities.SignalRun(ctx, d.client, run, evidence.Last)
		if _, refused := errors.AsType[*serviceerror.InvalidArgument](err); refused {
			err = backoff.Permanent(err)
		}
		return struct{}{}, err
	}
	_, err := backoff.Retry(ctx, send, backoff.WithBackOff(newBackOff()), backoff.WithMaxElapsedTime(0),
		backoff.WithNotify(func(err error, wait time.Duration) {
			d.metrics.signals.WithLabelValues("retried").Inc()
			d.logger.WarnContext(ctx, "a run's workflow cannot be signalled and is tried again",
				"run_id", run.RunID, "job", run.Job.Name, "after", wait, "error", err)
		}))
	switch {
	case ctx.Err() != nil:
		return ctx.Err()
	case err != nil:
		d.metrics.signals.WithLabelValues("refused").Inc()
		d.logger.ErrorContext(ctx, "Temporal refuses the workflow of a run, which stays undecided",
			"run_id", run.RunID, "job", run.Job.Name, "namespace", run.Job.Namespace, "error", err)
	default:
		d.metrics.signals.WithLabelValues("sent").Inc()
	}
	return nil
}

// continueTrace joins the trace of the request by which the evidence came, so that the workflow belongs to it.
func (d *dispatcher) continueTrace(ctx context.Context, evidence projection.RunEvidence) context.Context {
	if !trace.SpanFromContext(ctx).IsRecording() {
		return ctx
	}
	entries, err := d.log.Read(ctx, evidence.Last-1, 1, 1)
	if err != nil || len(entries) == 0 {
		d.logger.DebugContext(ctx, "the trace of an event cannot be continued", "offset", evidence.Last, "error", err)
		return ctx
	}
	return withTrace(ctx, entries[0])
}

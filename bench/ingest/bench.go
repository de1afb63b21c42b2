package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/headwater-data/headwater/bench/report"
	"github.com/headwater-data/headwater/internal/system"
	"github.com/headwater-data/headwater/lineage"
)

// bench is one run of the benchmark.
type bench struct {
	options
	dir      string
	system   *system.System
	pool     *pgxpool.Pool
	sender   *sender
	observer *observer
	serials  serials
	report   *report.Report
	// probes are the medians of what the machine can do at all.
	probes probes
	// canary is a run that is there from the beginning.
	canary int
	// acknowledged are the events of all loads.
	acknowledged []acknowledgement
}

// prepare starts the whole system, on a PostgreSQL that keeps what it commits. What it returns must be stopped, also
// after an error.
func prepare(ctx context.Context, o options, dir string) (*bench, error) {
	b := &bench{options: o, dir: dir, report: report.New(os.Stdout, "ingest", o.seed)}
	var err error
	b.system, err = system.Start(ctx, system.Config{Dir: dir, Tools: o.tools, Policies: o.policies})
	if err != nil {
		return b, err
	}
	if b.pool, err = pgxpool.New(ctx, b.system.DatabaseURL()); err != nil {
		return b, err
	}
	corpus := newCorpus(o.seed, o.size)
	if b.sender, err = newSender(ctx, b.system, corpus); err != nil {
		return b, err
	}
	b.observer = &observer{b.system.Reader, corpus}
	return b, b.describe(ctx)
}

func (b *bench) stop() {
	if b.pool != nil {
		b.pool.Close()
	}
	if b.system != nil {
		b.system.Stop()
	}
}

func (b *bench) describe(ctx context.Context) error {
	var version string
	if err := b.pool.QueryRow(ctx, `SHOW server_version`).Scan(&version); err != nil {
		return err
	}
	b.report.Version("PostgreSQL", version)
	event := b.sender.corpus.event(0)
	b.report.Size("bytes of an event", int64(len(event.document)))
	b.report.Size("producers", producers)
	b.report.Size("jobs", jobs)
	b.report.Size("events of a run", int64(len(kinds)))
	b.canary = event.run
	l := newLedger()
	b.sender.sendInto(ctx, l, b.serials.take(), time.Now())
	b.acknowledged = l.acknowledged
	return b.caughtUp(ctx, time.Minute)
}

// measure takes one phase after the other; each begins when the one before has left nothing to fold.
func (b *bench) measure(ctx context.Context) error {
	for _, phase := range []func(context.Context) error{
		b.probe, b.publish, b.peak, b.drainBacklog, b.saturate, b.goOn, b.saturateAlone, b.confirm,
	} {
		if err := phase(ctx); err != nil {
			return err
		}
		if ctx.Err() != nil {
			return ctx.Err()
		}
	}
	if err := b.report.Save(b.out); err != nil {
		return err
	}
	if missed := b.report.Missed(); len(missed) > 0 {
		return fmt.Errorf("%d figures miss their target", len(missed))
	}
	return nil
}

// caughtUp waits until the projection has folded everything that was acknowledged.
func (b *bench) caughtUp(ctx context.Context, limit time.Duration) error {
	var last lineage.Offset
	for _, a := range b.acknowledged {
		last = max(last, a.offset)
	}
	if last == 0 {
		return errors.New("nothing was acknowledged")
	}
	return b.observer.awaitSeen(ctx, b.canary, last, limit)
}

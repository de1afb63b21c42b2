package main

import (
	"context"
	"errors"
	"fmt"
	"os"

	"github.com/headwater-data/headwater/bench/load"
	"github.com/headwater-data/headwater/bench/report"
)

// bench is one run of the benchmark.
type bench struct {
	options
	*load.Rig
	// probes are the medians of what the machine can do at all.
	probes probes
}

// run measures on a system of its own.
func run(ctx context.Context, o options) (err error) {
	r := report.New(os.Stdout, "ingest", o.seed)
	rig, err := load.Start(ctx, load.Options{Tools: o.tools, Policies: o.policies, Seed: o.seed, Size: o.size}, r)
	defer func() { err = errors.Join(err, rig.Stop(o.keep || err != nil && ctx.Err() == nil)) }()
	if err != nil {
		return err
	}
	b := &bench{options: o, Rig: rig}
	return b.measure(ctx)
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
	if err := b.Report.Save(b.out); err != nil {
		return err
	}
	if missed := b.Report.Missed(); len(missed) > 0 {
		return fmt.Errorf("%d figures miss their target", len(missed))
	}
	return nil
}

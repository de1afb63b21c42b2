package load

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"

	"github.com/headwater-data/headwater/bench/report"
)

// Options say what a rig is made of, and what becomes of its figures.
type Options struct {
	// Size is how many bytes an event has, about.
	Size int
	Seed uint64
	// Tools is the directory of headwater, temporal and versitygw, Policies that of the policy set.
	Tools, Policies string
	// Out is the directory for the figures.
	Out string
	// Keep leaves data and logs behind.
	Keep bool
}

// Main is the main function of a benchmark on a rig: beside its own flags it defines those of the options, measures, and
// saves the report. The process ends with 1 after an error, and where a figure misses its target.
func Main(name string, o *Options, measure func(context.Context, *Rig) error) {
	flag.IntVar(&o.Size, "size", o.Size, "bytes of an event")
	flag.Uint64Var(&o.Seed, "seed", 1, "seed of the events")
	flag.StringVar(&o.Tools, "tools", ".bin", "directory of headwater, temporal and versitygw")
	flag.StringVar(&o.Policies, "policies", "policies", "directory of the policy set")
	flag.StringVar(&o.Out, "out", "bench/out", "where to write the figures")
	flag.BoolVar(&o.Keep, "keep", false, "keep data and logs")
	report.Main(name, func(ctx context.Context) error { return run(ctx, name, *o, measure) })
}

// run measures on a system of its own.
func run(ctx context.Context, name string, o Options, measure func(context.Context, *Rig) error) (err error) {
	r := report.New(os.Stdout, name, o.Seed)
	rig, err := start(ctx, o, r)
	defer func() { err = errors.Join(err, rig.stop(o.Keep || err != nil && ctx.Err() == nil)) }()
	if err != nil {
		return err
	}
	if err := measure(ctx, rig); err != nil {
		return err
	}
	if err := r.Save(o.Out); err != nil {
		return err
	}
	if missed := r.Missed(); len(missed) > 0 {
		return fmt.Errorf("%d figures miss their target", len(missed))
	}
	return nil
}

package main

import (
	"context"
	"flag"
	"time"

	"github.com/headwater-data/headwater/bench/load"
)

// options say how much to measure.
type options struct {
	load.Options
	rate     float64
	steady   time.Duration
	pause    time.Duration
	burst    float64
	burstFor time.Duration
	drain    time.Duration
	sample   int
}

func main() {
	o := options{Options: load.Options{Size: 2_000}}
	flag.Float64Var(&o.rate, "rate", 10, "runs a second, while it is measured how long they take to be published")
	flag.DurationVar(&o.steady, "steady", time.Minute, "how long that lasts")
	flag.DurationVar(&o.pause, "pause", 500*time.Millisecond, "time between the events of a run meanwhile, so that each is a signal of its own")
	flag.Float64Var(&o.burst, "burst", 125, "runs a second in the burst")
	flag.DurationVar(&o.burstFor, "burst-for", time.Minute, "how long the burst lasts")
	flag.DurationVar(&o.drain, "drain", 10*time.Minute, "how long to watch its backlog drain, at most")
	flag.IntVar(&o.sample, "sample", 200, "runs of each load whose histories in Temporal are looked at, and whose answers are checked")
	load.Main("lifecycle", &o.Options, func(ctx context.Context, rig *load.Rig) error { return measure(ctx, o, rig) })
}

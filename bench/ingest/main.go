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
	rate       float64
	duration   time.Duration
	runs       float64
	runsFor    time.Duration
	saturation time.Duration
	senders    int
	soak       time.Duration
	drain      time.Duration
}

func main() {
	o := options{Options: load.Options{Size: 20_000}}
	flag.Float64Var(&o.rate, "rate", 500, "events a second at the peak")
	flag.DurationVar(&o.duration, "duration", time.Minute, "how long the peak lasts")
	flag.Float64Var(&o.runs, "runs", 10, "runs a second, while it is measured how long they take to be published")
	flag.DurationVar(&o.runsFor, "runs-for", 30*time.Second, "how long that lasts")
	flag.DurationVar(&o.saturation, "saturation", 20*time.Second, "how long to saturate the system, with everything running and with gateway and log alone")
	flag.IntVar(&o.senders, "senders", 64, "senders at saturation")
	flag.DurationVar(&o.soak, "soak", 0, "how long to go on at saturation, to see whether memory stays bounded; 0: not at all")
	flag.DurationVar(&o.drain, "drain", 2*time.Minute, "how long to watch the backlog of decisions drain, at most")
	load.Main("ingest", &o.Options, func(ctx context.Context, rig *load.Rig) error {
		b := &bench{options: o, Rig: rig}
		return b.measure(ctx)
	})
}

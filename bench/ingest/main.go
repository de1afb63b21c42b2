package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"time"
)

// options say how much to measure.
type options struct {
	rate       float64
	duration   time.Duration
	size       int
	runs       float64
	runsFor    time.Duration
	saturation time.Duration
	senders    int
	soak       time.Duration
	drain      time.Duration
	seed       uint64
	tools      string
	policies   string
	out        string
	keep       bool
}

func main() {
	var o options
	flag.Float64Var(&o.rate, "rate", 500, "events a second at the peak")
	flag.DurationVar(&o.duration, "duration", time.Minute, "how long the peak lasts")
	flag.IntVar(&o.size, "size", 20_000, "bytes of an event")
	flag.Float64Var(&o.runs, "runs", 10, "runs a second, while it is measured how long they take to be published")
	flag.DurationVar(&o.runsFor, "runs-for", 30*time.Second, "how long that lasts")
	flag.DurationVar(&o.saturation, "saturation", 20*time.Second, "how long to saturate the system, with everything running and with gateway and log alone")
	flag.IntVar(&o.senders, "senders", 64, "senders at saturation")
	flag.DurationVar(&o.soak, "soak", 0, "how long to go on at saturation, to see whether memory stays bounded; 0: not at all")
	flag.DurationVar(&o.drain, "drain", 2*time.Minute, "how long to watch the backlog of decisions drain, at most")
	flag.Uint64Var(&o.seed, "seed", 1, "seed of the events")
	flag.StringVar(&o.tools, "tools", ".bin", "directory of headwater, temporal and versitygw")
	flag.StringVar(&o.policies, "policies", "policies", "directory of the policy set")
	flag.StringVar(&o.out, "out", "bench/out", "where to write the figures")
	flag.BoolVar(&o.keep, "keep", false, "keep data and logs")
	flag.Parse()

	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	err := run(ctx, o)
	stop()
	if err != nil {
		fmt.Fprintln(os.Stderr, "ingest:", err)
		os.Exit(1)
	}
}

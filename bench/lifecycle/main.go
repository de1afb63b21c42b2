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
	rate     float64
	steady   time.Duration
	pause    time.Duration
	burst    float64
	burstFor time.Duration
	drain    time.Duration
	size     int
	sample   int
	seed     uint64
	tools    string
	policies string
	out      string
	keep     bool
}

func main() {
	var o options
	flag.Float64Var(&o.rate, "rate", 10, "runs a second, while it is measured how long they take to be published")
	flag.DurationVar(&o.steady, "steady", time.Minute, "how long that lasts")
	flag.DurationVar(&o.pause, "pause", 500*time.Millisecond, "time between the events of a run meanwhile, so that each is a signal of its own")
	flag.Float64Var(&o.burst, "burst", 125, "runs a second in the burst")
	flag.DurationVar(&o.burstFor, "burst-for", time.Minute, "how long the burst lasts")
	flag.DurationVar(&o.drain, "drain", 10*time.Minute, "how long to watch its backlog drain, at most")
	flag.IntVar(&o.size, "size", 2_000, "bytes of an event")
	flag.IntVar(&o.sample, "sample", 200, "runs of each load whose histories in Temporal are looked at, and whose answers are checked")
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
		fmt.Fprintln(os.Stderr, "lifecycle:", err)
		os.Exit(1)
	}
}

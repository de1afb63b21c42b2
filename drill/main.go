// Command drill breaks a whole Headwater on purpose, part by part and under load, and checks afterwards that nothing
// that was acknowledged is lost or doubled and that every run is as its events say. See docs/drills.md.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"slices"
	"strings"
	"syscall"
	"time"
)

// options are the flags.
type options struct {
	seed, seeds uint64
	only        string
	rate        int
	phase       time.Duration
	away        time.Duration
	runs        int
	tools       string
	policies    string
	keep        bool
}

func main() {
	if !drillAll() {
		os.Exit(1)
	}
}

// drillAll does what the flags ask for, and reports whether every drill passed.
func drillAll() bool {
	var o options
	flag.Uint64Var(&o.seed, "seed", 1, "first seed: it draws runs, moments and victims")
	flag.Uint64Var(&o.seeds, "seeds", 1, "how many seeds to go through, each with a fresh system")
	flag.StringVar(&o.only, "only", "", "comma-separated names of the drills to run; all unless set")
	flag.IntVar(&o.rate, "rate", 10, "runs that begin in a second")
	flag.DurationVar(&o.phase, "phase", 4*time.Second, "how long load lasts before, between and after faults")
	flag.DurationVar(&o.away, "away", 10*time.Second, "how long S3 stays away, and the log's disk full")
	flag.IntVar(&o.runs, "runs", 2000, "how many runs live, at least, in the drill killed-workers")
	flag.StringVar(&o.tools, "tools", ".bin", "directory of headwater, temporal and versitygw")
	flag.StringVar(&o.policies, "policies", "policies", "directory of the policy set")
	flag.BoolVar(&o.keep, "keep", false, "keep data and logs also after success")
	flag.Usage = usage
	flag.Parse()

	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	passed, err := o.run(ctx)
	if err != nil {
		fmt.Fprintln(os.Stderr, "drill:", err)
	}
	return err == nil && passed
}

func usage() {
	fmt.Fprintln(os.Stderr, "Breaks a whole Headwater under load and checks what is left. The drills:")
	for _, d := range drills {
		fmt.Fprintf(os.Stderr, "  %-14s %s\n", d.name, d.about)
	}
	fmt.Fprintln(os.Stderr, "Flags:")
	flag.PrintDefaults()
}

// run goes through all seeds and reports whether every drill passed.
func (o options) run(ctx context.Context) (passed bool, err error) {
	chosen, err := o.chosen()
	if err != nil {
		return false, err
	}
	if o.rate < 1 || o.phase <= 0 || o.away <= 0 {
		return false, errors.New("-rate, -phase and -away must be greater than 0")
	}
	var report report
	for seed := o.seed; seed < o.seed+o.seeds && err == nil; seed++ {
		err = o.runSeed(ctx, seed, chosen, &report)
	}
	return allPassed(report.rows), errors.Join(err, report.print(os.Stdout))
}

// chosen are the drills that -only names.
func (o options) chosen() ([]drill, error) {
	if o.only == "" {
		return drills, nil
	}
	var chosen []drill
	for name := range strings.SplitSeq(o.only, ",") {
		i := slices.IndexFunc(drills, func(d drill) bool { return d.name == name })
		if i < 0 {
			return nil, fmt.Errorf("there is no drill %q; -help lists them", name)
		}
		chosen = append(chosen, drills[i])
	}
	return chosen, nil
}

// Command traverse measures traversals over the graph of an invented company, compares every answer with the truth, and
// measures how fast a projection folds its log. It ends with an error where an answer is wrong.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"runtime/pprof"

	"github.com/headwater-data/headwater/bench/company"
	"github.com/headwater-data/headwater/bench/report"
)

// options say how much to measure.
type options struct {
	size    company.Size
	full    bool
	seed    uint64
	samples int
	replay  int
	fields  int
	gateway string
	out     string
	profile string
	keep    bool
}

// fullWeeks is the history of the scenario.
const fullWeeks = 52

// fullFields is how many tables have the 3 million edges between fields of the target.
const fullFields = 35_000

func main() {
	o := options{size: company.Scenario()}
	flag.IntVar(&o.size.Datasets, "datasets", o.size.Datasets, "datasets of the company")
	flag.IntVar(&o.size.Jobs, "jobs", o.size.Jobs, "jobs of the company")
	flag.IntVar(&o.size.RunsPerDay, "runs", o.size.RunsPerDay, "runs a day")
	flag.IntVar(&o.size.Weeks, "weeks", 2, "weeks of history, each with a change of content a job")
	flag.BoolVar(&o.full, "full", false, "load the year of the scenario, 10 million changes of content, which takes 25 GB of disk")
	flag.Uint64Var(&o.seed, "seed", 1, "what the company is invented from")
	flag.IntVar(&o.samples, "samples", 100, "traversals of each kind")
	flag.IntVar(&o.replay, "replay", 60_000, "entries to fold for the speed of replay")
	flag.IntVar(&o.fields, "fields", 3_000, "tables of the warehouse whose column lineage is walked; 35,000 have 3 million edges")
	flag.StringVar(&o.gateway, "gateway", ".bin/headwater", "binary whose door is measured too; empty: none")
	flag.StringVar(&o.out, "out", "bench/out", "where to write the figures")
	flag.StringVar(&o.profile, "profile", "", "where to write a CPU profile of this process; empty: nowhere")
	flag.BoolVar(&o.keep, "keep", false, "keep the database")
	flag.Parse()
	if o.full {
		o.size.Weeks, o.fields = fullWeeks, fullFields
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	err := run(ctx, o)
	stop()
	if err != nil {
		fmt.Fprintln(os.Stderr, "traverse:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, o options) (err error) {
	if o.profile != "" {
		file, err := os.Create(o.profile)
		if err != nil {
			return err
		}
		defer file.Close()
		if err := pprof.StartCPUProfile(file); err != nil {
			return err
		}
		defer pprof.StopCPUProfile()
	}
	r := report.New(os.Stdout, "traverse", o.seed)
	b, err := prepare(ctx, o, r)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, b.close(o.keep)) }()
	for _, part := range []func(context.Context) error{
		b.measureReplay, b.load, b.measureDepths, b.measureClasses, b.measureTimes, b.measureCallers, b.measureDoor, b.measureCold, b.measureFields,
	} {
		if err := part(ctx); err != nil {
			return err
		}
	}
	b.tell()
	if err := r.Save(o.out); err != nil {
		return err
	}
	return b.verdict()
}

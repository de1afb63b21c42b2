// Command storage measures how many bytes an event, a run and an edge take in the log, the archive and the projection,
// by table and index, how that grows over weeks of history, and what a year of the scenario comes to.
package main

import (
	"context"
	"errors"
	"flag"
	"os"
	"time"

	"github.com/headwater-data/headwater/bench/company"
	"github.com/headwater-data/headwater/bench/report"
)

// options say how much to store.
type options struct {
	size  company.Size
	span  time.Duration
	weeks int
	bytes int
	seed  uint64
	s3    string
	out   string
}

func main() {
	o := options{size: company.Scenario()}
	flag.IntVar(&o.size.Datasets, "datasets", o.size.Datasets, "datasets of the company")
	flag.IntVar(&o.size.Jobs, "jobs", o.size.Jobs, "jobs of the company")
	flag.IntVar(&o.size.RunsPerDay, "runs", o.size.RunsPerDay, "runs a day")
	flag.DurationVar(&o.span, "span", time.Hour, "how much of the company's day to store")
	flag.IntVar(&o.weeks, "weeks", 4, "weeks of changes of content to store; 52 are the year of the scenario")
	flag.IntVar(&o.bytes, "size", 20_000, "bytes of an event")
	flag.Uint64Var(&o.seed, "seed", 1, "what the company is invented from")
	flag.StringVar(&o.s3, "s3", ".bin/versitygw", "binary of the S3 server")
	flag.StringVar(&o.out, "out", "bench/out", "where to write the figures")
	report.Main("storage", func(ctx context.Context) error { return run(ctx, o) })
}

func run(ctx context.Context, o options) (err error) {
	if o.weeks < 2 {
		return errors.New("-weeks must be 2 or more: in the first week nothing changes yet")
	}
	r := report.New(os.Stdout, "storage", o.seed)
	b, err := prepare(ctx, o, r)
	if b != nil {
		defer func() { err = errors.Join(err, b.close()) }()
	}
	if err != nil {
		return err
	}
	if err := report.InTurn(ctx, b.store, b.measureTables, b.measureLog, b.measureWeeks, b.measureYear); err != nil {
		return err
	}
	return r.Save(o.out)
}

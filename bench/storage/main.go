// Command storage measures how many bytes an event, a run and an edge take in the log, the archive and the projection,
// by table and index, and what a year of the scenario comes to.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"time"

	"github.com/headwater-data/headwater/bench/company"
	"github.com/headwater-data/headwater/bench/report"
)

// options say how much to store.
type options struct {
	size  company.Size
	span  time.Duration
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
	flag.IntVar(&o.bytes, "size", 20_000, "bytes of an event")
	flag.Uint64Var(&o.seed, "seed", 1, "what the company is invented from")
	flag.StringVar(&o.s3, "s3", ".bin/versitygw", "binary of the S3 server")
	flag.StringVar(&o.out, "out", "bench/out", "where to write the figures")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	err := run(ctx, o)
	stop()
	if err != nil {
		fmt.Fprintln(os.Stderr, "storage:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, o options) (err error) {
	r := report.New(os.Stdout, "storage", o.seed)
	b, err := prepare(ctx, o, r)
	if b != nil {
		defer func() { err = errors.Join(err, b.close()) }()
	}
	if err != nil {
		return err
	}
	for _, part := range []func(context.Context) error{b.store, b.measureTables, b.measureLog, b.measureYear} {
		if err := part(ctx); err != nil {
			return err
		}
	}
	return r.Save(o.out)
}

package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"os"
	"time"

	"go.temporal.io/sdk/client"
	"go.temporal.io/sdk/log"

	"github.com/headwater-data/headwater/bench/load"
	"github.com/headwater-data/headwater/bench/report"
)

// bench is one run of the benchmark.
type bench struct {
	options
	*load.Rig
	temporal client.Client
	random   *rand.Rand
	// empty is what an empty workflow takes; other figures are best read as ratios to it.
	empty emptyWorkflow
	// gathered and single are what Temporal did for a run of the burst, and for one whose events came one by one.
	gathered, single cost
}

// run measures on a system of its own.
func run(ctx context.Context, o options) (err error) {
	r := report.New(os.Stdout, "lifecycle", o.seed)
	rig, err := load.Start(ctx, load.Options{Tools: o.tools, Policies: o.policies, Seed: o.seed, Size: o.size}, r)
	defer func() { err = errors.Join(err, rig.Stop(o.keep || err != nil && ctx.Err() == nil)) }()
	if err != nil {
		return err
	}
	temporal, err := client.DialContext(ctx, client.Options{
		HostPort: rig.System.TemporalAddress(), Logger: log.NewStructuredLogger(slog.New(slog.DiscardHandler)),
	})
	if err != nil {
		return err
	}
	defer temporal.Close()
	b := &bench{options: o, Rig: rig, temporal: temporal, random: rand.New(rand.NewPCG(o.seed, 0))}
	return b.measure(ctx)
}

func (b *bench) measure(ctx context.Context) error {
	if err := b.describeTemporal(ctx); err != nil {
		return err
	}
	for _, phase := range []func(context.Context) error{b.probe, b.publish, b.burstAndDrain, b.compareSignals} {
		if err := phase(ctx); err != nil {
			return err
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

func (b *bench) describeTemporal(ctx context.Context) error {
	info, err := b.temporal.WorkflowService().GetSystemInfo(ctx, nil)
	if err != nil {
		return fmt.Errorf("ask Temporal for its version: %w", err)
	}
	b.Report.Version("Temporal", info.GetServerVersion())
	return nil
}

func milliseconds(d time.Duration) float64 { return float64(d) / float64(time.Millisecond) }

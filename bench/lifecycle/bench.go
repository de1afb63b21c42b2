package main

import (
	"context"
	"fmt"
	"log/slog"
	"math/rand/v2"
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

// measure takes one phase after the other.
func measure(ctx context.Context, o options, rig *load.Rig) error {
	temporal, err := client.DialContext(ctx, client.Options{
		HostPort: rig.System.TemporalAddress(), Logger: log.NewStructuredLogger(slog.New(slog.DiscardHandler)),
	})
	if err != nil {
		return err
	}
	defer temporal.Close()
	b := &bench{options: o, Rig: rig, temporal: temporal, random: rand.New(rand.NewPCG(o.Seed, 0))}
	return report.InTurn(ctx, b.describeTemporal, b.probe, b.publish, b.burstAndDrain, b.compareSignals)
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

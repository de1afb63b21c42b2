package main

import (
	"context"

	"github.com/headwater-data/headwater/bench/load"
	"github.com/headwater-data/headwater/bench/report"
)

// bench is one run of the benchmark.
type bench struct {
	options
	*load.Rig
}

// measure takes one phase after the other; each begins when the one before has left nothing to fold.
func (b *bench) measure(ctx context.Context) error {
	return report.InTurn(ctx, b.probe, b.publish, b.peak, b.drainBacklog, b.saturate, b.goOn, b.saturateAlone, b.confirm, b.weigh)
}

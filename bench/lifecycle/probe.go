package main

import (
	"context"
	"fmt"
	"time"

	"go.temporal.io/sdk/client"
	"go.temporal.io/sdk/worker"
	"go.temporal.io/sdk/workflow"

	"github.com/headwater-data/headwater/bench/report"
)

// emptyWorkflow is what a workflow takes that does nothing: what no run can beat.
type emptyWorkflow struct {
	// took is the median of start to end, processor what Temporal takes for one.
	took, processor time.Duration
}

// probe measures what the machine can do at all.
func (b *bench) probe(ctx context.Context) error {
	section, err := b.Probe(ctx)
	if err != nil {
		return err
	}
	used := b.StartUsage()
	workflows, err := b.emptyWorkflows(ctx)
	if err != nil {
		return fmt.Errorf("probe Temporal: %w", err)
	}
	b.empty = emptyWorkflow{workflows.At(50), used.Used().By(b.System.Temporal) / time.Duration(len(workflows))}
	section.Percentiles("empty workflow", workflows)
	section.Note("Temporal's processor time an empty workflow", milliseconds(b.empty.processor), "ms")
	return nil
}

// emptyWorkflows runs workflows of this process, one after the other.
func (b *bench) emptyWorkflows(ctx context.Context) (report.Latencies, error) {
	const queue = "bench-probe"
	empty := func(workflow.Context) error { return nil }
	hosting := worker.New(b.temporal, queue, worker.Options{})
	hosting.RegisterWorkflowWithOptions(empty, workflow.RegisterOptions{Name: queue})
	if err := hosting.Start(); err != nil {
		return nil, err
	}
	defer hosting.Stop()
	return report.Repeat(func() error {
		run, err := b.temporal.ExecuteWorkflow(ctx, client.StartWorkflowOptions{TaskQueue: queue}, queue)
		if err != nil {
			return err
		}
		return run.Get(ctx, nil)
	})
}

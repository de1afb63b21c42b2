package main

import (
	"context"
	"fmt"
	"time"

	"github.com/headwater-data/headwater/bench/load"
	"github.com/headwater-data/headwater/eventlog"
)

// What two cores with everything on them are meant to hold.
const (
	acknowledgedTarget = 100 * time.Millisecond
	visibleTarget      = 2 * time.Second
	publishedTarget    = 5 * time.Second
	drainTarget        = 25 // runs a second
)

// probe measures what the machine can do at all.
func (b *bench) probe(ctx context.Context) error {
	_, err := b.Probe(ctx)
	return err
}

// publish measures how long runs take to be published at a rate that decisions keep up with.
func (b *bench) publish(ctx context.Context) error {
	section := b.Report.Section("%g runs a second for %v, everything running", b.runs, b.runsFor)
	used := b.StartUsage()
	l, published := b.Steady(ctx, load.Steady{Runs: b.runs, Duration: b.runsFor, Events: []int{0, load.EventsOfARun - 1}})
	used.Used().Report(section, len(published.Runs), "a run")
	b.Outcome(section, l)
	section.Tail("from the end of a run to published", published.Latencies, publishedTarget)
	b.Ratios(section, "from the end of a run to published", published.Latencies)
	section.AtMost("runs not published within a minute", float64(published.Never), 0, "")
	return nil
}

// peak measures an open loop at the peak of the scenario.
func (b *bench) peak(ctx context.Context) error {
	section := b.Report.Section("%g events a second for %v, everything running", b.rate, b.duration)
	seen := b.Watch(ctx)
	used := b.StartUsage()
	begun := time.Now()
	l := b.OpenLoop(ctx, b.rate, b.duration)
	elapsed := time.Since(begun)
	used.Used().Report(section, len(l.Acknowledged), "an event")
	b.Outcome(section, l)
	section.AtLeast("acknowledged", float64(len(l.Acknowledged))/elapsed.Seconds(), 0.99*b.rate, "events/s")
	section.Tail("acknowledgement", l.Latencies(), acknowledgedTarget)
	b.Ratios(section, "acknowledgement", l.Latencies())
	err := b.CaughtUp(ctx, 5*time.Minute)
	visible, unseen := seen(l.Acknowledged)
	section.Tail("from acknowledgement to visible", visible, visibleTarget)
	b.Ratios(section, "from acknowledgement to visible", visible)
	section.AtMost("acknowledged and never visible", float64(unseen), 0, "events")
	return err
}

// drainBacklog measures how fast the runs that ended at the peak are decided.
func (b *bench) drainBacklog(ctx context.Context) error {
	section := b.Report.Section("backlog of decisions after the peak")
	used := b.StartUsage()
	drained, err := b.Drain(ctx, b.drain)
	if err != nil {
		return err
	}
	used.Used().Report(section, int(drained.Waited-drained.Left), "a decided run")
	section.Note("runs that waited", float64(drained.Waited), "")
	section.Note("runs left", float64(drained.Left), "")
	section.Note("watched for", drained.Took.Seconds(), "s")
	if drained.Waited > 0 {
		section.AtLeast("decided", drained.PerSecond(), drainTarget, "runs/s")
	}
	return nil
}

// saturate measures what the whole system acknowledges at most.
func (b *bench) saturate(ctx context.Context) error {
	return b.saturated(ctx, b.saturation, "saturation for %v by %d senders, everything running")
}

// goOn is a long saturation, at which memory must stay bounded.
func (b *bench) goOn(ctx context.Context) error {
	if b.soak == 0 {
		return nil
	}
	return b.saturated(ctx, b.soak, "soak for %v by %d senders, everything running")
}

// saturateAlone measures what gateway and log acknowledge while nobody folds or decides.
func (b *bench) saturateAlone(ctx context.Context) error {
	b.System.Worker.Stop()
	b.System.Temporal.Stop()
	if err := b.saturated(ctx, b.saturation, "saturation for %v by %d senders, gateway and log alone"); err != nil {
		return err
	}
	if err := b.System.Temporal.Start(ctx); err != nil {
		return err
	}
	return b.System.Worker.Start(ctx)
}

func (b *bench) saturated(ctx context.Context, duration time.Duration, title string) error {
	section := b.Report.Section(title, duration, b.senders)
	used := b.StartUsage()
	begun := time.Now()
	l := b.ClosedLoop(ctx, b.senders, duration)
	elapsed := time.Since(begun)
	used.Used().Report(section, len(l.Acknowledged), "an event")
	b.Outcome(section, l)
	section.Note("acknowledged", float64(len(l.Acknowledged))/elapsed.Seconds(), "events/s")
	section.Percentiles("acknowledgement", l.Latencies())
	b.Ratios(section, "acknowledgement", l.Latencies())
	return nil
}

// confirm compares everything that was acknowledged with what is there.
func (b *bench) confirm(ctx context.Context) error {
	section := b.Report.Section("ground truth")
	begun := time.Now()
	if err := b.CaughtUp(ctx, 10*time.Minute); err != nil {
		return err
	}
	section.Note("until the projection had caught up", time.Since(begun).Seconds(), "s")
	f, err := compare(ctx, b.Rig)
	if err != nil {
		return fmt.Errorf("compare with the ground truth: %w", err)
	}
	section.Note("acknowledged", float64(f.events), "events")
	section.AtMost("not in the log as sent, where acknowledged", float64(f.notInLog), 0, "events")
	section.AtMost("twice in the log", float64(f.twiceInLog), 0, "events")
	section.AtMost("not once in the run store", float64(f.notInRuns), 0, "events")
	section.AtMost("wrong answers of GetRun", float64(f.wrongAnswers), 0, "runs")
	return nil
}

// sampledPayloads are the latest of the log.
const sampledPayloads = 10_000

// weigh measures what an event takes on disk, with its share of the decision on its run.
func (b *bench) weigh(ctx context.Context) error {
	sizes, err := eventlog.New(b.Pool, eventlog.Options{}).Sizes(ctx, sampledPayloads)
	if err != nil {
		return err
	}
	section := b.Report.Section("on disk, an event")
	event := func(bytes int64) float64 { return float64(bytes) / float64(len(b.Acknowledged)) }
	section.Note("compressed payload / payload", 100*sizes.CompressedMean/sizes.Mean, "%")
	section.Note("log", event(sizes.LogBytes), "B")
	section.Note("idempotency key", event(sizes.KeyBytes), "B")
	section.Note("the rest of the database: projection, indexes, catalog", event(sizes.DatabaseBytes-sizes.LogBytes-sizes.KeyBytes), "B")
	return nil
}

package main

import (
	"context"
	"fmt"
	"net/http"
	"time"

	"github.com/headwater-data/headwater/bench/report"
	"github.com/headwater-data/headwater/projection"
)

// What two cores with everything on them are meant to hold.
const (
	acknowledgedTarget = 100 * time.Millisecond
	visibleTarget      = 2 * time.Second
	publishedTarget    = 5 * time.Second
	drainTarget        = 25 // runs a second
	memoryTarget       = 1024
)

// probes are medians.
type probes struct{ fsync, insert, request time.Duration }

// probe measures what the machine can do at all. Other figures are best read as ratios to these.
func (b *bench) probe(ctx context.Context) error {
	section := b.report.Section("probes")
	fsync, err := report.Fsync(b.dir)
	if err != nil {
		return err
	}
	section.Percentiles("fsync of a page", fsync)
	insert, err := report.Insert(ctx, b.pool)
	if err != nil {
		return err
	}
	section.Percentiles("insert of a row", insert)
	empty, err := b.emptyRequests(ctx)
	if err != nil {
		return err
	}
	section.Percentiles("empty request", empty)
	b.probes = probes{fsync.At(50), insert.At(50), empty.At(50)}
	return nil
}

func (b *bench) emptyRequests(ctx context.Context) (report.Latencies, error) {
	var latencies report.Latencies
	for range 200 {
		request, err := http.NewRequestWithContext(ctx, http.MethodGet, b.system.Producer.URL+"/healthz", nil)
		if err != nil {
			return nil, err
		}
		begun := time.Now()
		response, err := b.sender.client.Do(request)
		if err != nil {
			return nil, err
		}
		if err := response.Body.Close(); err != nil {
			return nil, err
		}
		latencies = append(latencies, time.Since(begun))
	}
	return latencies, nil
}

// publish measures how long runs take to be published at a rate that decisions keep up with.
func (b *bench) publish(ctx context.Context) error {
	section := b.report.Section("%g runs a second for %v, everything running", b.runs, b.runsFor)
	used := startUsage(b.system)
	l, published, never := trickle(ctx, b.sender, b.observer, &b.serials, b.runs, b.runsFor)
	used.report(section, len(published), "a run")
	b.outcome(section, l)
	percentiles(section, "from the end of a run to published", published, publishedTarget)
	section.AtMost("runs not published within a minute", float64(never), 0, "")
	return nil
}

// peak measures an open loop at the peak of the scenario.
func (b *bench) peak(ctx context.Context) error {
	section := b.report.Section("%g events a second for %v, everything running", b.rate, b.duration)
	stop := b.observer.watch(ctx, b.canary)
	used := startUsage(b.system)
	begun := time.Now()
	l := openLoop(ctx, b.sender, &b.serials, b.rate, b.duration)
	elapsed := time.Since(begun)
	used.report(section, len(l.acknowledged), "an event")
	b.outcome(section, l)
	section.AtLeast("acknowledged", float64(len(l.acknowledged))/elapsed.Seconds(), 0.99*b.rate, "events/s")
	percentiles(section, "acknowledgement", l.latencies(), acknowledgedTarget)
	b.ratios(section, l.latencies().At(50))
	err := b.caughtUp(ctx, 5*time.Minute)
	sightings := stop()
	visible, unseen := visibility(l.acknowledged, sightings)
	percentiles(section, "from acknowledgement to visible", visible, visibleTarget)
	section.AtMost("acknowledged and never visible", float64(unseen), 0, "events")
	return err
}

// drainBacklog measures how fast the runs that ended at the peak are decided. It counts in the store: answers count only
// up to a thousand.
func (b *bench) drainBacklog(ctx context.Context) error {
	section := b.report.Section("backlog of decisions after the peak")
	used := startUsage(b.system)
	store := projection.NewStore(b.pool)
	waiting, err := store.Awaiting(ctx)
	if err != nil {
		return fmt.Errorf("ask for the backlog: %w", err)
	}
	begun, first, left := time.Now(), waiting.Decision, waiting.Decision
	for left > 0 && time.Since(begun) < b.drain && ctx.Err() == nil {
		wait(ctx, time.Second/2)
		if waiting, err = store.Awaiting(ctx); err != nil {
			return fmt.Errorf("ask for the backlog: %w", err)
		}
		left = waiting.Decision
	}
	elapsed := time.Since(begun)
	used.report(section, int(first-left), "a decided run")
	section.Note("runs that waited", float64(first), "")
	section.Note("runs left", float64(left), "")
	section.Note("watched for", elapsed.Seconds(), "s")
	if first > 0 {
		section.AtLeast("decided", float64(first-left)/elapsed.Seconds(), drainTarget, "runs/s")
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
	b.system.Worker.Stop()
	b.system.Temporal.Stop()
	if err := b.saturated(ctx, b.saturation, "saturation for %v by %d senders, gateway and log alone"); err != nil {
		return err
	}
	if err := b.system.Temporal.Start(ctx); err != nil {
		return err
	}
	return b.system.Worker.Start(ctx)
}

func (b *bench) saturated(ctx context.Context, duration time.Duration, title string) error {
	section := b.report.Section(title, duration, b.senders)
	used := startUsage(b.system)
	begun := time.Now()
	l := closedLoop(ctx, b.sender, &b.serials, b.senders, duration)
	elapsed := time.Since(begun)
	used.report(section, len(l.acknowledged), "an event")
	b.outcome(section, l)
	section.Note("acknowledged", float64(len(l.acknowledged))/elapsed.Seconds(), "events/s")
	section.Percentiles("acknowledgement", l.latencies())
	b.ratios(section, l.latencies().At(50))
	return nil
}

// ratios compares a median acknowledgement with the probes of this run.
func (b *bench) ratios(section report.Section, median time.Duration) {
	section.Note("acknowledgement p50 / fsync p50", float64(median)/float64(b.probes.fsync), "×")
	section.Note("acknowledgement p50 / insert p50", float64(median)/float64(b.probes.insert), "×")
	section.Note("acknowledgement p50 / empty request p50", float64(median)/float64(b.probes.request), "×")
}

// confirm compares everything that was acknowledged with what is there.
func (b *bench) confirm(ctx context.Context) error {
	section := b.report.Section("ground truth")
	begun := time.Now()
	if err := b.caughtUp(ctx, 10*time.Minute); err != nil {
		return err
	}
	section.Note("until the projection had caught up", time.Since(begun).Seconds(), "s")
	f, err := compare(ctx, b.pool, b.observer, b.acknowledged)
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

// outcome reports what was not acknowledged, and keeps the rest for the ground truth.
func (b *bench) outcome(section report.Section, l *ledger) {
	b.acknowledged = append(b.acknowledged, l.acknowledged...)
	section.Note("turned away", float64(l.turnedAway()), "events")
	section.Note("without an answer", float64(l.failed), "events")
	for code, count := range l.refused {
		b.report.Remark("%d turned away with %s", count, code)
	}
}

// percentiles reports latencies whose 99th percentile has a target.
func percentiles(section report.Section, name string, latencies report.Latencies, target time.Duration) {
	ms := func(d time.Duration) float64 { return float64(d) / float64(time.Millisecond) }
	section.Note(name+" p50", ms(latencies.At(50)), "ms")
	section.Note(name+" p95", ms(latencies.At(95)), "ms")
	section.AtMost(name+" p99", ms(latencies.At(99)), ms(target), "ms")
	section.Note(name+" max", ms(latencies.At(100)), "ms")
}

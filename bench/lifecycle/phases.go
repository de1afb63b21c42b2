package main

import (
	"context"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/headwater-data/headwater/bench/load"
	"github.com/headwater-data/headwater/bench/report"
	headwaterv1 "github.com/headwater-data/headwater/gen/headwater/v1"
	"github.com/headwater-data/headwater/lineage"
)

// What two cores with everything on them are meant to hold.
const (
	publishedTarget = 5 * time.Second
	drainTarget     = 25 // runs a second
)

// publish measures how long runs take to be published at a rate that decisions keep up with.
func (b *bench) publish(ctx context.Context) error {
	section := b.Report.Section("%g runs a second for %v, each event told by itself", b.rate, b.steady)
	used := b.StartUsage()
	l, published := b.Steady(ctx, load.Steady{Runs: b.rate, Duration: b.steady, Events: []int{0, 1, 2, 3}, Pause: b.pause})
	taken := used.Used()
	taken.Report(section, len(published.Runs), "a run")
	b.Outcome(section, l)
	section.Tail("from the end of a run to published", published.Latencies, publishedTarget)
	section.AtMost("runs not published within a minute", float64(published.Never), 0, "")
	b.Ratios(section, "from the end of a run to published", published.Latencies)
	section.Ratio("from the end of a run to published", published.Latencies, "empty workflow", b.empty.took)
	return b.costs(ctx, section, &b.single, published.Runs, taken)
}

// costs reports what Temporal did for the runs of a load, and keeps it.
func (b *bench) costs(ctx context.Context, section report.Section, of *cost, runs []int, taken load.Used) error {
	found, err := b.costOf(ctx, runs)
	if err != nil {
		return err
	}
	processor := taken.By(b.System.Temporal)
	found.processor = processor / time.Duration(len(runs))
	found.report(section)
	section.Note("Temporal's share of the processor time of all parts", 100*float64(processor)/float64(taken.ByParts()), "%")
	section.Note("Temporal's processor time a run / an empty workflow", float64(found.processor)/float64(b.empty.processor), "×")
	*of = found
	return nil
}

// burstAndDrain sends more runs than can be decided meanwhile, and measures how the backlog drains.
func (b *bench) burstAndDrain(ctx context.Context) error {
	section := b.Report.Section("burst of %g runs a second for %v, %d events each", b.burst, b.burstFor, load.EventsOfARun)
	used, begun := b.StartUsage(), time.Now()
	l := b.OpenLoop(ctx, b.burst*float64(load.EventsOfARun), b.burstFor)
	sent := time.Since(begun)
	b.Outcome(section, l)
	section.AtLeast("acknowledged", float64(len(l.Acknowledged))/sent.Seconds(), 0.99*b.burst*float64(load.EventsOfARun), "events/s")
	if err := b.CaughtUp(ctx, 5*time.Minute); err != nil {
		return err
	}
	runs := ended(l)
	drained, err := b.Drain(ctx, b.drain)
	if err != nil {
		return err
	}
	taken := used.Used()
	taken.Report(section, len(runs), "a run")
	section.Note("runs", float64(len(runs)), "")
	section.Note("runs that waited when it was over", float64(drained.Waited), "")
	section.Note("until they were decided", drained.Took.Seconds(), "s")
	section.AtMost("runs left undecided", float64(drained.Left), 0, "")
	if drained.Waited > 0 {
		section.AtLeast("drain", drained.PerSecond(), drainTarget, "runs/s")
	}
	if drained.Left > 0 {
		return fmt.Errorf("%d runs were still undecided after %v; find out why, or give them longer with -drain", drained.Left, b.drain)
	}
	section.Note("decided, over burst and drain", float64(len(runs))/taken.Elapsed.Seconds(), "runs/s")
	waits, err := b.decisionWaits(ctx, l.Acknowledged[0].Offset)
	if err != nil {
		return err
	}
	section.Percentiles("from the receipt of a run's end to its decision", waits)
	if err := b.costs(ctx, section, &b.gathered, runs, taken); err != nil {
		return err
	}
	return b.confirm(ctx, section, runs)
}

// ended are the runs of which a load told the end.
func ended(l *load.Ledger) []int {
	var runs []int
	for _, a := range l.Acknowledged {
		if a.Last {
			runs = append(runs, a.Run)
		}
	}
	return runs
}

// decisionWaitsSQL takes both times from the database's clock.
const decisionWaitsSQL = `SELECT extract(epoch FROM min((decision->>'receivedAt')::timestamptz) - min(run_event.received_at))::float8
	FROM run JOIN projection USING (projection_id) JOIN run_event USING (projection_id, run_key),
		json_array_elements(run.decisions) AS decision
	WHERE status = 'active' AND event_type = 'COMPLETE' AND first_offset >= $1
	GROUP BY run_key`

// decisionWaits is how long after the receipt of its end each run was decided that began at an offset or behind it.
func (b *bench) decisionWaits(ctx context.Context, from lineage.Offset) (report.Latencies, error) {
	rows, _ := b.Pool.Query(ctx, decisionWaitsSQL, from) // CollectRows reports the error
	seconds, err := pgx.CollectRows(rows, pgx.RowTo[float64])
	if err != nil {
		return nil, fmt.Errorf("read when runs were decided: %w", err)
	}
	waits := make(report.Latencies, len(seconds))
	for i, s := range seconds {
		waits[i] = time.Duration(s * float64(time.Second))
	}
	return waits, nil
}

// confirm asks for some of the runs, which must all be published.
func (b *bench) confirm(ctx context.Context, section report.Section, runs []int) error {
	wrong := 0
	for _, run := range b.sampleOf(runs) {
		answered, err := b.Run(ctx, run)
		if err != nil {
			return fmt.Errorf("ask for a run: %w", err)
		}
		outputs := answered.GetRun().GetOutputs()
		if answered.GetRun().GetState() != headwaterv1.RunState_RUN_STATE_COMPLETED || len(outputs) != 1 ||
			outputs[0].GetPublication() != headwaterv1.Publication_PUBLICATION_PUBLISHED {
			wrong++
		}
	}
	section.AtMost("wrong answers of GetRun", float64(wrong), 0, "runs")
	return nil
}

// compareSignals tells what it brings that all that came of a run within a round of the dispatcher is one signal.
func (b *bench) compareSignals(context.Context) error {
	section := b.Report.Section("one signal an event, and signals gathered")
	perCore := func(c cost) float64 { return float64(time.Second) / float64(c.processor) }
	section.Note("signals a run, one by one", b.single.signals, "")
	section.Note("signals a run, gathered", b.gathered.signals, "")
	section.Note("state transitions a run, one by one / gathered", b.single.transitions/b.gathered.transitions, "×")
	section.Note("a core of Temporal decides, one by one", perCore(b.single), "runs/s")
	section.Note("a core of Temporal decides, gathered", perCore(b.gathered), "runs/s")
	section.Note("what gathering brings", perCore(b.gathered)/perCore(b.single), "×")
	return nil
}

package main

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/headwater-data/headwater/bench/company"
	"github.com/headwater-data/headwater/bench/seed"
	"github.com/headwater-data/headwater/lineage"
)

// measureReplay folds a day's events, with decisions between them, into a projection of its own.
func (b *bench) measureReplay(ctx context.Context) error {
	section := b.Section("Replay: projection.Apply in batches of %d, one connection", replayBatch)
	for _, size := range []struct {
		bytes, entries int
		target         float64
	}{{2_000, b.replay, 5_000}, {20_000, b.replay / 6, 0}} {
		speed, used, err := b.replaySpeed(ctx, size.bytes, size.entries)
		if err != nil {
			return err
		}
		name := fmt.Sprintf("entries of %d bytes a second", size.bytes)
		if size.target > 0 {
			section.AtLeast(name, speed, size.target, "/s")
		} else {
			section.Note(name, speed, "/s")
		}
		ours, postgres := used.per(size.entries, time.Microsecond)
		section.Note("  CPU time an entry, ours", ours, "µs")
		section.Note("  CPU time an entry, PostgreSQL's", postgres, "µs")
		const entriesADay = 2*200_000 + 90_000 // START, end, and a decision where there is an output
		section.Note("  a year of the scenario at that speed", entriesADay*365/speed/3600, "h")
	}
	return nil
}

// replayBatch is how many entries the projector folds at once.
const replayBatch = 1_000

func (b *bench) replaySpeed(ctx context.Context, bytes, count int) (perSecond float64, used cpu, err error) {
	shadow, err := b.store.Create(ctx, fmt.Sprintf("replay-%d", bytes), nil)
	if err != nil {
		return 0, used, err
	}
	var spent time.Duration
	applied := 0
	batch := make([]lineage.Entry, 0, replayBatch)
	for entry := range seed.Events(b.company, company.Begin.Add(72*time.Hour), b.company.End(), bytes) {
		batch = append(batch, entry)
		if len(batch) < replayBatch {
			continue
		}
		begun, cpuBegun := time.Now(), b.cpu()
		if err := b.store.Apply(ctx, shadow.ID, batch); err != nil {
			return 0, used, err
		}
		spent += time.Since(begun)
		used = used.plus(b.cpu().since(cpuBegun))
		applied += len(batch)
		batch = batch[:0]
		if applied >= count {
			break
		}
	}
	return float64(applied) / spent.Seconds(), used, nil
}

// load fills the active projection with the whole history, but for the rows of runs: no traversal reads them, and those of a
// year take as much disk as all the rest.
func (b *bench) load(ctx context.Context) (err error) {
	b.Section("Company")
	b.Size("datasets", int64(b.options.size.Datasets))
	b.Size("jobs", int64(b.options.size.Jobs))
	b.Size("weeks of history", int64(b.options.size.Weeks))
	active, err := b.store.Active(ctx)
	if err != nil {
		return err
	}
	begun, progress := time.Now(), b.progress()
	b.weekEnds, err = seed.Copy(ctx, b.pool, active.ID, b.company, func(week int) {
		progress("%d of %d weeks are loaded", week+1, b.options.size.Weeks)
	}, "run", "run_event")
	if err != nil {
		return err
	}
	if _, err := b.pool.Exec(ctx, `VACUUM (ANALYZE)`); err != nil {
		return fmt.Errorf("analyze: %w", err)
	}
	for _, table := range []string{"write", "statement", "flow", "flow_input", "node"} {
		var count int64
		if err := b.pool.QueryRow(ctx, `SELECT count(*) FROM `+table+` WHERE projection_id = $1`, active.ID).Scan(&count); err != nil {
			return err
		}
		b.Size("rows of "+table, count)
	}
	b.now = b.truth(b.company.End())
	b.Size("edges that hold or lapsed within 7 days", int64(b.now.Edges()))
	b.Remark("loaded, vacuumed and analyzed in %s", time.Since(begun).Round(time.Second))
	return nil
}

// progress tells how far something has come, twice a minute at most.
func (b *bench) progress() func(format string, args ...any) {
	begun := time.Now()
	told := begun
	return func(format string, args ...any) {
		if time.Since(told) > 30*time.Second {
			told = time.Now()
			b.Remark(format+" after %s", append(args, told.Sub(begun).Round(time.Second))...)
		}
	}
}

// truth is the graph at a time, as a caller sees it.
func (b *bench) truth(at time.Time) *company.Graph {
	return b.company.GraphAt(at, lookback).Without(b.hides)
}

// starts draws nodes to start from among those that a predicate accepts; all where it is nil.
func (b *bench) starts(accept func(company.Node) bool) []company.Node {
	var candidates []company.Node
	for dataset := range b.options.size.Datasets {
		node := company.Node{Number: int32(dataset)}
		if !b.hides(node) && (accept == nil || accept(node)) {
			candidates = append(candidates, node)
		}
	}
	b.random.Shuffle(len(candidates), func(i, j int) { candidates[i], candidates[j] = candidates[j], candidates[i] })
	return slices.Clip(candidates[:min(len(candidates), b.samples)])
}

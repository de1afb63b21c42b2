package main

import (
	"context"
	"fmt"
)

// measureLog reports what an event takes on its way.
func (b *bench) measureLog(ctx context.Context) error {
	var payload, compressed int64
	const query = `SELECT sum(payload_bytes), sum(octet_length(payload)) FROM event_log`
	if err := b.pool.QueryRow(ctx, query).Scan(&payload, &compressed); err != nil {
		return fmt.Errorf("read payloads: %w", err)
	}
	if err := b.pool.QueryRow(ctx, `SELECT count(*) FROM run WHERE settled`).Scan(&b.stored.ended); err != nil {
		return fmt.Errorf("count runs: %w", err)
	}
	var contribution float64
	if err := b.pool.QueryRow(ctx, `SELECT avg(pg_column_size(contribution)) FROM run_event`).Scan(&contribution); err != nil {
		return fmt.Errorf("read contributions: %w", err)
	}
	entries := float64(b.stored.events + b.stored.decisions)
	section := b.Section("Events")
	b.Size("events of runs", b.stored.events)
	b.Size("decisions", b.stored.decisions)
	b.Size("runs that ended", b.stored.ended)
	section.Note("payload of an event of a run", float64(b.stored.payload)/float64(b.stored.events), "B")
	section.Note("compression of payloads in the log", float64(payload)/float64(compressed), "×")
	section.Note("log, an entry with its indexes", b.tables["event_log"].bytes(), "B")
	section.Note("log, an entry / its compressed payload", b.tables["event_log"].bytes()*entries/float64(compressed), "×")
	section.Note("run_event, an event with its indexes", b.tables["run_event"].bytes(), "B")
	section.Note("of that, what it contributed", contribution, "B")
	section.Note("idempotency key, an entry", b.tables["event_key"].bytes(), "B")
	section.Note("archive, an entry", float64(b.archived)/entries, "B")
	section.Note("archive, compression of the payload", float64(payload)/float64(b.archived), "×")
	return nil
}

// weeksAYear is how often a year each job changes what it reads.
const weeksAYear = 52

// eventsPerRun are the START and the end that each run of the company sends.
const eventsPerRun = 2

// measureYear extrapolates what was measured of an hour and of some weeks: what follows the number of events, of runs and
// of changes of content.
func (b *bench) measureYear(context.Context) error {
	row := func(name string) float64 { return b.tables[name].bytes() }
	runs, ended := float64(b.options.size.RunsPerDay), float64(b.stored.ended)
	entriesPerRun := eventsPerRun + float64(b.stored.decisions)/ended
	inputs := float64(b.tables["flow_input"].Rows) / float64(max(b.tables["flow"].Rows, 1))

	run := row("run") + eventsPerRun*row("run_event") + float64(b.tables["statement"].Rows)/ended*row("statement")
	changes := float64(b.options.size.Jobs) * weeksAYear

	section := b.Section("Scenario: %d runs a day of %d jobs, %.1f log entries a run, events of %d bytes",
		b.options.size.RunsPerDay, b.options.size.Jobs, entriesPerRun, b.bytes)
	section.Note("projection, a run (run, events, statements)", run, "B")
	section.Note("projection, a change of content (writes, flow, inputs), over the weeks", b.change, "B")
	section.Note("projection, an edge (a change, by inputs)", b.change/max(inputs, 1), "B")
	section.Note("log, a day; it drops once it is archived", gigabytes(runs*entriesPerRun*row("event_log")), "GB")
	section.Note("archive, a year", gigabytes(365*runs*entriesPerRun*float64(b.archived)/float64(b.stored.events+b.stored.decisions)), "GB")
	section.Note("idempotency keys, a year", gigabytes(365*runs*entriesPerRun*row("event_key")), "GB")
	section.Note("projection, a year of runs", gigabytes(365*runs*run), "GB")
	section.Note("projection, a year of weekly changes", gigabytes(changes*b.change), "GB")
	section.Note("projection, nodes: they follow the company, not time", gigabytes(
		float64(b.options.size.Datasets+b.options.size.Jobs)*row("node")), "GB")
	return nil
}

func gigabytes(bytes float64) float64 { return bytes / 1e9 }

package seed

import (
	"context"
	"fmt"
	"slices"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"golang.org/x/sync/errgroup"

	"github.com/headwater-data/headwater/bench/company"
	"github.com/headwater-data/headwater/lineage"
	"github.com/headwater-data/headwater/projection"
)

// moveCursors leaves the log and the projection where the entries would have.
const moveCursors = `WITH head AS (UPDATE log_head SET last_offset = $2, last_received_at = $3)
	UPDATE projection SET cursor_offset = $2, cursor_received_at = $3 WHERE projection_id = $1`

// extendSpans brings the spans of flows $2 up to date, which were copied with that of their first write.
const extendSpans = `UPDATE flow_input f SET since = span.since, until = span.until, spanned_from = span.at
	FROM (SELECT content_id, min(valid_from) AS since, max(valid_to) AS until, max(recorded_from) AS at FROM write
		WHERE projection_id = $1 AND content_id = ANY($2) AND recorded_to = 9223372036854775807 GROUP BY content_id) AS span
	WHERE f.projection_id = $1 AND f.flow_id = span.content_id`

// Copy fills an empty projection with the rows that Beginnings gives when it is applied, some ten times as fast as
// that, and leaves the tables named in without empty. It returns the offset at which each week ends, and calls progress after
// each; what holds at the end comes after the last.
func Copy(ctx context.Context, pool *pgxpool.Pool, id projection.ID, c *company.Company, progress func(week int), without ...string) ([]lineage.Offset, error) {
	rows, log := newRows(c, id), &log{company: c}
	var ends []lineage.Offset
	for week := range c.Size().Weeks {
		log.receivedAt = company.WeekBegin(week + 1)
		for run := range c.Beginnings(week) {
			entries := log.told(company.Event{Run: run, Type: company.Complete, At: run.End})
			if err := rows.add(run, entries); err != nil {
				return nil, err
			}
		}
		if err := rows.flush(ctx, pool, without); err != nil {
			return nil, err
		}
		ends = append(ends, log.offset)
		progress(week)
	}
	rows.finish()
	if err := rows.flush(ctx, pool, without); err != nil {
		return nil, err
	}
	if _, err := pool.Exec(ctx, extendSpans, id, rows.again); err != nil {
		return nil, fmt.Errorf("extend spans: %w", err)
	}
	if _, err := pool.Exec(ctx, moveCursors, id, log.offset, log.receivedAt); err != nil {
		return nil, fmt.Errorf("move the cursor: %w", err)
	}
	return ends, nil
}

// flush copies what was collected, a table at a time on each of a few connections, and drops what is for tables to be left out.
func (r *rows) flush(ctx context.Context, pool *pgxpool.Pool, without []string) error {
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(3)
	for _, table := range []*table{&r.write, &r.run, &r.statement, &r.flowInput, &r.runEvent, &r.flow, &r.node} {
		if slices.Contains(without, table.name) {
			table.rows = nil
			continue
		}
		group.Go(func() error {
			_, err := pool.CopyFrom(ctx, pgx.Identifier{table.name}, table.columns, pgx.CopyFromRows(table.rows))
			if err != nil {
				return fmt.Errorf("copy into %s: %w", table.name, err)
			}
			table.rows = nil
			return nil
		})
	}
	return group.Wait()
}

package projection

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5"

	"github.com/headwater-data/headwater/lineage"
)

// RunSizes tells how many events runs have.
type RunSizes struct {
	// Runs have ended, and began among the sampled entries of the log.
	Runs          int64
	P50, P95, P99 int64
	Largest       int64
	// Histogram counts them by powers of two.
	Histogram []RunBucket
}

// RunBucket counts runs with more events than half of AtMost, and at most that.
type RunBucket struct {
	AtMost int64 `json:"atMost"`
	Count  int64 `json:"count"`
}

// Runs that began before the sample would be found the likelier the longer they are, so only those that began within
// it count.
const sampledRuns = `WITH active AS (SELECT projection_id, cursor_offset - $1 AS after FROM projection WHERE status = 'active'),
	sampled AS (
		SELECT run.projection_id, run.run_key FROM active, run
		WHERE run.projection_id = active.projection_id AND run.first_offset > active.after AND run.state >= $2
			AND run.run_key IN (
				SELECT e.run_key FROM run_event e WHERE e.projection_id = active.projection_id AND e.log_offset > active.after)
	),
	counted AS (SELECT count(*) AS events FROM sampled JOIN run_event USING (projection_id, run_key) GROUP BY run_key)`

const (
	selectRunSizes = sampledRuns + ` SELECT count(*), coalesce(percentile_disc(ARRAY[0.5, 0.95, 0.99]) WITHIN GROUP (ORDER BY events), '{0,0,0}'),
		coalesce(max(events), 0) FROM counted`
	selectRunHistogram = sampledRuns + ` SELECT (2 ^ ceil(log(2, events)))::bigint AS at_most, count(*)
		FROM counted GROUP BY at_most ORDER BY at_most`
)

// RunSizes measures the runs of the active projection that began among its latest entries, sample at most.
func (s *Store) RunSizes(ctx context.Context, sample int64) (RunSizes, error) {
	var sizes RunSizes
	options := pgx.TxOptions{IsoLevel: pgx.RepeatableRead, AccessMode: pgx.ReadOnly}
	err := pgx.BeginTxFunc(ctx, s.pool, options, func(tx pgx.Tx) error {
		var percentiles []int64
		err := tx.QueryRow(ctx, selectRunSizes, sample, lineage.RunCompleted).Scan(&sizes.Runs, &percentiles, &sizes.Largest)
		if err != nil {
			return err
		}
		sizes.P50, sizes.P95, sizes.P99 = percentiles[0], percentiles[1], percentiles[2]
		rows, err := tx.Query(ctx, selectRunHistogram, sample, lineage.RunCompleted)
		if err != nil {
			return err
		}
		sizes.Histogram, err = pgx.CollectRows(rows, pgx.RowToStructByPos[RunBucket])
		return err
	})
	if err != nil {
		return RunSizes{}, fmt.Errorf("measure runs: %w", err)
	}
	return sizes, nil
}

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

// All events of a run that began within the sample are in it. Runs that began before would be found the likelier the
// longer they are, so they do not count.
const (
	selectSampled = `SELECT projection_id, greatest(cursor_offset - $1, 0) FROM projection WHERE status = 'active'`

	countedRuns = `WITH counted AS (
		SELECT events FROM (
			SELECT run_key, count(*) AS events FROM run_event WHERE projection_id = $1 AND log_offset > $2 GROUP BY run_key
		) AS sampled JOIN run USING (run_key)
		WHERE run.projection_id = $1 AND run.first_offset > $2 AND run.state >= $3
	)`

	selectRunSizes = countedRuns + ` SELECT count(*), coalesce(percentile_disc(ARRAY[0.5, 0.95, 0.99]) WITHIN GROUP (ORDER BY events), '{0,0,0}'),
		coalesce(max(events), 0) FROM counted`
	selectRunHistogram = countedRuns + ` SELECT (2 ^ ceil(log(2, events)))::bigint AS at_most, count(*)
		FROM counted GROUP BY at_most ORDER BY at_most`
)

// RunSizes measures the runs of the active projection that began among its latest entries, sample at most.
func (s *Store) RunSizes(ctx context.Context, sample int64) (RunSizes, error) {
	var sizes RunSizes
	options := pgx.TxOptions{IsoLevel: pgx.RepeatableRead, AccessMode: pgx.ReadOnly}
	err := pgx.BeginTxFunc(ctx, s.pool, options, func(tx pgx.Tx) error {
		var active ID
		var after lineage.Offset
		if err := tx.QueryRow(ctx, selectSampled, sample).Scan(&active, &after); err != nil {
			return err
		}
		var percentiles []int64
		err := tx.QueryRow(ctx, selectRunSizes, active, after, lineage.RunCompleted).Scan(&sizes.Runs, &percentiles, &sizes.Largest)
		if err != nil {
			return err
		}
		sizes.P50, sizes.P95, sizes.P99 = percentiles[0], percentiles[1], percentiles[2]
		rows, err := tx.Query(ctx, selectRunHistogram, active, after, lineage.RunCompleted)
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

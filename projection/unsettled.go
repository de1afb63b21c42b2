package projection

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5"

	"github.com/headwater-data/headwater/lineage"
)

// selectUnsettled takes the runs in the order of their first events, by the index that has only what is not settled.
const selectUnsettled = `SELECT run_id, job_namespace, job_name, last_offset, first_offset
	FROM run JOIN projection USING (projection_id)
	WHERE projection.status = 'active' AND NOT settled AND state >= $1 AND first_offset > $2
	ORDER BY first_offset LIMIT $3`

// Unsettled returns runs of the active projection that have ended and are not decided: those whose first event is
// behind an offset, limit at most, and the offset to go on from.
func (s *Store) Unsettled(ctx context.Context, after lineage.Offset, limit int) ([]RunEvidence, lineage.Offset, error) {
	rows, _ := s.pool.Query(ctx, selectUnsettled, lineage.RunCompleted, after, limit) // CollectRows reports the error
	runs, err := pgx.CollectRows(rows, func(row pgx.CollectableRow) (RunEvidence, error) {
		var e RunEvidence
		err := row.Scan(&e.Run.RunID, &e.Run.Job.Namespace, &e.Run.Job.Name, &e.Last, &after)
		return e, err
	})
	if err != nil {
		return nil, after, fmt.Errorf("read unsettled runs: %w", err)
	}
	return runs, after, nil
}

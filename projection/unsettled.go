package projection

import (
	"context"
	"encoding/json/v2"
	"fmt"
	"slices"

	"github.com/jackc/pgx/v5"

	"github.com/headwater-data/headwater/lineage"
)

// selectUnsettled takes the runs in the order of their first events, by the index that has only what is not settled.
// Those with evidence behind the dispatch cursor are signalled in any case.
const selectUnsettled = `SELECT run_id, job_namespace, job_name, last_offset, first_offset, body, decisions
	FROM run JOIN projection USING (projection_id), dispatch_cursor
	WHERE projection.status = 'active' AND NOT settled AND last_offset <= dispatch_offset AND first_offset > $1
	ORDER BY first_offset LIMIT $2`

// Unsettled looks at the next runs of the active projection that are not settled and were dispatched: limit at most, in
// the order of their first events, which are behind an offset. It returns those of them that a workflow should decide
// now, since outputs wait or evidence came that nobody has weighed, and the offset to go on from; that is the one given when
// there are no more.
func (s *Store) Unsettled(ctx context.Context, after lineage.Offset, limit int) ([]RunEvidence, lineage.Offset, error) {
	var undecided []RunEvidence
	var evidence RunEvidence
	var body, decided []byte
	rows, _ := s.pool.Query(ctx, selectUnsettled, after, limit) // ForEachRow reports the error
	_, err := pgx.ForEachRow(rows, []any{
		&evidence.Run.RunID, &evidence.Run.Job.Namespace, &evidence.Run.Job.Name, &evidence.Last, &after, &body, &decided,
	}, func() error {
		var run lineage.Run
		if err := json.Unmarshal(body, &run); err != nil {
			return fmt.Errorf("read run %s: %w", evidence.Run.RunID, err)
		}
		var decisions []lineage.RecordedDecision
		if err := json.Unmarshal(decided, &decisions); err != nil {
			return fmt.Errorf("read decisions of run %s: %w", evidence.Run.RunID, err)
		}
		if decidable(run) || run.Outdated(run.Ruling(decisions)) {
			undecided = append(undecided, evidence)
		}
		return nil
	})
	if err != nil {
		return nil, after, fmt.Errorf("read unsettled runs: %w", err)
	}
	return undecided, after, nil
}

// decidable reports whether outputs wait that can be decided by now: the run has ended, or it has no natural end.
func decidable(run lineage.Run) bool {
	return (run.End != nil || run.Continuous()) &&
		slices.ContainsFunc(run.Outputs, func(o lineage.Output) bool { return o.Publication == lineage.Pending })
}

package projection

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5"

	"github.com/headwater-data/headwater/lineage"
)

// Evidence is what has come of runs since their workflows were last signalled.
type Evidence struct {
	// From is where the dispatch cursor stands, Through where it may move once every run is signalled.
	From, Through lineage.Offset
	Runs          []RunEvidence
}

// RunEvidence names a run and the last new event of it.
type RunEvidence struct {
	Run  lineage.RunKey
	Last lineage.Offset
}

const (
	// selectDispatch gives the span that has been folded and not dispatched, bounded so that one round stays small.
	selectDispatch = `SELECT dispatch_offset, greatest(dispatch_offset, least(cursor_offset, dispatch_offset + $1)), projection_id
		FROM dispatch_cursor, projection WHERE status = 'active'`
	selectEvidence = `SELECT r.run_id, r.job_namespace, r.job_name, max(e.log_offset)
		FROM run_event e JOIN run r USING (projection_id, run_key)
		WHERE e.projection_id = $1 AND e.log_offset > $2 AND e.log_offset <= $3
		GROUP BY r.run_id, r.job_namespace, r.job_name ORDER BY max(e.log_offset)`
	moveDispatch = `UPDATE dispatch_cursor SET dispatch_offset = $2 WHERE dispatch_offset = $1`
)

// Evidence returns the runs with events among the next entries behind the dispatch cursor, limit at most, that the
// active projection has folded. Decisions are no evidence.
func (s *Store) Evidence(ctx context.Context, limit int) (Evidence, error) {
	var evidence Evidence
	var active ID
	err := s.pool.QueryRow(ctx, selectDispatch, limit).Scan(&evidence.From, &evidence.Through, &active)
	if err != nil {
		return Evidence{}, fmt.Errorf("read the dispatch cursor: %w", err)
	}
	rows, _ := s.pool.Query(ctx, selectEvidence, active, evidence.From, evidence.Through) // CollectRows reports the error
	evidence.Runs, err = pgx.CollectRows(rows, scanRunEvidence)
	if err != nil {
		return Evidence{}, fmt.Errorf("read new evidence: %w", err)
	}
	return evidence, nil
}

// MoveDispatch moves the dispatch cursor. It returns ErrFenced where another dispatcher has moved it.
func (s *Store) MoveDispatch(ctx context.Context, from, to lineage.Offset) error {
	moved, err := s.pool.Exec(ctx, moveDispatch, from, to)
	if err != nil {
		return fmt.Errorf("move the dispatch cursor: %w", err)
	}
	if moved.RowsAffected() == 0 {
		return fmt.Errorf("%w: the dispatch cursor is not at %d", ErrFenced, from)
	}
	return nil
}

func scanRunEvidence(row pgx.CollectableRow) (RunEvidence, error) {
	var e RunEvidence
	err := row.Scan(&e.Run.RunID, &e.Run.Job.Namespace, &e.Run.Job.Name, &e.Last)
	return e, err
}

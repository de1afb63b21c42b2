package projection

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/headwater-data/headwater/lineage"
)

// StoredRun is a run as the active projection has it.
type StoredRun struct {
	lineage.Run
	// Decisions are in the order of the log.
	Decisions []lineage.RecordedDecision
	// Basis is the last event weighed, decisions left out.
	Basis lineage.Position
}

const (
	selectRun = `SELECT ` + runColumns + `
		FROM run JOIN projection USING (projection_id) WHERE status = 'active' AND run_key = $1`
	selectEnds = `SELECT projection_id, producer, event_id, received_at FROM run_event JOIN projection USING (projection_id)
		WHERE status = 'active' AND run_key = $1 AND event_type = ANY($2) ORDER BY log_offset`
	// selectFoundRuns gives, with placeholders, the jobs whose runs name them: as their parent, or before anybody else did.
	selectFoundRuns = `SELECT r.job_namespace, r.job_name, r.last_offset = 0, coalesce(named.namespaces, '{}'), coalesce(named.names, '{}')
		FROM run r LEFT JOIN LATERAL (
			SELECT array_agg(job_namespace) AS namespaces, array_agg(job_name) AS names FROM (
				SELECT job_namespace, job_name FROM run WHERE projection_id = $1 AND parent_run_key = r.run_key
				UNION SELECT first.job_namespace, first.job_name FROM run_event e
				JOIN run first ON first.projection_id = $1 AND first.run_key = e.run_key
				WHERE e.projection_id = $1 AND e.log_offset = r.first_offset
			) AS by
		) AS named ON r.last_offset = 0
		WHERE r.projection_id = $1`
	selectRunsOfID = selectFoundRuns + ` AND r.run_id = $2 ORDER BY r.job_namespace, r.job_name LIMIT 100`
	selectRunOfJob = selectFoundRuns + ` AND r.run_key = $2`
)

// Placeholder reports whether nothing of the run itself has come: others name it.
func (r *StoredRun) Placeholder() bool { return r.Basis == (lineage.Position{}) }

// Run returns a run of the active projection, or ErrNotFound.
func (s *Store) Run(ctx context.Context, key lineage.Hash) (StoredRun, error) {
	rows, _ := s.pool.Query(ctx, selectRun, key) // collectRun reports the error
	return collectRun(rows)
}

// FirstEndReceivedAt is when the first terminal event of a run was received that was not withdrawn, or the zero time where
// none was.
func (s *Store) FirstEndReceivedAt(ctx context.Context, key lineage.Hash) (time.Time, error) {
	var first time.Time
	options := pgx.TxOptions{IsoLevel: pgx.RepeatableRead, AccessMode: pgx.ReadOnly}
	err := pgx.BeginTxFunc(ctx, s.pool, options, func(tx pgx.Tx) error {
		rows, _ := tx.Query(ctx, selectEnds, key, []lineage.EventType{lineage.Complete, lineage.Fail, lineage.Abort}) // CollectRows reports the error
		type end struct {
			ID         ID
			Producer   string
			EventID    string
			ReceivedAt time.Time
		}
		ends, err := pgx.CollectRows(rows, pgx.RowToStructByPos[end])
		if err != nil || len(ends) == 0 {
			return err
		}
		sender := func(e end) lineage.Sender { return lineage.Sender{Producer: e.Producer, EventID: e.EventID} }
		withdrawals, err := readWithdrawals(ctx, tx, ends[0].ID, column(ends, func(e end) lineage.Hash { return sender(e).Hash() }))
		if err != nil {
			return err
		}
		if i := slices.IndexFunc(ends, func(e end) bool { return !withdrawals.Cover(sender(e), lineage.Hash{}) }); i >= 0 {
			first = ends[i].ReceivedAt.UTC()
		}
		return nil
	})
	if err != nil {
		return time.Time{}, fmt.Errorf("read when the run ended: %w", err)
	}
	return first, nil
}

// RunKeys returns the runs of the active projection with that id, which is in lower case, of one job or of any (nil): several
// where jobs share it, of the first 100. They are those that show tells a caller of, which is asked about jobs; nil: all. A run
// that others name, and of which nothing has come, is there where one of those is shown, and no other run has the id.
func (s *Store) RunKeys(
	ctx context.Context, runID string, job *lineage.JobID, show Show,
) ([]lineage.RunKey, error) {
	active, err := s.Active(ctx)
	if err != nil {
		return nil, err
	}
	query, key := selectRunsOfID, any(runID)
	if job != nil {
		query, key = selectRunOfJob, lineage.RunKey{Job: *job, RunID: runID}.Hash()
	}
	rows, _ := s.pool.Query(ctx, query, active.ID, key) // CollectRows reports the error
	found, err := pgx.CollectRows(rows, func(row pgx.CollectableRow) (foundRun, error) { return scanFoundRun(row, runID) })
	if err != nil {
		return nil, fmt.Errorf("find runs: %w", err)
	}
	return shownRuns(ctx, found, show)
}

func collectRun(rows pgx.Rows) (StoredRun, error) {
	stored, err := pgx.CollectOneRow(rows, func(pgx.CollectableRow) (StoredRun, error) {
		_, stored, err := scanRun(rows)
		return StoredRun{Run: stored.run, Decisions: stored.decisions, Basis: stored.basis}, err
	})
	if errors.Is(err, pgx.ErrNoRows) {
		return StoredRun{}, ErrNotFound
	}
	if err != nil {
		return StoredRun{}, fmt.Errorf("read run: %w", err)
	}
	return stored, nil
}

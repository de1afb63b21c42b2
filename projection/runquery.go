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
	// selectRunsOfID gives placeholders only where there is nothing else.
	selectRunsOfID = `SELECT job_namespace, job_name FROM run WHERE projection_id = $1 AND run_id = $2 AND (last_offset > 0
			OR NOT EXISTS (SELECT FROM run WHERE projection_id = $1 AND run_id = $2 AND last_offset > 0))
		ORDER BY job_namespace, job_name LIMIT 100`
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

// RunKeys returns the runs of the active projection with that id, which is compared in lower case: several where jobs
// share it, 100 at most.
func (s *Store) RunKeys(ctx context.Context, runID string) ([]lineage.RunKey, error) {
	active, err := s.Active(ctx)
	if err != nil {
		return nil, err
	}
	rows, _ := s.pool.Query(ctx, selectRunsOfID, active.ID, runID) // CollectRows reports the error
	keys, err := pgx.CollectRows(rows, func(row pgx.CollectableRow) (lineage.RunKey, error) {
		key := lineage.RunKey{RunID: runID}
		err := row.Scan(&key.Job.Namespace, &key.Job.Name)
		return key, err
	})
	if err != nil {
		return nil, fmt.Errorf("find runs: %w", err)
	}
	return keys, nil
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

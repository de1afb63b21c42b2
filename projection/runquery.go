package projection

import (
	"context"
	"encoding/json/v2"
	"errors"
	"fmt"
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

// RunDetail is a run with its neighbours and its events.
type RunDetail struct {
	StoredRun
	Children []lineage.RunKey
	// Events are in the order of the log.
	Events []RunEvent
	View   View
}

// RunEvent is one event of a run.
type RunEvent struct {
	Producer string
	EventID  string
	// Type is that of a RunEvent, or the type of a platform event.
	Type        lineage.EventType
	EventTime   time.Time
	EffectiveAt time.Time
	ReceivedAt  time.Time
	Offset      lineage.Offset
	Warnings    []lineage.Warning
}

const (
	selectRun = `SELECT run_key, body, decisions, first_offset, last_epoch, last_offset
		FROM run JOIN projection USING (projection_id) WHERE status = 'active' AND run_key = $1`
	selectFirstEnd = `SELECT min(received_at) FROM run_event JOIN projection USING (projection_id)
		WHERE status = 'active' AND run_key = $1 AND event_type = ANY($2)`
	selectRunsOfID = `SELECT job_namespace, job_name FROM run WHERE projection_id = $1 AND run_id = $2
		ORDER BY job_namespace, job_name LIMIT 100`
	selectRunOf    = `SELECT run_key, body, decisions, first_offset, last_epoch, last_offset FROM run WHERE projection_id = $1 AND run_key = $2`
	selectChildren = `SELECT job_namespace, job_name, run_id FROM run WHERE projection_id = $1 AND parent_run_key = $2
		ORDER BY first_offset LIMIT 1000`
	selectRunEvents = `SELECT producer, event_id, event_type, event_time, effective_at, received_at, log_offset, warnings
		FROM run_event WHERE projection_id = $1 AND run_key = $2 ORDER BY log_offset LIMIT 1000`
)

// Run returns a run of the active projection, or ErrNotFound.
func (s *Store) Run(ctx context.Context, key lineage.Hash) (StoredRun, error) {
	rows, _ := s.pool.Query(ctx, selectRun, key) // collectRun reports the error
	return collectRun(rows)
}

// FirstEndReceivedAt is when the first terminal event of a run was received, or the zero time where none was.
func (s *Store) FirstEndReceivedAt(ctx context.Context, key lineage.Hash) (time.Time, error) {
	var first *time.Time
	if err := s.pool.QueryRow(ctx, selectFirstEnd, key, []lineage.EventType{lineage.Complete, lineage.Fail, lineage.Abort}).Scan(&first); err != nil {
		return time.Time{}, fmt.Errorf("read when the run ended: %w", err)
	}
	if first == nil {
		return time.Time{}, nil
	}
	return first.UTC(), nil
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

// RunDetail returns a run of the active projection with its first 1,000 children and events, or ErrNotFound.
func (s *Store) RunDetail(ctx context.Context, key lineage.Hash) (RunDetail, error) {
	var detail RunDetail
	err := s.read(ctx, func(tx pgx.Tx, view View) error {
		detail.View = view
		rows, _ := tx.Query(ctx, selectRunOf, view.ID, key) // collectRun reports the error
		var err error
		if detail.StoredRun, err = collectRun(rows); err != nil {
			return err
		}
		rows, _ = tx.Query(ctx, selectChildren, view.ID, key)
		if detail.Children, err = pgx.CollectRows(rows, scanRunKey); err != nil {
			return fmt.Errorf("read children: %w", err)
		}
		rows, _ = tx.Query(ctx, selectRunEvents, view.ID, key)
		if detail.Events, err = pgx.CollectRows(rows, scanRunEvent); err != nil {
			return fmt.Errorf("read events: %w", err)
		}
		return nil
	})
	return detail, err
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

func scanRunKey(row pgx.CollectableRow) (lineage.RunKey, error) {
	var key lineage.RunKey
	err := row.Scan(&key.Job.Namespace, &key.Job.Name, &key.RunID)
	return key, err
}

func scanRunEvent(row pgx.CollectableRow) (RunEvent, error) {
	var e RunEvent
	var warnings []byte
	err := row.Scan(&e.Producer, &e.EventID, &e.Type, &e.EventTime, &e.EffectiveAt, &e.ReceivedAt, &e.Offset, &warnings)
	if err != nil {
		return e, err
	}
	e.EventTime, e.EffectiveAt, e.ReceivedAt = e.EventTime.UTC(), e.EffectiveAt.UTC(), e.ReceivedAt.UTC()
	return e, json.Unmarshal(warnings, &e.Warnings)
}

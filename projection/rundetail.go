package projection

import (
	"context"
	"encoding/json/v2"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/headwater-data/headwater/lineage"
)

// RunDetail is a run with its neighbours and its events.
type RunDetail struct {
	StoredRun
	Children []lineage.RunKey
	// Attempts are the other runs of the job that are for the same: under the same parent, for the same nominal time.
	Attempts []lineage.Run
	Tree     RunTree
	// Events are in the order of the log.
	Events []RunEvent
	// Withdrawn is who took the whole run out of the answers, or nil.
	Withdrawn *lineage.StatedWithdrawal
	// AwaitsReplay tells that a version that kept no contributions folded some of its events: no withdrawal changes the run
	// before a replay.
	AwaitsReplay bool
	View         View
}

// RunEvent is one event of a run.
type RunEvent struct {
	lineage.Sender
	// Type is that of a RunEvent, or the type of a platform event.
	Type        lineage.EventType
	EventTime   time.Time
	EffectiveAt time.Time
	ReceivedAt  time.Time
	Offset      lineage.Offset
	Warnings    []lineage.Warning
	// Withdrawn is who took the event out of the answers by itself, or nil.
	Withdrawn *lineage.StatedWithdrawal
	// kept tells that what it contributed can be taken out.
	kept bool
}

const (
	selectRunOf    = `SELECT ` + runColumns + ` FROM run WHERE projection_id = $1 AND run_key = $2`
	selectChildren = `SELECT job_namespace, job_name, run_id FROM run WHERE projection_id = $1 AND parent_run_key = $2
		ORDER BY first_offset LIMIT 1000`
	selectAttemptsUnder = `SELECT body FROM run WHERE projection_id = $1 AND job_id = $2 AND run_key <> $3
			AND parent_run_key = $5 AND nominal_start IS NOT DISTINCT FROM $4 ORDER BY first_offset LIMIT 100`
	selectAttemptsAt = `SELECT body FROM run WHERE projection_id = $1 AND job_id = $2 AND run_key <> $3
			AND nominal_start = $4 AND parent_run_key IS NULL ORDER BY first_offset LIMIT 100`
	selectRunEvents = `SELECT producer, event_id, event_type, event_time, effective_at, received_at, log_offset, warnings,
			contribution IS NOT NULL OR event_type = 'EvidenceWithdrawn'
		FROM run_event WHERE projection_id = $1 AND run_key = $2 ORDER BY log_offset LIMIT 1000`
)

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
		if detail.Attempts, err = readAttempts(ctx, tx, view.ID, detail.Run); err != nil {
			return err
		}
		if detail.Tree, err = readTree(ctx, tx, view.ID, detail.StoredRun); err != nil {
			return err
		}
		rows, _ = tx.Query(ctx, selectRunEvents, view.ID, key)
		if detail.Events, err = pgx.CollectRows(rows, scanRunEvent); err != nil {
			return fmt.Errorf("read events: %w", err)
		}
		return detail.markWithdrawn(ctx, tx)
	})
	return detail, err
}

// readAttempts reads the first 100 other attempts.
func readAttempts(ctx context.Context, tx pgx.Tx, id ID, run lineage.Run) ([]lineage.Run, error) {
	start, parent := nominalStartOf(run), run.Parent.Value
	query, args := selectAttemptsAt, []any{id, lineage.Hash(run.Key.Job.Node().ID()), run.Key.Hash(), start}
	switch {
	case parent != (lineage.RunKey{}):
		query, args = selectAttemptsUnder, append(args, parent.Hash())
	case start == nil:
		return nil, nil
	}
	rows, _ := tx.Query(ctx, query, args...) // CollectRows reports the error
	attempts, err := pgx.CollectRows(rows, func(row pgx.CollectableRow) (attempt lineage.Run, err error) {
		var body []byte
		if err := row.Scan(&body); err != nil {
			return attempt, err
		}
		return attempt, json.Unmarshal(body, &attempt)
	})
	if err != nil {
		return nil, fmt.Errorf("read attempts: %w", err)
	}
	return attempts, nil
}

// markWithdrawn tells which of the run and its events were withdrawn.
func (d *RunDetail) markWithdrawn(ctx context.Context, tx pgx.Tx) error {
	run := d.Key.Hash()
	events := column(d.Events, func(e RunEvent) lineage.Hash { return e.Sender.Hash() })
	withdrawals, err := readWithdrawals(ctx, tx, d.View.ID, append(events, run))
	if err != nil {
		return err
	}
	standing := func(subject lineage.Hash) *lineage.StatedWithdrawal {
		if withdrawn, ok := withdrawals.Of(subject); ok {
			return &withdrawn
		}
		return nil
	}
	d.Withdrawn = standing(run)
	some, broken := d.Withdrawn != nil, false
	for i := range d.Events {
		event := &d.Events[i]
		event.Withdrawn = standing(events[i])
		some = some || event.Withdrawn != nil
		broken = broken || !event.kept
	}
	d.AwaitsReplay = some && broken
	return nil
}

func scanRunKey(row pgx.CollectableRow) (lineage.RunKey, error) {
	var key lineage.RunKey
	err := row.Scan(&key.Job.Namespace, &key.Job.Name, &key.RunID)
	return key, err
}

func scanRunEvent(row pgx.CollectableRow) (RunEvent, error) {
	var e RunEvent
	var warnings []byte
	err := row.Scan(&e.Producer, &e.EventID, &e.Type, &e.EventTime, &e.EffectiveAt, &e.ReceivedAt, &e.Offset, &warnings, &e.kept)
	if err != nil {
		return e, err
	}
	e.EventTime, e.EffectiveAt, e.ReceivedAt = e.EventTime.UTC(), e.EffectiveAt.UTC(), e.ReceivedAt.UTC()
	return e, json.Unmarshal(warnings, &e.Warnings)
}

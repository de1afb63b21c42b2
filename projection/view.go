package projection

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/headwater-data/headwater/lineage"
)

// View is the point from which one answer is read.
type View struct {
	ID   ID
	Name string
	// Names are the rules under which the projection folds; nil where names are taken as they are.
	Names *lineage.NameRules
	// Cursor is the last entry that the projection had folded.
	Cursor           lineage.Position
	CursorReceivedAt time.Time
	// Behind is the number of entries in the log that it had not.
	Behind int64
	// Lag is how long the oldest of those has waited at least; 0 when there are none.
	Lag time.Duration
	// AwaitingDecision is the number of ended runs that wait for a decision, and AwaitingGates of those that were decided to
	// wait for gates. Both are counted up to MostAwaiting: in the backlog of a peak, counting them all would take longer than
	// most answers.
	AwaitingDecision, AwaitingGates int64
	// Dropped tells that an event ever dropped a dataset, or created one.
	Dropped bool
	// Aliased tells that any name stands for another, now or at some time.
	Aliased bool
	// Renamed tells that any dataset was ever renamed.
	Renamed bool
}

// MostAwaiting is how far View counts what waits. The SQL repeats it.
const MostAwaiting = 1000

// selectView reads where the active projection and the log stand, and sets up planning for what is asked after it. Lag
// is measured from the last folded entry, which came before the oldest waiting one.
const selectView = `SELECT p.projection_id, p.name, p.cursor_epoch, p.cursor_offset, nullif(p.cursor_received_at, '-infinity'),
		h.last_offset - p.cursor_offset,
		CASE WHEN h.last_offset > p.cursor_offset AND p.cursor_offset > 0
			THEN extract(epoch FROM h.last_received_at - p.cursor_received_at)::float8 ELSE 0 END,
		(SELECT count(*) FROM (SELECT FROM run WHERE run.projection_id = p.projection_id AND awaits = 1 LIMIT 1000) AS awaiting),
		(SELECT count(*) FROM (SELECT FROM run WHERE run.projection_id = p.projection_id AND awaits = 2 LIMIT 1000) AS held),
		EXISTS (SELECT FROM alias WHERE alias.projection_id = p.projection_id),
		EXISTS (SELECT FROM statement WHERE statement.projection_id = p.projection_id AND level = 5),
		EXISTS (SELECT FROM alias WHERE alias.projection_id = p.projection_id AND source = 2)
	FROM projection p, log_head h, (SELECT ` + steadyPlans + `) AS set WHERE p.status = 'active'`

// read answers one question from one snapshot of the active projection, so that neither a batch nor a switch of
// readers shows in the middle of it.
func (s *Store) read(ctx context.Context, answer func(pgx.Tx, View) error) error {
	options := pgx.TxOptions{IsoLevel: pgx.RepeatableRead, AccessMode: pgx.ReadOnly}
	return pgx.BeginTxFunc(ctx, s.pool, options, func(tx pgx.Tx) error {
		view, err := readView(ctx, tx)
		if err != nil {
			return err
		}
		if view.Names, err = s.names(ctx, tx, view.ID); err != nil {
			return err
		}
		return answer(tx, view)
	})
}

func readView(ctx context.Context, tx pgx.Tx) (View, error) {
	var view View
	var receivedAt *time.Time
	var lagSeconds float64
	err := tx.QueryRow(ctx, selectView).Scan(&view.ID, &view.Name, &view.Cursor.Epoch, &view.Cursor.Offset, &receivedAt,
		&view.Behind, &lagSeconds, &view.AwaitingDecision, &view.AwaitingGates, &view.Aliased, &view.Dropped,
		&view.Renamed)
	if errors.Is(err, pgx.ErrNoRows) {
		return view, fmt.Errorf("no projection is active: %w", ErrNotFound)
	}
	if err != nil {
		return view, fmt.Errorf("read the active projection: %w", err)
	}
	if receivedAt != nil {
		view.CursorReceivedAt = receivedAt.UTC()
	}
	view.Lag = time.Duration(lagSeconds * float64(time.Second))
	return view, nil
}

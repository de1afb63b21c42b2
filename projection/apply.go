package projection

import (
	"context"
	"errors"
	"fmt"
	"log/slog"

	"github.com/jackc/pgx/v5"

	"github.com/headwater-data/headwater/lineage"
)

// moveCursor is the fence: it finds no row unless the batch begins where the cursor stands. It also locks the row, so
// that a second projector waits here and then finds the cursor moved.
const moveCursor = `UPDATE projection SET cursor_epoch = $3, cursor_offset = $4, cursor_received_at = $5
	WHERE projection_id = $1 AND cursor_offset = $2`

// Apply folds entries, which follow the cursor without a gap, and moves the cursor behind them, in one transaction.
// The rows it leaves are the same however the log is cut into batches. It returns ErrFenced, and changes nothing,
// where the cursor stands elsewhere. An entry that cannot be read says nothing; it is logged and passed.
func (s *Store) Apply(ctx context.Context, id ID, entries []lineage.Entry) error {
	if len(entries) == 0 {
		return nil
	}
	if err := checkDense(entries); err != nil {
		return err
	}
	names, err := s.names(ctx, s.pool, id)
	if err != nil {
		return err
	}
	facts := readFacts(entries, names)
	for _, fact := range facts {
		if fact.err != nil {
			slog.ErrorContext(ctx, "an entry of the log cannot be read and says nothing",
				"offset", fact.entry.Offset, "event_id", fact.entry.EventID, "error", fact.err)
		}
	}
	return pgx.BeginFunc(ctx, s.pool, func(tx pgx.Tx) error {
		if _, err := tx.Exec(ctx, `SELECT `+steadyPlans); err != nil {
			return fmt.Errorf("set up planning: %w", err)
		}
		last := entries[len(entries)-1]
		moved, err := tx.Exec(ctx, moveCursor, id, entries[0].Offset-1, last.Epoch, last.Offset, last.ReceivedAt)
		if err != nil {
			return fmt.Errorf("move the cursor: %w", err)
		}
		if moved.RowsAffected() == 0 {
			return fmt.Errorf("%w (at offset %d)", ErrFenced, entries[0].Offset)
		}
		return foldBatch(ctx, tx, id, names, facts)
	})
}

func foldBatch(ctx context.Context, tx pgx.Tx, id ID, names *lineage.NameRules, facts []fact) error {
	batch, err := loadBatch(ctx, tx, id, names, facts)
	if err != nil {
		return err
	}
	for _, fact := range facts {
		batch.fold(fact)
	}
	changes := batch.changes
	timelines, err := loadTimelines(ctx, tx, id, changes.statements)
	if err != nil {
		return err
	}
	for _, change := range changes.statements {
		timelines.fold(change, changes)
	}
	changes.named.dismissalRows = batch.dismissals.rows
	return changes.write(ctx, tx, id, batch.runs)
}

func checkDense(entries []lineage.Entry) error {
	for i, entry := range entries {
		if entry.Offset != entries[0].Offset+lineage.Offset(i) {
			return errors.New("entries of a batch must follow each other without a gap")
		}
	}
	return nil
}

package projection

import (
	"context"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/headwater-data/headwater/lineage"
)

// life is what was said of the existence of one dataset by a point.
type life struct {
	// created is when that was said last; zero where nobody did.
	created time.Time
	// dropped is when that was said last, zero where nobody did or where it was created after.
	dropped time.Time
	// drops are all times at which it was dropped, the latest first.
	drops []time.Time
}

// selectLifeStatements reads what was said of the existence of datasets, the latest first.
const selectLifeStatements = `SELECT output_id, content_id, effective_at FROM statement_p{}
	WHERE level = 5 AND output_id = ANY($1) AND effective_at <= $2 AND valid_until > $2 AND recorded_from <= $3 AND recorded_to > $3
	ORDER BY effective_at DESC, statement_key DESC`

// selectLives reads the lives of datasets at a point. Most were never created or dropped by an event, and are not there.
func selectLives(ctx context.Context, tx pgx.Tx, at point, datasets []lineage.NodeID) (map[lineage.NodeID]life, error) {
	rows, _ := tx.Query(ctx, at.projection.in(selectLifeStatements), hashesOf(datasets), at.validAt, at.recordedAt) // ForEachRow reports the error
	lives := map[lineage.NodeID]life{}
	var output, content lineage.Hash
	var said time.Time
	_, err := pgx.ForEachRow(rows, []any{&output, &content, &said}, func() error {
		id := lineage.NodeID(output)
		lives[id] = lives[id].before(content, said.UTC())
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("read what was created and dropped: %w", err)
	}
	return lives, nil
}

// before takes in what was said before all that was taken in already.
func (l life) before(content lineage.Hash, at time.Time) life {
	if content == lineage.Created.ID() {
		if l.created.IsZero() {
			l.created = at
		}
		return l
	}
	if len(l.drops) == 0 && l.created.IsZero() {
		l.dropped = at
	}
	l.drops = append(l.drops, at)
	return l
}

// writtenAfter reports whether a run was seen after a time to take one of the steps into a dataset: what is written exists.
func writtenAfter(steps []step, at time.Time) bool {
	for _, s := range steps {
		if s.passage.origin == lineage.Observed && s.passage.lastObservedAt.After(at) {
			return true
		}
	}
	return false
}

package projection

import (
	"context"
	"encoding/json/v2"
	"fmt"

	"github.com/jackc/pgx/v5"

	"github.com/headwater-data/headwater/lineage"
)

const selectWithdrawals = `SELECT subject, body FROM withdrawal
	WHERE projection_id = $1 AND subject = ANY($2) AND recorded_to = ` + openEnd

// readWithdrawals reads what was last stated of subjects.
func readWithdrawals(ctx context.Context, tx pgx.Tx, id ID, subjects []lineage.Hash) (lineage.Withdrawals, error) {
	withdrawals := lineage.Withdrawals{}
	rows, _ := tx.Query(ctx, selectWithdrawals, id, subjects) // ForEachRow reports the error
	var subject lineage.Hash
	var body []byte
	_, err := pgx.ForEachRow(rows, []any{&subject, &body}, func() error {
		var stated lineage.Latest[lineage.StatedWithdrawal]
		err := json.Unmarshal(body, &stated)
		withdrawals[subject] = stated
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("read withdrawals: %w", err)
	}
	return withdrawals, nil
}

const selectWithdrawnAt = `SELECT subject FROM withdrawal_p{}
	WHERE subject = ANY($1) AND recorded_from <= $2 AND recorded_to > $2 AND NOT undone`

// withdrawnAt tells which subjects were withdrawn as far as was known at a point.
func withdrawnAt(ctx context.Context, tx pgx.Tx, at point, subjects []lineage.Hash) (map[lineage.Hash]bool, error) {
	withdrawn := map[lineage.Hash]bool{}
	if len(subjects) == 0 {
		return withdrawn, nil
	}
	rows, _ := tx.Query(ctx, at.projection.in(selectWithdrawnAt), subjects, at.recordedAt) // ForEachRow reports the error
	var subject lineage.Hash
	_, err := pgx.ForEachRow(rows, []any{&subject}, func() error {
		withdrawn[subject] = true
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("read withdrawals: %w", err)
	}
	return withdrawn, nil
}

// countingTables keep what each event said, with whether that counts, by the offset of the event.
var countingTables = []struct{ table, offset string }{
	{"declaration", "log_offset"}, {"declared_snapshot", "recorded_from"}, {"attribute_word", "log_offset"}, {"unresolved_use", "log_offset"},
}

// queueCounting notes of the stored events that the batch withdraws or restores whether they count now.
func (w *writer) queueCounting(e *evidence) {
	offsets := map[bool][]int64{}
	for at, event := range e.touched {
		counts := e.counts(event.Sender, event.run)
		offsets[counts] = append(offsets[counts], int64(at))
	}
	for counts, events := range offsets {
		for _, keeping := range countingTables {
			w.batch.Queue(`UPDATE `+keeping.table+` SET counts = $3
				WHERE projection_id = $1 AND `+keeping.offset+` = ANY($2) AND counts <> $3`, w.id, events, counts)
		}
	}
}

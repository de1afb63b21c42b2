package projection

import (
	"context"
	"encoding/json/v2"
	"fmt"

	"github.com/jackc/pgx/v5"

	"github.com/headwater-data/headwater/lineage"
)

// ListedWithdrawal is a withdrawal in effect, with where it stands in the log.
type ListedWithdrawal struct {
	lineage.StatedWithdrawal
	Offset lineage.Offset
}

// WithdrawalList is one page of withdrawals, the latest first.
type WithdrawalList struct {
	Withdrawals []ListedWithdrawal
	// More tells that there is another page.
	More bool
	View View
}

const listWithdrawals = `SELECT recorded_from, body FROM withdrawal
	WHERE projection_id = $1 AND recorded_to = ` + openEnd + ` AND NOT undone AND recorded_from < $2
	ORDER BY recorded_from DESC LIMIT $3`

// Withdrawals lists what is out of the answers of the active projection, as far as it was withdrawn before an offset.
func (s *Store) Withdrawals(ctx context.Context, before lineage.Offset, limit int) (WithdrawalList, error) {
	var list WithdrawalList
	err := s.read(ctx, func(tx pgx.Tx, view View) (err error) {
		list.View = view
		rows, _ := tx.Query(ctx, listWithdrawals, view.ID, int64(before), limit+1) // CollectRows reports the error
		list.Withdrawals, err = pgx.CollectRows(rows, scanWithdrawal)
		return err
	})
	if err != nil {
		return WithdrawalList{}, fmt.Errorf("list withdrawals: %w", err)
	}
	if list.More = len(list.Withdrawals) > limit; list.More {
		list.Withdrawals = list.Withdrawals[:limit]
	}
	return list, nil
}

func scanWithdrawal(row pgx.CollectableRow) (ListedWithdrawal, error) {
	var listed ListedWithdrawal
	var body []byte
	if err := row.Scan(&listed.Offset, &body); err != nil {
		return listed, err
	}
	var stated lineage.Latest[lineage.StatedWithdrawal]
	err := json.Unmarshal(body, &stated)
	listed.StatedWithdrawal = stated.Value
	return listed, err
}

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

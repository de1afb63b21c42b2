package projection

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5"

	"github.com/headwater-data/headwater/lineage"
)

// forgetKnown leaves out of noted content what query finds stored already: most runs state what the run before has stated.
func forgetKnown[R any](ctx context.Context, tx pgx.Tx, id ID, query string, noted map[lineage.Hash]R) error {
	if len(noted) == 0 {
		return nil
	}
	rows, _ := tx.Query(ctx, query, id, sortedKeys(noted)) // CollectRows reports the error
	known, err := pgx.CollectRows(rows, pgx.RowTo[lineage.Hash])
	if err != nil {
		return fmt.Errorf("find content that is stored already: %w", err)
	}
	for _, content := range known {
		delete(noted, content)
	}
	return nil
}

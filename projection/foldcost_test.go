package projection_test

import (
	"fmt"
	"testing"

	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/stretchr/testify/require"

	"github.com/headwater-data/headwater/projection"
)

// TestFoldReadsAsManyRowsABatchHoweverLongTheLog guards plans: each is made while the tables are empty and stays in use.
func TestFoldReadsAsManyRowsABatchHoweverLongTheLog(t *testing.T) {
	const batches, runs = 30, 40
	b := setup(t)
	config := b.pool.Config()
	config.MaxConns = 1 // one session counts all rows, and tells of them when asked to
	pool, err := pgxpool.NewWithConfig(b.ctx, config)
	require.NoError(t, err)
	t.Cleanup(pool.Close)
	store := projection.NewStore(pool)

	const selectReads = `SELECT (SELECT sum(idx_tup_read) FROM pg_stat_user_indexes) + (SELECT sum(seq_tup_read) FROM pg_stat_user_tables)`
	var reads [batches]int64
	var before int64
	for batch := range batches {
		for run := range runs {
			job := (batch*runs + run) % 100
			b.complete(story{
				run: fmt.Sprint("run", batch, "-", run), job: fmt.Sprint("job", job), minute: batch,
				inputs: []string{"hub", fmt.Sprint("in", batch)}, outputs: []string{fmt.Sprint("out", job)},
			})
		}
		require.NoError(t, store.Apply(b.ctx, b.active, b.log[2*batch*runs:]))
		_, err := pool.Exec(b.ctx, `SELECT pg_stat_force_next_flush()`)
		require.NoError(t, err)
		var total int64
		require.NoError(t, pool.QueryRow(b.ctx, selectReads).Scan(&total))
		reads[batch], before = total-before, total
	}
	early, late := reads[5], reads[batches-1]
	require.Positive(t, early)
	require.Less(t, late, early+early/4, "rows read a batch: %v", reads)
}

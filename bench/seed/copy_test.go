package seed_test

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/headwater-data/headwater/bench/company"
	"github.com/headwater-data/headwater/bench/seed"
	"github.com/headwater-data/headwater/internal/testenv"
	"github.com/headwater-data/headwater/projection"
)

func TestCopyLeavesTheRowsThatApplyLeaves(t *testing.T) {
	c, err := company.New(1, company.Size{Datasets: 60, Jobs: 200, RunsPerDay: 200, Weeks: 4})
	require.NoError(t, err)

	applied := projection.NewStore(testenv.Database(t))
	for batch := range slices.Chunk(slices.Collect(seed.Beginnings(c, 0)), 500) {
		require.NoError(t, applied.Apply(t.Context(), 1, batch))
	}
	want, err := applied.Digest(t.Context(), 1)
	require.NoError(t, err)
	filled := map[string]bool{}
	for _, table := range want.Tables {
		filled[table.Table] = table.Rows > 0
	}
	for _, table := range []string{"node", "run", "run_event", "flow", "flow_input", "statement", "write"} {
		require.True(t, filled[table], table)
	}

	pool := testenv.Database(t)
	ends, err := seed.Copy(t.Context(), pool, 1, c, func(int) {})
	require.NoError(t, err)
	require.Len(t, ends, 4)
	got, err := projection.NewStore(pool).Digest(t.Context(), 1)
	require.NoError(t, err)
	require.Equal(t, want, got)
}

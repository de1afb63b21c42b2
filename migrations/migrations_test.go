package migrations_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/headwater-data/headwater/internal/testenv"
	"github.com/headwater-data/headwater/migrations"
)

func TestSecondUpAppliesNothing(t *testing.T) {
	applied, err := migrations.Up(t.Context(), testenv.Database(t))
	require.NoError(t, err)
	require.Empty(t, applied)
}

func TestCheckTellsAnOlderFromANewerSchema(t *testing.T) {
	pool := testenv.Database(t)

	_, err := pool.Exec(t.Context(), `INSERT INTO goose_db_version (version_id, is_applied) VALUES (99999, true)`)
	require.NoError(t, err)
	require.ErrorContains(t, migrations.Check(t.Context(), pool), "newer than this binary")

	_, err = pool.Exec(t.Context(), `DELETE FROM goose_db_version WHERE version_id > 1`)
	require.NoError(t, err)
	require.ErrorContains(t, migrations.Check(t.Context(), pool), "run `headwater migrate`")

	_, err = pool.Exec(t.Context(), `DROP TABLE goose_db_version`)
	require.NoError(t, err)
	var mismatch *migrations.VersionError
	require.ErrorAs(t, migrations.Check(t.Context(), pool), &mismatch)
	require.Zero(t, mismatch.Database)
}

package testenv_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/headwater-data/headwater/internal/testenv"
	"github.com/headwater-data/headwater/migrations"
)

func TestDatabasesAreMigratedAndApart(t *testing.T) {
	first, second := testenv.Database(t), testenv.Database(t)
	require.NoError(t, migrations.Check(t.Context(), first))

	_, err := first.Exec(t.Context(), `CREATE TABLE only_here ()`)
	require.NoError(t, err)
	_, err = second.Exec(t.Context(), `SELECT FROM only_here`)
	require.ErrorContains(t, err, "does not exist")
}

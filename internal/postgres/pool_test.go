package postgres_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/headwater-data/headwater/internal/postgres"
	"github.com/headwater-data/headwater/internal/testenv"
)

func TestURLMaySayHowManyConnections(t *testing.T) {
	url := testenv.Database(t).Config().ConnString()

	pool, err := postgres.Open(t.Context(), url)
	require.NoError(t, err)
	defer pool.Close()
	require.EqualValues(t, postgres.DefaultConnections, pool.Config().MaxConns)

	small, err := postgres.Open(t.Context(), url+"?pool_max_conns=3")
	require.NoError(t, err)
	defer small.Close()
	require.EqualValues(t, 3, small.Config().MaxConns)
}

func TestDatabaseThatDoesNotAnswerIsAnError(t *testing.T) {
	_, err := postgres.Open(t.Context(), "postgres://127.0.0.1:1/nowhere")
	require.ErrorContains(t, err, "the database does not answer")
	_, err = postgres.Open(t.Context(), "postgres://127.0.0.1:port/nowhere")
	require.ErrorContains(t, err, "read the connection URL")
}

package migrations_test

import (
	"os"
	"testing"

	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/jackc/pgx/v5/stdlib"
	"github.com/pressly/goose/v3"
	"github.com/stretchr/testify/require"

	"github.com/headwater-data/headwater/internal/testenv"
	"github.com/headwater-data/headwater/migrations"
)

// databaseAt is an otherwise empty database whose schema is that of an earlier binary.
func databaseAt(t *testing.T, version int64) *pgxpool.Pool {
	t.Helper()
	pool := testenv.Database(t)
	_, err := pool.Exec(t.Context(), `DROP SCHEMA public CASCADE; CREATE SCHEMA public`)
	require.NoError(t, err)
	db := stdlib.OpenDBFromPool(pool)
	defer db.Close()
	provider, err := goose.NewProvider(goose.DialectPostgres, db, os.DirFS("."))
	require.NoError(t, err)
	_, err = provider.UpTo(t.Context(), version)
	require.NoError(t, err)
	return pool
}

// job1 wrote out2 by flow3, which reads in4 and in5, as run6 stated at offset 10; at offset 20 it was known that this had
// ended. Flow7 was stated at offset 15 and never wrote.
const beforeLevels = `
	INSERT INTO run VALUES (1, '60000000-0000-0000-0000-000000000000', 'run6', 'scheduler', 'job1', '10000000-0000-0000-0000-000000000000',
		NULL, 4, true, '{}', '[]', 9, 1, 9);
	INSERT INTO flow VALUES (1, '30000000-0000-0000-0000-000000000000', '10000000-0000-0000-0000-000000000000', 2, 10),
		(1, '70000000-0000-0000-0000-000000000000', NULL, 1, 15);
	INSERT INTO flow_input VALUES
		(1, '30000000-0000-0000-0000-000000000000', '40000000-0000-0000-0000-000000000000', '2026-07-01', '2026-07-08'),
		(1, '30000000-0000-0000-0000-000000000000', '50000000-0000-0000-0000-000000000000', '2026-07-01', '2026-07-08'),
		(1, '70000000-0000-0000-0000-000000000000', '40000000-0000-0000-0000-000000000000', 'infinity', '-infinity');
	INSERT INTO statement (projection_id, timeline_id, effective_at, statement_key, recorded_from, flow_id, output_id, speaks, origin,
			publication, derivation, run_key, job_version, producer, source_event)
		VALUES (1, '90000000-0000-0000-0000-000000000000', '2026-07-01', '60000000-0000-0000-0000-000000000000', 10,
			'30000000-0000-0000-0000-000000000000', '20000000-0000-0000-0000-000000000000', true, 1, 1, 1,
			'60000000-0000-0000-0000-000000000000', 'v1', 'spark', 'event'),
		(1, '90000000-0000-0000-0000-000000000000', '2026-07-08', '80000000-0000-0000-0000-000000000000', 20,
			'70000000-0000-0000-0000-000000000000', '20000000-0000-0000-0000-000000000000', true, 2, 0, 1, NULL, '', 'dbt', 'declared');
	INSERT INTO write (projection_id, timeline_id, flow_id, output_id, origin, valid_from, first_key, valid_to, recorded_from, recorded_to)
		VALUES (1, '90000000-0000-0000-0000-000000000000', '30000000-0000-0000-0000-000000000000', '20000000-0000-0000-0000-000000000000',
			1, '2026-07-01', '60000000-0000-0000-0000-000000000000', '9999-12-31', 10, 20),
		(1, '90000000-0000-0000-0000-000000000000', '30000000-0000-0000-0000-000000000000', '20000000-0000-0000-0000-000000000000',
			1, '2026-07-01', '60000000-0000-0000-0000-000000000000', '2026-07-08', 20, 9223372036854775807)`

func TestTimelinesFromBeforeLevelsAreOfFlows(t *testing.T) {
	pool := databaseAt(t, 7)
	_, err := pool.Exec(t.Context(), beforeLevels)
	require.NoError(t, err)
	_, err = migrations.Up(t.Context(), pool)
	require.NoError(t, err)

	for query, want := range map[string]string{
		`SELECT string_agg(format('%s %s %s %s', level, left(content_id::text, 1), run_id, run_state), ', ' ORDER BY effective_at)
			FROM statement`: "1 3 run6 4, 1 7  0",
		`SELECT string_agg(format('%s %s %s', level, left(content_id::text, 1), left(job_id::text, 1)), ', ') FROM write`: "1 3 1, 1 3 1",
		`SELECT string_agg(format('%s<%s %s %s', left(flow_id::text, 1), left(input_id::text, 1), recorded_from, spanned_from),
			', ' ORDER BY flow_id, input_id) FROM flow_input`: "3<4 10 20, 3<5 10 20, 7<4 15 15",
	} {
		var got string
		require.NoError(t, pool.QueryRow(t.Context(), query).Scan(&got), query)
		require.Equal(t, want, got)
	}
}

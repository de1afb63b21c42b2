package migrations_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/headwater-data/headwater/migrations"
)

// A payload that no page holds twice, one day before the migration and one after it.
const largePayloadSQL = `INSERT INTO event_log (log_offset, epoch, received_at, producer, event_id, format, lane, content_hash,
		trace_parent, payload, payload_bytes)
	SELECT n, 1, $1::timestamptz + n * interval '1 second', 'spark', n::text, 1, 0, gen_random_uuid(), '',
		decode(string_agg(md5(n::text || piece), ''), 'hex'), 20000
	FROM generate_series(1, 40) n, generate_series(1, 292) piece GROUP BY n`

func TestLargePayloadsNoLongerTakeAPageEach(t *testing.T) {
	ctx := t.Context()
	pool := databaseAt(t, 26)
	const page = 8192
	bytesOf := func(day string) (inRows, beside int) {
		const query = `SELECT pg_relation_size($1::regclass), pg_table_size($1::regclass) - pg_relation_size($1::regclass)`
		require.NoError(t, pool.QueryRow(ctx, query, "event_log_"+day).Scan(&inRows, &beside))
		return inRows, beside
	}
	_, err := pool.Exec(ctx, `SELECT ensure_event_log_day('2026-07-19')`)
	require.NoError(t, err)
	_, err = pool.Exec(ctx, largePayloadSQL, "2026-07-19")
	require.NoError(t, err)
	inRows, _ := bytesOf("20260719")
	require.Equal(t, 40*page, inRows, "the test is about rows of a page each")

	_, err = migrations.Up(ctx, pool)
	require.NoError(t, err)
	_, err = pool.Exec(ctx, `SELECT ensure_event_log_day('2026-07-20')`)
	require.NoError(t, err)
	for _, day := range []string{"2026-07-20", "2026-07-19 12:00"} {
		_, err = pool.Exec(ctx, largePayloadSQL, day)
		require.NoError(t, err)
	}

	inRows, beside := bytesOf("20260720")
	require.Less(t, inRows+beside, 40*page*9/10, "a day made later is dense")
	inRows, _ = bytesOf("20260719")
	require.LessOrEqual(t, inRows, 42*page, "so is what comes later on a day that was there")
	var kept, bytes int
	require.NoError(t, pool.QueryRow(ctx, `SELECT count(*), sum(octet_length(payload)) FROM event_log`).Scan(&kept, &bytes))
	require.Equal(t, 3*40, kept)
	require.Equal(t, 3*40*292*16, bytes)
}

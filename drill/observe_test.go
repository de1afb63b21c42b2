package main

import (
	"testing"

	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/stretchr/testify/require"

	"github.com/headwater-data/headwater/eventlog"
	"github.com/headwater-data/headwater/internal/testenv"
	"github.com/headwater-data/headwater/lineage"
)

// logOf appends the events of a run to a log of their own.
func logOf(t *testing.T, r *run) *pgxpool.Pool {
	t.Helper()
	database := testenv.Database(t)
	log := eventlog.New(database, eventlog.Options{})
	committed := make(chan error, 1)
	go func() { committed <- log.Run(t.Context()) }()
	for _, e := range r.events {
		_, err := log.Append(t.Context(), eventlog.Record{
			Producer: "test", EventID: e.id, Format: lineage.FormatOpenLineage, ContentHash: lineage.HashOf(e.id), Payload: e.body,
		})
		require.NoError(t, err)
	}
	log.Close()
	require.NoError(t, <-committed)
	return database
}

func TestTamperedLogIsNoticed(t *testing.T) {
	a := &author{random: randomFor(3, "gateway", "runs"), namespace: "test"}
	r := a.next(morning)
	for documents, _ := split(r.events); len(r.events) != 3 || len(documents) != 3; documents, _ = split(r.events) {
		r = a.next(morning)
	}
	for name, c := range map[string]struct {
		tamper  string
		problem string
		copies  int // of the second event
	}{
		"as it was":        {`SELECT 1`, "", 1},
		"an event is gone": {`DELETE FROM event_log WHERE log_offset = 2`, "offset 3 follows offset 1", 0},
		"the end is gone":  {`DELETE FROM event_log WHERE log_offset = 3`, "it ends at offset 2, its head says 3", 1},
		"an event is there twice": {`WITH copied AS (
				INSERT INTO event_log SELECT log_offset + 2, epoch, received_at, producer, 'copy', format, run_key, lane, content_hash,
					trace_parent, payload, payload_bytes FROM event_log WHERE log_offset = 2)
			UPDATE log_head SET last_offset = 4`, "", 2},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			database := logOf(t, r)
			_, err := database.Exec(t.Context(), c.tamper)
			require.NoError(t, err)
			events, err := (&observer{database: database}).log(t.Context(), 0)
			if c.problem == "" {
				require.NoError(t, err)
			} else {
				require.ErrorContains(t, err, c.problem)
			}
			require.Len(t, events[r.events[1].id], c.copies)
			require.Len(t, events[r.events[0].id], 1)
		})
	}
}

package eventlog_test

import (
	"testing"

	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/stretchr/testify/require"
	"golang.org/x/sync/errgroup"

	"github.com/headwater-data/headwater/eventlog"
	"github.com/headwater-data/headwater/internal/testenv"
)

func TestSegmentStaysTheSameUntilItIsArchived(t *testing.T) {
	t.Parallel()
	q := refusing(t)
	require.Empty(t, q.next(10, 1<<20))
	q.add("a", "b")
	require.Equal(t, []eventlog.QuarantineID{1, 2}, q.next(10, 1<<20))
	q.add("c")
	require.Equal(t, []eventlog.QuarantineID{1, 2}, q.next(10, 1<<20), "the writer died, and another goes on")
	require.Equal(t, eventlog.ArchivedCounts{Archived: 0, Waiting: 3}, q.counts())

	require.NoError(t, q.quarantine.MarkArchived(t.Context(), 1))
	require.Equal(t, eventlog.ArchivedCounts{Archived: 2, Waiting: 1}, q.counts())
	require.Equal(t, []eventlog.QuarantineID{3}, q.next(10, 1<<20))
	require.NoError(t, q.quarantine.MarkArchived(t.Context(), 3))
	require.Empty(t, q.next(10, 1<<20))
	require.ErrorIs(t, q.quarantine.MarkArchived(t.Context(), 2), eventlog.ErrNotFound)
}

func TestArchivedDocumentKeepsItsPayload(t *testing.T) {
	t.Parallel()
	q := refusing(t)
	q.add("a")
	segment, err := q.quarantine.NextSegment(t.Context(), 1, 10, 1<<20)
	require.NoError(t, err)
	require.Equal(t, "a", string(segment[0].Payload))
	require.NoError(t, q.quarantine.MarkArchived(t.Context(), 1))
	document, err := q.quarantine.Get(t.Context(), 1)
	require.NoError(t, err)
	require.Equal(t, segment[0], document)
}

func TestSegmentIsBounded(t *testing.T) {
	t.Parallel()
	q := refusing(t)
	q.add("1234", "1234", "1234", "", "1234", "1234")
	var segments [][]eventlog.QuarantineID
	for ids := q.next(3, 8); len(ids) > 0; ids = q.next(3, 8) {
		segments = append(segments, ids)
		require.NoError(t, q.quarantine.MarkArchived(t.Context(), ids[0]))
	}
	require.Equal(t, [][]eventlog.QuarantineID{{1, 2}, {3, 4, 5}, {6}}, segments)

	q.add("later")
	later, err := q.quarantine.NextSegment(t.Context(), 6, 3, 8)
	require.NoError(t, err)
	require.Empty(t, later, "it came after the turn began")
}

// Ids are given before a commit, so a document may appear behind those that are archived.
func TestDocumentThatAppearsLateIsNotLost(t *testing.T) {
	t.Parallel()
	q := refusing(t)
	q.add("a")
	late, err := q.database.Begin(t.Context())
	require.NoError(t, err)
	_, err = late.Exec(t.Context(), `
INSERT INTO quarantine (producer, event_id, format, reason_code, reason, payload, payload_sha256, payload_bytes)
SELECT producer, event_id, format, reason_code, reason, payload, payload_sha256, payload_bytes FROM quarantine`)
	require.NoError(t, err)
	q.add("c")
	require.Equal(t, []eventlog.QuarantineID{1, 3}, q.next(10, 1<<20))

	require.NoError(t, late.Commit(t.Context()))
	require.Equal(t, []eventlog.QuarantineID{1, 3}, q.next(10, 1<<20))
	require.NoError(t, q.quarantine.MarkArchived(t.Context(), 1))
	require.Equal(t, []eventlog.QuarantineID{2}, q.next(10, 1<<20))
}

func TestSegmentsThatAreFormedAtOnceShareNoDocument(t *testing.T) {
	t.Parallel()
	q := refusing(t)
	for range 20 {
		q.add("x")
	}
	var writers errgroup.Group
	for range 4 {
		writers.Go(func() error {
			_, err := q.quarantine.NextSegment(t.Context(), 20, 7, 1<<20)
			return err
		})
	}
	require.NoError(t, writers.Wait())
	seen := map[eventlog.QuarantineID]bool{}
	for ids := q.next(7, 1<<20); len(ids) > 0; ids = q.next(7, 1<<20) {
		for _, id := range ids {
			require.False(t, seen[id], "document %d is in two segments", id)
			seen[id] = true
		}
		require.NoError(t, q.quarantine.MarkArchived(t.Context(), ids[0]))
	}
	require.Len(t, seen, 20)
	require.Equal(t, eventlog.ArchivedCounts{Archived: 20}, q.counts())
}

func TestSegmentThatLostADocumentIsNotArchived(t *testing.T) {
	t.Parallel()
	q := refusing(t)
	q.add("a", "b")
	q.next(10, 1<<20)
	_, err := q.database.Exec(t.Context(), `DELETE FROM quarantine WHERE quarantine_id = 2`)
	require.NoError(t, err)
	_, err = q.quarantine.NextSegment(t.Context(), 2, 10, 1<<20)
	require.ErrorContains(t, err, "documents 1 to 2 has 1 of its 2")
}

// refusals is a quarantine of the test's own.
type refusals struct {
	t          *testing.T
	database   *pgxpool.Pool
	quarantine *eventlog.Quarantine
}

func refusing(t *testing.T) refusals {
	t.Helper()
	database := testenv.Database(t)
	return refusals{t, database, eventlog.NewQuarantine(database)}
}

func (r refusals) add(payloads ...string) {
	r.t.Helper()
	for _, payload := range payloads {
		_, err := r.quarantine.Add(r.t.Context(), eventlog.Refusal{Producer: "spark", Payload: []byte(payload)})
		require.NoError(r.t, err)
	}
}

// next gives the ids of the next segment, of all that is there.
func (r refusals) next(limit int, maxBytes int64) []eventlog.QuarantineID {
	r.t.Helper()
	last, err := r.quarantine.Last(r.t.Context())
	require.NoError(r.t, err)
	documents, err := r.quarantine.NextSegment(r.t.Context(), last, limit, maxBytes)
	require.NoError(r.t, err)
	var ids []eventlog.QuarantineID
	for _, document := range documents {
		ids = append(ids, document.ID)
	}
	return ids
}

func (r refusals) counts() eventlog.ArchivedCounts {
	r.t.Helper()
	counts, err := r.quarantine.ArchivedCounts(r.t.Context())
	require.NoError(r.t, err)
	return counts
}

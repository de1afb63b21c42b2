package activities_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/headwater-data/headwater/archive"
	"github.com/headwater-data/headwater/eventlog"
	"github.com/headwater-data/headwater/lineage"
	"github.com/headwater-data/headwater/workflows/contract"
)

func TestRefusedDocumentsAreArchivedOnce(t *testing.T) {
	b := setup(t)
	archiving := b.archiving(b.openArchive())
	b.send(dailyOrders, lineage.Start, morning, 1)
	b.refuse(`{"a":`)
	b.refuse("\xff")

	first, err := execute[contract.Archived](b, archiving.WriteSegments)
	require.NoError(t, err)
	require.Equal(t, int64(1), first.Events)
	require.Equal(t, int64(2), first.Refused)
	again, err := execute[contract.Archived](b, archiving.WriteSegments)
	require.NoError(t, err)
	require.Equal(t, contract.Archived{Last: 1}, again)
	require.Equal(t, eventlog.ArchivedCounts{Archived: 2}, b.refusals())
}

// A document with an id behind those of the dead worker's segment must neither be lost nor pull them into its own.
func TestRefusedSegmentOfADeadWorkerIsAdopted(t *testing.T) {
	b := setup(t)
	opened := b.openArchive()
	b.refuse("first")
	late, err := b.database.Begin(t.Context())
	require.NoError(t, err)
	_, err = late.Exec(t.Context(), `
INSERT INTO quarantine (producer, event_id, format, reason_code, reason, payload, payload_sha256, payload_bytes)
SELECT producer, event_id, format, reason_code, reason, payload, payload_sha256, payload_bytes FROM quarantine`)
	require.NoError(t, err)
	b.refuse("third")

	documents, err := b.quarantine.NextSegment(t.Context(), 3, 100, 1<<20)
	require.NoError(t, err)
	require.Len(t, documents, 2)
	store, err := opened(t.Context())
	require.NoError(t, err)
	segment, err := store.WriteRefused(t.Context(), []archive.Refused{asRefused(documents[0]), asRefused(documents[1])})
	require.NoError(t, err) // and here the worker died
	require.Equal(t, int64(1), segment.FirstID)
	require.Equal(t, int64(3), segment.LastID)
	require.NoError(t, late.Commit(t.Context()))

	archived, err := execute[contract.Archived](b, b.archiving(opened).WriteSegments)
	require.NoError(t, err)
	require.Equal(t, int64(3), archived.Refused)
	require.Equal(t, eventlog.ArchivedCounts{Archived: 3}, b.refusals())

	document, err := b.quarantine.Get(t.Context(), 2)
	require.NoError(t, err)
	alone, err := store.WriteRefused(t.Context(), []archive.Refused{asRefused(document)})
	require.NoError(t, err, "the late one stands alone, or this would not be adopted")
	require.Equal(t, int64(1), alone.Count)
}

// refuse puts a document into quarantine.
func (b *bundle) refuse(payload string) {
	b.t.Helper()
	_, err := b.quarantine.Add(b.t.Context(), eventlog.Refusal{
		Producer: "spark", Format: lineage.FormatOpenLineage, Code: "not_json", Reason: "the body is not valid JSON",
		Payload: []byte(payload),
	})
	require.NoError(b.t, err)
}

func (b *bundle) refusals() eventlog.ArchivedCounts {
	b.t.Helper()
	counts, err := b.quarantine.ArchivedCounts(b.t.Context())
	require.NoError(b.t, err)
	return counts
}

func asRefused(document eventlog.Quarantined) archive.Refused {
	return archive.Refused{
		ID: int64(document.ID), ReceivedAt: document.ReceivedAt, Producer: document.Producer, EventID: document.EventID,
		Format: document.Format, Code: document.Code, Reason: document.Reason, Payload: document.Payload,
	}
}

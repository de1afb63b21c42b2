package activities_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/headwater-data/headwater/lineage"
	"github.com/headwater-data/headwater/workflows/contract"
)

func TestLogIsArchivedOnce(t *testing.T) {
	b := setup(t)
	opened := b.openArchive()
	archiving := b.archiving(opened)
	write := func() contract.Archived {
		archived, err := execute[contract.Archived](b, archiving.WriteSegments)
		require.NoError(t, err)
		return archived
	}
	require.Equal(t, contract.Archived{}, write(), "an empty log")

	b.send(dailyOrders, lineage.Start, morning, 1)
	b.send(dailyOrders, lineage.Complete, morning.Add(time.Minute), 1)
	first := write()
	require.Equal(t, int64(2), first.Events)
	require.Equal(t, 1, first.Segments)
	require.Equal(t, lineage.Offset(2), first.Last)
	require.Equal(t, contract.Archived{Last: 2}, write())

	b.send(dailyOrders, lineage.Complete, morning.Add(time.Hour), 1)
	require.Equal(t, lineage.Offset(3), write().Last)
	segments, err := b.catalogue.Segments(t.Context(), 0)
	require.NoError(t, err)
	require.Len(t, segments, 2)
}

func TestSegmentOfADeadWorkerIsAdopted(t *testing.T) {
	b := setup(t)
	opened := b.openArchive()
	b.send(dailyOrders, lineage.Start, morning, 1)
	b.send(dailyOrders, lineage.Complete, morning.Add(time.Minute), 1)
	entries, err := b.log.Read(t.Context(), 0, 1, 1<<20)
	require.NoError(t, err)
	store, err := opened(t.Context())
	require.NoError(t, err)
	_, err = store.WriteSegment(t.Context(), entries) // and here the worker died
	require.NoError(t, err)

	archiving := b.archiving(opened)
	archived, err := execute[contract.Archived](b, archiving.WriteSegments)
	require.NoError(t, err)
	require.Equal(t, 2, archived.Segments)
	require.Equal(t, lineage.Offset(2), archived.Last)
}

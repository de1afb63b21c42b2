package archive_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/headwater-data/headwater/archive"
	"github.com/headwater-data/headwater/internal/testenv"
	"github.com/headwater-data/headwater/lineage"
)

func TestCatalogueKnowsHowFarTheLogIsArchived(t *testing.T) {
	t.Parallel()
	catalogue := archive.NewCatalogue(testenv.Database(t))
	requireLast := func(want lineage.Offset) {
		t.Helper()
		last, err := catalogue.Last(t.Context())
		require.NoError(t, err)
		require.Equal(t, want, last)
	}
	requireLast(0)
	first := archive.Segment{Epoch: 1, FirstOffset: 1, LastOffset: 10, Object: "segments/1", Bytes: 100, SHA256: archive.Digest{1}}
	second := archive.Segment{Epoch: 1, FirstOffset: 11, LastOffset: 15, Object: "segments/11", Bytes: 50, SHA256: archive.Digest{2}}
	require.NoError(t, catalogue.Record(t.Context(), first))
	require.NoError(t, catalogue.Record(t.Context(), second))
	require.NoError(t, catalogue.Record(t.Context(), second), "a repetition")
	requireLast(15)

	other := second
	other.SHA256 = archive.Digest{3}
	require.ErrorContains(t, catalogue.Record(t.Context(), other), "another segment")

	listed, err := catalogue.List(t.Context(), 0, 10)
	require.NoError(t, err)
	require.Len(t, listed, 2)
	require.Equal(t, first.SHA256, listed[0].SHA256)
	require.WithinDuration(t, time.Now(), listed[0].VerifiedAt, time.Minute)
	listed, err = catalogue.List(t.Context(), 10, 10)
	require.NoError(t, err)
	require.Len(t, listed, 1)
	require.Equal(t, second.Object, listed[0].Object)
}

func TestCatalogueIsMadeAnewFromTheBucket(t *testing.T) {
	t.Parallel()
	env := setup(t)
	for _, first := range []lineage.Offset{1, 11, 21} {
		_, err := env.archive.WriteSegment(t.Context(), entries(first, first+9))
		require.NoError(t, err)
	}
	catalogue := archive.NewCatalogue(testenv.Database(t))
	for segment, err := range env.archive.Segments(t.Context(), 0) {
		require.NoError(t, err)
		require.NoError(t, catalogue.Record(t.Context(), segment))
	}
	last, err := catalogue.Last(t.Context())
	require.NoError(t, err)
	require.Equal(t, lineage.Offset(30), last)
}

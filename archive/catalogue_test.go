package archive_test

import (
	"strconv"
	"testing"

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
	segment := func(first, last lineage.Offset) archive.Segment {
		return archive.Segment{
			Stored: archive.Stored{
				FormatVersion: 1, Codec: "ndjson+zstd", Count: int64(last-first) + 1,
				Object: "segments/" + strconv.Itoa(int(first)), Bytes: 100, SHA256: archive.Digest{byte(first)},
			},
			Epoch: 1, FirstOffset: first, LastOffset: last,
		}
	}
	first, second, beyond := segment(1, 10), segment(11, 15), segment(21, 30)
	require.NoError(t, catalogue.Record(t.Context(), first))
	require.NoError(t, catalogue.Record(t.Context(), second))
	require.NoError(t, catalogue.Record(t.Context(), second), "a repetition")
	requireLast(15)

	other := second
	other.SHA256 = archive.Digest{3}
	require.ErrorContains(t, catalogue.Record(t.Context(), other), "another segment")

	listed, err := catalogue.Segments(t.Context(), 0)
	require.NoError(t, err)
	require.Equal(t, []archive.Segment{first, second}, listed)
	listed, err = catalogue.Segments(t.Context(), 10)
	require.NoError(t, err)
	require.Equal(t, []archive.Segment{second}, listed)

	require.NoError(t, catalogue.Record(t.Context(), beyond))
	_, err = catalogue.Segments(t.Context(), 12)
	var hole *archive.HoleError
	require.ErrorAs(t, err, &hole)
	require.Equal(t, archive.HoleError{From: 16, To: 20}, *hole)
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

	listed, err := catalogue.Segments(t.Context(), 25)
	require.NoError(t, err)
	require.Len(t, listed, 1)
	require.Equal(t, entries(21, 30), collect(t, env.archive.ReadSegment(t.Context(), listed[0])))
}

func TestSingleEventsAreFoundThroughTheCatalogue(t *testing.T) {
	t.Parallel()
	env := setup(t)
	catalogue := archive.NewCatalogue(testenv.Database(t))
	for _, first := range []lineage.Offset{1, 11} {
		segment, err := env.archive.WriteSegment(t.Context(), entries(first, first+9))
		require.NoError(t, err)
		require.NoError(t, catalogue.Record(t.Context(), segment))
	}
	finder, err := archive.NewFinder(env.config, catalogue)
	require.NoError(t, err)
	for _, offset := range []lineage.Offset{1, 10, 11, 15, 20} {
		found, err := finder.Entry(t.Context(), offset)
		require.NoError(t, err)
		require.Equal(t, entries(offset, offset)[0], found)
	}
	_, err = finder.Entry(t.Context(), 21)
	var hole *archive.HoleError
	require.ErrorAs(t, err, &hole)
	require.Equal(t, archive.HoleError{From: 21, To: 21}, *hole)
}

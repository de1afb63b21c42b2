package archive_test

import (
	"bytes"
	"io"
	"strings"
	"testing"
	"time"

	"github.com/minio/minio-go/v7"
	"github.com/stretchr/testify/require"
	"golang.org/x/sync/errgroup"

	"github.com/headwater-data/headwater/archive"
)

func TestRetryAdoptsTheSegmentThatIsThere(t *testing.T) {
	t.Parallel()
	env := setup(t)
	first, err := env.archive.WriteSegment(t.Context(), entries(1, 10))
	require.NoError(t, err)

	again, err := env.archive.WriteSegment(t.Context(), entries(1, 10))
	require.NoError(t, err)
	require.Equal(t, first, again)

	longer, err := env.archive.WriteSegment(t.Context(), entries(1, 15))
	require.NoError(t, err, "the log has grown since")
	require.Equal(t, first, longer)

	_, err = env.archive.WriteSegment(t.Context(), entries(1, 5))
	var needs *archive.LongerError
	require.ErrorAs(t, err, &needs)
	require.Equal(t, archive.LongerError{FirstOffset: 1, LastOffset: 10}, *needs)
}

func TestRetryAdoptsAnObjectThatLacksItsManifest(t *testing.T) {
	t.Parallel()
	env := setup(t)
	segment, err := env.archive.WriteSegment(t.Context(), entries(1, 10))
	require.NoError(t, err)
	crashed := setup(t)
	crashed.put(t, segment.Object, env.get(t, segment.Object))
	require.Empty(t, collect(t, crashed.archive.Segments(t.Context(), 0)), "what has no manifest is no segment")

	adopted, err := crashed.archive.WriteSegment(t.Context(), entries(1, 12))
	require.NoError(t, err)
	require.Equal(t, segment.SHA256, adopted.SHA256)
	require.Equal(t, []archive.Segment{adopted}, collect(t, crashed.archive.Segments(t.Context(), 0)))
}

func TestSegmentOfOtherEntriesIsNotAdopted(t *testing.T) {
	t.Parallel()
	env := setup(t)
	_, err := env.archive.WriteSegment(t.Context(), entries(1, 10))
	require.NoError(t, err)
	other := entries(1, 10)
	other[6].Payload = []byte("{}")
	_, err = env.archive.WriteSegment(t.Context(), other)
	var corrupt *archive.CorruptError
	require.ErrorAs(t, err, &corrupt)
	require.Contains(t, corrupt.Reason, "line 7 differs from what the log has")
}

func TestWritersThatRaceAgreeOnOneSegment(t *testing.T) {
	t.Parallel()
	env := setup(t)
	segments := make([]archive.Segment, 4)
	var writers errgroup.Group
	for i := range segments {
		writers.Go(func() (err error) {
			// Some servers refuse a second object before they show the first. A writer tries again, as activities do.
			for deadline := time.Now().Add(time.Minute); ; <-time.After(10 * time.Millisecond) {
				if segments[i], err = env.archive.WriteSegment(t.Context(), entries(1, 10)); err == nil || time.Now().After(deadline) {
					return err
				}
			}
		})
	}
	require.NoError(t, writers.Wait())
	for _, segment := range segments {
		require.Equal(t, segments[0], segment)
	}
}

func TestCorruptObjectIsDetectedBeforeAnEntryIsGiven(t *testing.T) {
	t.Parallel()
	env := setup(t)
	segment, err := env.archive.WriteSegment(t.Context(), entries(1, 10))
	require.NoError(t, err)
	object := env.get(t, segment.Object)

	flipped := bytes.Clone(object)
	flipped[len(flipped)/2] ^= 1
	for name, damaged := range map[string][]byte{"flipped": flipped, "cut": object[:len(object)-1], "empty": {}} {
		env.put(t, segment.Object, damaged) // a new version over the one that is locked
		var corrupt *archive.CorruptError
		require.ErrorAs(t, lastError(env.archive.ReadSegment(t.Context(), segment)), &corrupt, name)
		require.Equal(t, segment.Object, corrupt.Object)
		_, err := env.archive.WriteSegment(t.Context(), entries(1, 10))
		require.ErrorAs(t, err, &corrupt, name)
	}
}

func TestManifestThatDoesNotFitIsDetected(t *testing.T) {
	t.Parallel()
	env := setup(t)
	segment, err := env.archive.WriteSegment(t.Context(), entries(1, 10))
	require.NoError(t, err)
	key := manifestOf(segment.Object)
	manifest := string(env.get(t, key))
	for want, damaged := range map[string]string{
		"corrupt":                      manifest[:20],
		"do not fill offsets 1 to 10":  strings.Replace(manifest, `"count":10`, `"count":9`, 1),
		"another version of Headwater": strings.Replace(manifest, `"formatVersion":1`, `"formatVersion":2`, 1),
		"describes offset 2":           strings.Replace(manifest, `"firstOffset":1`, `"firstOffset":2`, 1),
	} {
		env.put(t, key, []byte(damaged))
		require.ErrorContains(t, lastError(env.archive.Segments(t.Context(), 0)), want)
	}
}

func TestDeletedObjectIsAHole(t *testing.T) {
	t.Parallel()
	env := setup(t)
	segment, err := env.archive.WriteSegment(t.Context(), entries(1, 10))
	require.NoError(t, err)
	// A deletion without a version hides the object; object lock keeps the version under it.
	require.NoError(t, env.client.RemoveObject(t.Context(), env.config.Bucket, segment.Object, minio.RemoveObjectOptions{}))
	var hole *archive.HoleError
	require.ErrorAs(t, lastError(env.archive.Entries(t.Context(), 0)), &hole)
	require.Equal(t, archive.HoleError{From: 1, To: 10}, *hole)
}

// get reads an object past the archive.
func (b bundle) get(t *testing.T, key string) []byte {
	t.Helper()
	object, err := b.client.GetObject(t.Context(), b.config.Bucket, key, minio.GetObjectOptions{})
	require.NoError(t, err)
	defer object.Close()
	content, err := io.ReadAll(object)
	require.NoError(t, err)
	return content
}

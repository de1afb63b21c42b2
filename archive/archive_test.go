package archive_test

import (
	"bytes"
	"fmt"
	"iter"
	"log/slog"
	"math/rand/v2"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/minio/minio-go/v7"
	"github.com/minio/minio-go/v7/pkg/credentials"
	"github.com/stretchr/testify/require"

	"github.com/headwater-data/headwater/archive"
	"github.com/headwater-data/headwater/internal/testenv"
	"github.com/headwater-data/headwater/lineage"
)

func TestSegmentIsReadBackAsItWasWritten(t *testing.T) {
	t.Parallel()
	env := setup(t)
	written := entries(1, 100)
	segment, err := env.archive.WriteSegment(t.Context(), written)
	require.NoError(t, err)
	require.Equal(t, lineage.Offset(1), segment.FirstOffset)
	require.Equal(t, lineage.Offset(100), segment.LastOffset)
	require.Equal(t, int64(100), segment.Count)
	require.Equal(t, "segments/00000000000000000001.ndjson.zst", segment.Object)

	require.Equal(t, []archive.Segment{segment}, collect(t, env.archive.Segments(t.Context(), 0)))
	require.Equal(t, written, collect(t, env.archive.ReadSegment(t.Context(), segment)))
}

func TestSegmentOfManyMegabytes(t *testing.T) {
	t.Parallel()
	env := setup(t)
	written := entries(1, 40)
	for i := range written { // 40 MiB that do not compress: beyond the size from which S3 clients upload in parts
		written[i].Payload = make([]byte, 1<<20)
		for n := range written[i].Payload {
			written[i].Payload[n] = byte(rand.Uint32())
		}
	}
	segment, err := env.archive.WriteSegment(t.Context(), written)
	require.NoError(t, err)
	require.Greater(t, segment.Bytes, int64(40<<20))
	read := 0
	for entry, err := range env.archive.ReadSegment(t.Context(), segment) {
		require.NoError(t, err)
		require.True(t, bytes.Equal(written[read].Payload, entry.Payload))
		read++
	}
	require.Equal(t, 40, read)
}

func TestEntriesGoOnOverSegmentsFromAnyOffset(t *testing.T) {
	t.Parallel()
	env := setup(t)
	all := entries(1, 30)
	for first := 0; first < len(all); first += 10 {
		_, err := env.archive.WriteSegment(t.Context(), all[first:first+10])
		require.NoError(t, err)
	}
	for after := range len(all) + 1 {
		require.Equal(t, all[after:], append([]lineage.Entry{}, collect(t, env.archive.Entries(t.Context(), lineage.Offset(after)))...))
	}
}

func TestSegmentsAreListedInTheOrderOfTheirOffsets(t *testing.T) {
	t.Parallel()
	env := setup(t)
	bounds := []lineage.Offset{1, 9, 10, 11, 99, 100, 1000}
	for i := range len(bounds) - 1 {
		_, err := env.archive.WriteSegment(t.Context(), entries(bounds[i], bounds[i+1]-1))
		require.NoError(t, err)
	}
	var firsts []lineage.Offset
	for _, segment := range collect(t, env.archive.Segments(t.Context(), 0)) {
		firsts = append(firsts, segment.FirstOffset)
	}
	require.Equal(t, bounds[:len(bounds)-1], firsts)
	require.Len(t, collect(t, env.archive.Segments(t.Context(), 98)), 2)
	require.Empty(t, collect(t, env.archive.Segments(t.Context(), 999)))
}

func TestHoleIsNamed(t *testing.T) {
	t.Parallel()
	env := setup(t)
	for _, first := range []lineage.Offset{11, 31} {
		_, err := env.archive.WriteSegment(t.Context(), entries(first, first+9))
		require.NoError(t, err)
	}
	for after, hole := range map[lineage.Offset]archive.HoleError{
		0:  {From: 1, To: 10},
		10: {From: 21, To: 30},
		25: {From: 26, To: 30},
	} {
		var found *archive.HoleError
		require.ErrorAs(t, lastError(env.archive.Entries(t.Context(), after)), &found, "after %d", after)
		require.Equal(t, hole, *found)
	}
}

func TestRangeThatIsNoSegmentIsRefused(t *testing.T) {
	t.Parallel()
	env := setup(t)
	gap := append(entries(1, 3), entries(5, 6)...)
	epochs := entries(1, 3)
	epochs[2].Epoch++
	for want, given := range map[string][]lineage.Entry{
		"at least one entry": nil,
		"offset 5 stands":    gap,
		"offset 3 opens":     epochs,
	} {
		_, err := env.archive.WriteSegment(t.Context(), given)
		require.ErrorContains(t, err, want)
	}
	require.Empty(t, env.keys(t))
}

func TestOpenRefusesAnAddressThatIsNoURL(t *testing.T) {
	t.Parallel()
	_, err := archive.Open(t.Context(), archive.Config{Endpoint: "localhost:9000", Bucket: "b"})
	require.ErrorContains(t, err, "must be a URL")
}

// bundle is an archive on a bucket of its own, and a plain client to do there what Headwater does not.
type bundle struct {
	archive *archive.Archive
	config  archive.Config
	client  *minio.Client
}

func setup(t testing.TB) bundle {
	t.Helper()
	s3 := testenv.S3(t)
	config := archive.Config{
		Endpoint: s3.Endpoint, Bucket: s3.Bucket, AccessKey: s3.AccessKey, SecretKey: s3.SecretKey,
		Logger: slog.New(slog.DiscardHandler),
	}
	opened, err := archive.Open(t.Context(), config)
	require.NoError(t, err)
	endpoint, err := url.Parse(s3.Endpoint)
	require.NoError(t, err)
	client, err := minio.New(endpoint.Host, &minio.Options{Creds: credentials.NewStaticV4(s3.AccessKey, s3.SecretKey, "")})
	require.NoError(t, err)
	return bundle{archive: opened, config: config, client: client}
}

// keys lists the segments' objects and manifests, of all kinds.
func (b bundle) keys(t *testing.T) []string {
	t.Helper()
	var keys []string
	for object := range b.client.ListObjectsIter(t.Context(), b.config.Bucket, minio.ListObjectsOptions{Recursive: true}) {
		require.NoError(t, object.Err)
		if object.Key != "archive.json" {
			keys = append(keys, object.Key)
		}
	}
	return keys
}

// put writes an object past the archive.
func (b bundle) put(t *testing.T, key string, object []byte) {
	t.Helper()
	_, err := b.client.PutObject(t.Context(), b.config.Bucket, key, bytes.NewReader(object), int64(len(object)),
		minio.PutObjectOptions{SendContentMd5: true})
	require.NoError(t, err)
}

// entries gives events with the offsets from first to last.
func entries(first, last lineage.Offset) []lineage.Entry {
	var all []lineage.Entry
	for offset := first; offset <= last; offset++ {
		id := fmt.Sprint(offset)
		all = append(all, lineage.Entry{
			Epoch: 1, Offset: offset, ReceivedAt: time.Date(2026, 7, 19, 0, 0, 0, int(offset)*1000, time.UTC),
			Producer: "spark-prod-eu", EventID: id, Format: lineage.FormatOpenLineage, Run: lineage.HashOf("run", id),
			Content: lineage.HashOf(id), Payload: []byte(`{"eventType":"COMPLETE","text":"` + strings.Repeat(id, 10) + `"}`),
		})
	}
	return all
}

func collect[T any](t *testing.T, sequence iter.Seq2[T, error]) []T {
	t.Helper()
	var all []T
	for value, err := range sequence {
		require.NoError(t, err)
		all = append(all, value)
	}
	return all
}

// lastError is the error with which a sequence ends, or nil.
func lastError[T any](sequence iter.Seq2[T, error]) error {
	for _, err := range sequence {
		if err != nil {
			return err
		}
	}
	return nil
}

package archive_test

import (
	"strings"
	"testing"
	"time"

	"github.com/minio/minio-go/v7"
	"github.com/stretchr/testify/require"

	"github.com/headwater-data/headwater/archive"
)

func TestSegmentUnderLockCanBeNeitherDeletedNorOverwritten(t *testing.T) {
	t.Parallel()
	env := setup(t)
	segment, err := env.archive.WriteSegment(t.Context(), entries(1, 10))
	require.NoError(t, err)
	_, err = env.archive.WriteRefused(t.Context(), refused(1))
	require.NoError(t, err)

	keys := env.keys(t)
	require.Len(t, keys, 4)
	for _, key := range keys {
		stored, err := env.client.StatObject(t.Context(), env.config.Bucket, key, minio.StatObjectOptions{})
		require.NoError(t, err)
		err = env.client.RemoveObject(t.Context(), env.config.Bucket, key, minio.RemoveObjectOptions{
			VersionID: stored.VersionID, GovernanceBypass: true,
		})
		require.Equal(t, minio.AccessDenied, minio.ToErrorResponse(err).Code, "delete %s", key)

		until, err := time.Parse(time.RFC3339, stored.Metadata.Get("X-Amz-Object-Lock-Retain-Until-Date"))
		require.NoError(t, err)
		require.Equal(t, "COMPLIANCE", stored.Metadata.Get("X-Amz-Object-Lock-Mode"))
		require.WithinDuration(t, time.Now().AddDate(1, 0, 0), until, 48*time.Hour)

		once := minio.PutObjectOptions{SendContentMd5: true}
		once.SetMatchETagExcept("*")
		_, err = env.client.PutObject(t.Context(), env.config.Bucket, key, strings.NewReader("x"), 1, once)
		require.Equal(t, minio.PreconditionFailed, minio.ToErrorResponse(err).Code, "overwrite %s", key)
	}
	require.Equal(t, entries(1, 10), collect(t, env.archive.ReadSegment(t.Context(), segment)))
}

func TestOpenCreatesABucketUnderLock(t *testing.T) {
	t.Parallel()
	config := setup(t).config
	config.Bucket += "-new"
	config.RetentionMode, config.Retention = archive.Governance, time.Hour
	opened, err := archive.Open(t.Context(), config)
	require.NoError(t, err)
	_, err = opened.WriteSegment(t.Context(), entries(1, 1))
	require.NoError(t, err)
	for _, warning := range opened.Warnings() {
		require.NotContains(t, warning, "lock")
	}
	_, err = archive.Open(t.Context(), config)
	require.NoError(t, err, "a second time")
}

// The server of the tests stores what it is sent without encryption and knows no lifecycle.
func TestWhatTheServerLacksIsAWarning(t *testing.T) {
	t.Parallel()
	warnings := strings.Join(setup(t).archive.Warnings(), "\n")
	require.Contains(t, warnings, "does not encrypt")
	require.Contains(t, warnings, "no lifecycle rule")
	require.NotContains(t, warnings, "If-None-Match")
	require.NotContains(t, warnings, "lock")
	require.NotContains(t, warnings, "versions: what is deleted")
}

func TestBucketWithoutLockStillTakesSegments(t *testing.T) {
	t.Parallel()
	env := setup(t)
	env.config.Bucket += "-plain"
	require.NoError(t, env.client.MakeBucket(t.Context(), env.config.Bucket, minio.MakeBucketOptions{}))
	opened, err := archive.Open(t.Context(), env.config)
	require.NoError(t, err)
	require.Contains(t, strings.Join(opened.Warnings(), "\n"), "no object lock")
	segment, err := opened.WriteSegment(t.Context(), entries(1, 3))
	require.NoError(t, err)
	require.Equal(t, entries(1, 3), collect(t, opened.ReadSegment(t.Context(), segment)))
}

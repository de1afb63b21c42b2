package stack

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/minio/minio-go/v7"
	"github.com/stretchr/testify/require"
)

func TestS3RefusesToDeleteALockedVersionAndKeepsItAcrossStarts(t *testing.T) {
	dir := t.TempDir()
	const bucket, key = "archive", "segments/1.zst"
	s3 := startTestS3(t, dir)
	require.NoError(t, s3.CreateBucket(t.Context(), bucket))
	require.NoError(t, s3.CreateBucket(t.Context(), bucket), "a second call keeps the bucket")
	first := put(t, s3, bucket, key, "first")
	put(t, s3, bucket, key, "second")
	s3.Stop()

	s3 = startTestS3(t, dir)
	versioning, err := s3.client.GetBucketVersioning(t.Context(), bucket)
	require.NoError(t, err)
	require.True(t, versioning.Enabled())
	err = s3.client.RemoveObject(t.Context(), bucket, key, minio.RemoveObjectOptions{VersionID: first.VersionID, GovernanceBypass: true})
	require.Error(t, err)
	require.Equal(t, "AccessDenied", minio.ToErrorResponse(err).Code)
	object, err := s3.client.StatObject(t.Context(), bucket, key, minio.StatObjectOptions{VersionID: first.VersionID})
	require.NoError(t, err)
	require.EqualValues(t, len("first"), object.Size)
}

func put(t *testing.T, s3 *S3, bucket, key, content string) minio.UploadInfo {
	t.Helper()
	info, err := s3.client.PutObject(t.Context(), bucket, key, strings.NewReader(content), int64(len(content)),
		minio.PutObjectOptions{Mode: minio.Compliance, RetainUntilDate: time.Now().Add(time.Hour), SendContentMd5: true})
	require.NoError(t, err)
	return info
}

func startTestS3(t *testing.T, dir string) *S3 {
	t.Helper()
	s3, err := StartS3(context.Background(), S3Config{Binary: "../../.bin/versitygw", Dir: dir, AccessKey: "access", SecretKey: "secret-key"})
	require.NoError(t, err)
	t.Cleanup(s3.Stop)
	return s3
}

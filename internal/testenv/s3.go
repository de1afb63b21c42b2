package testenv

import (
	"context"
	"crypto/rand"
	"net/url"
	"strings"
	"testing"

	"github.com/minio/minio-go/v7"
	"github.com/minio/minio-go/v7/pkg/credentials"
	"github.com/stretchr/testify/require"

	"github.com/headwater-data/headwater/internal/stack"
)

// S3Config is what a client needs to reach a bucket.
type S3Config struct {
	Endpoint  string // URL
	AccessKey string
	SecretKey string
	Bucket    string
}

// The keys of every S3 server that tests start; it listens on loopback only.
const (
	accessKey = "headwater-test"
	secretKey = "headwater-test-secret" //nolint:gosec // guards nothing but test buckets
)

var s3 = server{
	variable: "HEADWATER_TEST_S3_ENDPOINT",
	start: func(ctx context.Context, dir string) (process, string, error) {
		binary, err := tool("versitygw")
		if err != nil {
			return nil, "", err
		}
		s3, err := stack.StartS3(ctx, stack.S3Config{Binary: binary, Dir: dir, AccessKey: accessKey, SecretKey: secretKey})
		if err != nil {
			return nil, "", err
		}
		return s3, s3.Endpoint(), nil
	},
}

// S3 returns a fresh, empty bucket with versions and object lock. It is not removed when the test ends, since what is
// locked in it cannot be; it goes with the server.
func S3(t testing.TB) S3Config {
	t.Helper()
	cfg := S3Config{
		Endpoint: s3.require(t), AccessKey: accessKey, SecretKey: secretKey,
		Bucket: "test-" + strings.ToLower(rand.Text()),
	}
	endpoint, err := url.Parse(cfg.Endpoint)
	require.NoError(t, err)
	client, err := minio.New(endpoint.Host, &minio.Options{Creds: credentials.NewStaticV4(accessKey, secretKey, "")})
	require.NoError(t, err)
	require.NoError(t, client.MakeBucket(t.Context(), cfg.Bucket, minio.MakeBucketOptions{ObjectLocking: true}))
	return cfg
}

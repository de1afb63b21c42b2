package stack

import (
	"context"
	"fmt"
	"os"
	"path/filepath"

	"github.com/minio/minio-go/v7"
	"github.com/minio/minio-go/v7/pkg/credentials"
)

// S3Config says where a private S3 server lives.
type S3Config struct {
	Binary    string // of versitygw
	Dir       string // its objects, their versions and its log; created when missing
	Port      int    // 0: any free port
	AccessKey string
	SecretKey string
}

// S3 is a running versitygw: it keeps versions and enforces object lock.
type S3 struct {
	*Process
	endpoint string
	client   *minio.Client
}

// StartS3 starts the server on cfg.Dir and waits until it answers.
func StartS3(ctx context.Context, cfg S3Config) (*S3, error) {
	s3, err := startS3(ctx, cfg)
	if err != nil {
		return nil, fmt.Errorf("S3: %w", err)
	}
	return s3, nil
}

// healthPath cannot be a bucket: bucket names have no underscores.
const healthPath = "/_health"

func startS3(ctx context.Context, cfg S3Config) (*S3, error) {
	dir, err := filepath.Abs(cfg.Dir) // versitygw takes the directories for nested when they are relative
	if err != nil {
		return nil, err
	}
	objects, versions := filepath.Join(dir, "objects"), filepath.Join(dir, "versions")
	metadata := filepath.Join(dir, "metadata") // beside the objects: not every file system has extended attributes
	for _, dir := range []string{objects, versions, metadata} {
		if err := os.MkdirAll(dir, 0o755); err != nil {
			return nil, err
		}
	}
	port, err := choosePort(cfg.Port)
	if err != nil {
		return nil, err
	}
	logPath := filepath.Join(dir, "versitygw.log")
	log, err := OpenLog(logPath)
	if err != nil {
		return nil, err
	}
	defer log.Close() // the child has its own

	process, err := Command{
		Name: "versitygw", Path: cfg.Binary,
		Args: []string{
			"--port", address(port), "--health", healthPath,
			"posix", "--versioning-dir", versions, "--sidecar", metadata, objects,
		},
		Env: []string{"ROOT_ACCESS_KEY=" + cfg.AccessKey, "ROOT_SECRET_KEY=" + cfg.SecretKey},
		Log: log,
	}.Start()
	if err != nil {
		return nil, err
	}
	s3 := &S3{Process: process, endpoint: "http://" + address(port)}
	s3.client, err = minio.New(address(port), &minio.Options{Creds: credentials.NewStaticV4(cfg.AccessKey, cfg.SecretKey, "")})
	if err == nil {
		err = process.awaitReady(ctx, startupTimeout, s3.ping)
	}
	if err != nil {
		s3.Stop()
		return nil, WithLog(err, logPath)
	}
	return s3, nil
}

// Endpoint is the base URL of the server.
func (s *S3) Endpoint() string { return s.endpoint }

// CreateBucket creates a bucket with versions and object lock unless it exists.
func (s *S3) CreateBucket(ctx context.Context, name string) error {
	exists, err := s.client.BucketExists(ctx, name)
	if err != nil || exists {
		return err
	}
	return s.client.MakeBucket(ctx, name, minio.MakeBucketOptions{ObjectLocking: true})
}

func (s *S3) ping(ctx context.Context) error { return get(ctx, s.endpoint+healthPath) }

// Package archive keeps closed ranges of the event log as immutable segments in an S3 bucket: compressed lines of
// JSON with a manifest beside them, under object lock. A segment is written by [Archive.WriteSegment], found by
// [Archive.Segments] and read by [Archive.ReadSegment]. The bucket alone is enough to read it all back; [Catalogue]
// notes in the database how far the log is archived, and [Finder] finds single events by it. [Archive.WriteRefused] keeps
// refused documents in the same way.
package archive

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/url"
	"slices"
	"sync"
	"time"

	"github.com/minio/minio-go/v7"
	"github.com/minio/minio-go/v7/pkg/credentials"
	"github.com/minio/minio-go/v7/pkg/encrypt"
)

// RetentionMode says who may lift the lock of an object before its time.
type RetentionMode string

// The modes of S3 object lock.
const (
	// Compliance lets nobody delete or overwrite an object before its time, the bucket's owner included.
	Compliance RetentionMode = "COMPLIANCE"
	// Governance lets those who hold a special permission.
	Governance RetentionMode = "GOVERNANCE"
)

// Config says where the archive is and how long its objects are locked.
type Config struct {
	// Endpoint is the base URL of the S3 server: http or https, host and port.
	Endpoint string
	// Region may be empty for servers that have none.
	Region    string
	Bucket    string
	AccessKey string
	SecretKey string
	// RetentionMode defaults to Compliance, Retention to 365 days.
	RetentionMode RetentionMode
	Retention     time.Duration
	// CallTimeout bounds each request to the server, its retries included. Default: 1 minute.
	CallTimeout time.Duration
	// Logger is told of each new warning. Default: slog.Default().
	Logger *slog.Logger
}

// maxObjectBytes bounds what is read into memory at once. Segments are far smaller.
const maxObjectBytes = 1 << 30

// Archive is an opened archive. It may be used concurrently.
type Archive struct {
	config Config
	client minio.Core
	// locks tells whether the bucket takes objects under lock, encrypts whether it encrypts them unasked.
	locks, encrypts bool

	mu       sync.Mutex
	warnings []string
}

// Open connects to the archive and creates its bucket, with versions and object lock, if there is none. It writes
// and reads back one small object to see what the server does. What the server lacks is a warning, not an error.
func Open(ctx context.Context, config Config) (*Archive, error) {
	a, err := open(ctx, config.withDefaults())
	if err != nil {
		return nil, fmt.Errorf("open the archive in bucket %q at %s: %w", config.Bucket, config.Endpoint, err)
	}
	return a, nil
}

func open(ctx context.Context, config Config) (*Archive, error) {
	a, err := dial(config)
	if err != nil {
		return nil, err
	}
	if err := a.prepareBucket(ctx); err != nil {
		return nil, err
	}
	return a, nil
}

// dial prepares calls to the server. Nothing is sent yet.
func dial(config Config) (*Archive, error) {
	endpoint, err := url.Parse(config.Endpoint)
	if err != nil {
		return nil, err
	}
	if (endpoint.Scheme != "http" && endpoint.Scheme != "https") || endpoint.Host == "" {
		return nil, errors.New("the endpoint must be a URL such as https://s3.example.com")
	}
	client, err := minio.New(endpoint.Host, &minio.Options{
		Creds:  credentials.NewStaticV4(config.AccessKey, config.SecretKey, ""),
		Secure: endpoint.Scheme == "https",
		Region: config.Region,
	})
	if err != nil {
		return nil, err
	}
	return &Archive{config: config, client: minio.Core{Client: client}}, nil
}

// Warnings lists what the archive was to have and the server does not give, as far as it is known by now.
func (a *Archive) Warnings() []string {
	a.mu.Lock()
	defer a.mu.Unlock()
	return slices.Clone(a.warnings)
}

// warn notes a warning and logs it the first time.
func (a *Archive) warn(ctx context.Context, warning string) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if !slices.Contains(a.warnings, warning) {
		a.warnings = append(a.warnings, warning)
		a.config.Logger.WarnContext(ctx, warning, "bucket", a.config.Bucket)
	}
}

// putOnce writes an object under lock unless one has its key. It reports whether it wrote it.
func (a *Archive) putOnce(ctx context.Context, key, contentType string, object []byte) (bool, error) {
	options := minio.PutObjectOptions{
		ContentType:      contentType,
		SendContentMd5:   true, // object lock asks for a checksum
		DisableMultipart: true,
	}
	options.SetMatchETagExcept("*")
	if !a.encrypts {
		options.ServerSideEncryption = encrypt.NewSSE()
	}
	if a.locks {
		options.Mode = minio.RetentionMode(a.config.RetentionMode)
		options.RetainUntilDate = time.Now().UTC().Add(a.config.Retention)
	}
	err := a.put(ctx, key, object, options)
	if minio.ToErrorResponse(err).Code == minio.NotImplemented { // MinIO without a key server
		options.ServerSideEncryption = nil
		err = a.put(ctx, key, object, options)
	}
	switch {
	case minio.ToErrorResponse(err).Code == minio.PreconditionFailed:
		return false, nil
	case err != nil:
		return false, fmt.Errorf("write %s: %w", key, err)
	default:
		return true, nil
	}
}

func (a *Archive) put(ctx context.Context, key string, object []byte, options minio.PutObjectOptions) error {
	ctx, cancel := a.deadline(ctx)
	defer cancel()
	_, err := a.client.Client.PutObject(ctx, a.config.Bucket, key, bytes.NewReader(object), int64(len(object)), options)
	return err
}

// get reads a whole object. An error for which isMissing holds means that there is none.
func (a *Archive) get(ctx context.Context, key string) ([]byte, error) {
	ctx, cancel := a.deadline(ctx)
	defer cancel()
	body, _, _, err := a.client.GetObject(ctx, a.config.Bucket, key, minio.GetObjectOptions{})
	if err != nil {
		return nil, fmt.Errorf("read %s: %w", key, err)
	}
	defer body.Close()
	object, err := io.ReadAll(io.LimitReader(body, maxObjectBytes+1))
	if err != nil {
		return nil, fmt.Errorf("read %s: %w", key, err)
	}
	if len(object) > maxObjectBytes {
		return nil, &CorruptError{key, fmt.Sprintf("it has more than %d bytes", maxObjectBytes)}
	}
	return object, nil
}

func (a *Archive) deadline(ctx context.Context) (context.Context, context.CancelFunc) {
	return context.WithTimeout(ctx, a.config.CallTimeout)
}

func (c Config) withDefaults() Config {
	if c.RetentionMode == "" {
		c.RetentionMode = Compliance
	}
	if c.Retention == 0 {
		c.Retention = 365 * 24 * time.Hour
	}
	if c.CallTimeout == 0 {
		c.CallTimeout = time.Minute
	}
	if c.Logger == nil {
		c.Logger = slog.Default()
	}
	return c
}

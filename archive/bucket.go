package archive

import (
	"context"
	"errors"
	"fmt"

	"github.com/minio/minio-go/v7"
	"github.com/minio/minio-go/v7/pkg/lifecycle"
)

// The marker tells a person what the bucket is. Writing it shows what the server does with an object.
const (
	markerKey  = "archive.json"
	markerJSON = `{"about":"Segments of a Headwater event log; read docs/archive.md of Headwater","formatVersion":1}` + "\n"
)

// prepareBucket creates the bucket if there is none, and notes as warnings what it does not give.
func (a *Archive) prepareBucket(ctx context.Context) error {
	for _, step := range []func(context.Context) error{
		a.createBucket, a.checkVersions, a.checkLock, a.checkEncryption, a.checkLifecycle, a.checkMarker,
	} {
		if err := step(ctx); err != nil {
			return err
		}
	}
	return nil
}

func (a *Archive) createBucket(ctx context.Context) error {
	ctx, cancel := a.deadline(ctx)
	defer cancel()
	exists, err := a.client.BucketExists(ctx, a.config.Bucket)
	if err != nil || exists {
		return err
	}
	err = a.client.MakeBucket(ctx, a.config.Bucket, minio.MakeBucketOptions{Region: a.config.Region, ObjectLocking: true})
	if minio.ToErrorResponse(err).Code == minio.BucketAlreadyOwnedByYou { // another process was faster
		return nil
	}
	return err
}

func (a *Archive) checkVersions(ctx context.Context) error {
	ctx, cancel := a.deadline(ctx)
	defer cancel()
	versions, err := a.client.GetBucketVersioning(ctx, a.config.Bucket)
	if err != nil && !refused(err) {
		return fmt.Errorf("read the bucket's versioning: %w", err)
	}
	if err != nil || !versions.Enabled() {
		a.warn(ctx, "The archive's bucket keeps no versions: what is deleted or overwritten there is gone.")
	}
	return nil
}

func (a *Archive) checkLock(ctx context.Context) error {
	ctx, cancel := a.deadline(ctx)
	defer cancel()
	lock, _, _, _, err := a.client.GetObjectLockConfig(ctx, a.config.Bucket)
	if err != nil && !refused(err) {
		return fmt.Errorf("read the bucket's object lock: %w", err)
	}
	a.locks = err == nil && lock == "Enabled"
	if !a.locks {
		a.warn(ctx, "The archive's bucket has no object lock: segments can be deleted. Create the bucket with object lock enabled.")
	}
	return nil
}

// checkEncryption leaves the choice of a key to the bucket's own rule where it has one.
func (a *Archive) checkEncryption(ctx context.Context) error {
	ctx, cancel := a.deadline(ctx)
	defer cancel()
	rule, err := a.client.GetBucketEncryption(ctx, a.config.Bucket)
	if err != nil && !refused(err) {
		return fmt.Errorf("read the bucket's encryption: %w", err)
	}
	a.encrypts = err == nil && len(rule.Rules) > 0
	return nil
}

// checkLifecycle sees to a rule that removes versions which others superseded, once they are past the retention.
// Segments in force are not expired: what they hold is nowhere else.
func (a *Archive) checkLifecycle(ctx context.Context) error {
	ctx, cancel := a.deadline(ctx)
	defer cancel()
	_, err := a.client.GetBucketLifecycle(ctx, a.config.Bucket)
	if minio.ToErrorResponse(err).Code == "NoSuchLifecycleConfiguration" {
		days := lifecycle.ExpirationDays(max(1, a.config.Retention.Hours()/24))
		err = a.client.SetBucketLifecycle(ctx, a.config.Bucket, &lifecycle.Configuration{Rules: []lifecycle.Rule{{
			ID:                          "headwater-superseded-versions",
			Status:                      "Enabled",
			NoncurrentVersionExpiration: lifecycle.NoncurrentVersionExpiration{NoncurrentDays: days},
		}}})
	}
	if err != nil && !refused(err) {
		return fmt.Errorf("set the bucket's lifecycle: %w", err)
	}
	if err != nil {
		a.warn(ctx, "The archive's bucket takes no lifecycle rule: superseded versions stay until somebody removes them.")
	}
	return nil
}

// checkMarker writes the marker and looks at what became of it.
func (a *Archive) checkMarker(ctx context.Context) error {
	written, err := a.putOnce(ctx, markerKey, "application/json", []byte(markerJSON))
	if written && err == nil {
		written, err = a.putOnce(ctx, markerKey, "application/json", []byte(markerJSON))
		if written && err == nil {
			a.warn(ctx, "The archive's server ignores If-None-Match: a second writer could overwrite a segment.")
		}
	}
	if err != nil {
		return err
	}
	return a.checkProtection(ctx, markerKey)
}

// checkProtection reads back whether a stored object is protected as was asked for. Some servers tell it to HEAD alone.
func (a *Archive) checkProtection(ctx context.Context, key string) error {
	ctx, cancel := a.deadline(ctx)
	defer cancel()
	stored, err := a.client.StatObject(ctx, a.config.Bucket, key, minio.StatObjectOptions{})
	if err != nil {
		return fmt.Errorf("look at %s: %w", key, err)
	}
	if stored.Metadata.Get("X-Amz-Server-Side-Encryption") == "" {
		a.warn(ctx, "The archive's server does not encrypt: objects rest as they were sent.")
	}
	if a.locks && stored.Metadata.Get("X-Amz-Object-Lock-Mode") == "" {
		a.warn(ctx, "The archive's objects show no lock although one was asked for: they may be deleted, or the reader lacks s3:GetObjectRetention.")
	}
	return nil
}

// refused reports whether the server answered and does not have or allow what was asked for, so that a repetition
// would change nothing.
func refused(err error) bool {
	var response minio.ErrorResponse
	if !errors.As(err, &response) {
		return false
	}
	return response.StatusCode >= 400 && response.StatusCode < 500 || response.Code == minio.NotImplemented
}

package e2e

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/minio/minio-go/v7"
	"github.com/minio/minio-go/v7/pkg/credentials"
	"github.com/stretchr/testify/require"
	"go.temporal.io/sdk/client"

	"github.com/headwater-data/headwater/lineage"
	"github.com/headwater-data/headwater/workflows/contract"
)

func TestArchivedObjectsCannotBeDeleted(t *testing.T) {
	headwater.producer.send(t, event{
		kind: lineage.Complete, at: time.Now(), run: newRunID(), namespace: "e2e-archive", job: "daily_orders",
		inputs: []string{"raw.orders"}, outputs: []string{"mart.daily_orders"},
	})
	schedule := operator(t).ScheduleClient().GetHandle(t.Context(), contract.ArchiveID)
	require.NoError(t, schedule.Trigger(t.Context(), client.ScheduleTriggerOptions{}))

	config := headwater.Archive()
	s3, err := minio.New(strings.TrimPrefix(config.Endpoint, "http://"), &minio.Options{
		Creds: credentials.NewStaticV4(config.AccessKey, config.SecretKey, ""),
	})
	require.NoError(t, err)
	var archived []minio.ObjectInfo
	within(t, patience, func() error {
		archived = nil
		for object := range s3.ListObjects(t.Context(), config.Bucket, minio.ListObjectsOptions{Recursive: true, WithVersions: true}) {
			if object.Err != nil {
				return object.Err
			}
			archived = append(archived, object)
		}
		for _, suffix := range []string{".ndjson.zst", ".manifest.json"} {
			if !slices.ContainsFunc(archived, func(o minio.ObjectInfo) bool { return strings.HasSuffix(o.Key, suffix) }) {
				return fmt.Errorf("there is no %s in the archive", suffix)
			}
		}
		return nil
	})
	for _, object := range archived {
		err := s3.RemoveObject(t.Context(), config.Bucket, object.Key, minio.RemoveObjectOptions{VersionID: object.VersionID})
		require.Error(t, err, object.Key)
		_, err = s3.StatObject(t.Context(), config.Bucket, object.Key, minio.StatObjectOptions{VersionID: object.VersionID})
		require.NoError(t, err, object.Key)
	}
}

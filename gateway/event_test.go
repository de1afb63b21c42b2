package gateway_test

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"log/slog"
	"net/http"
	"strings"
	"testing"

	"connectrpc.com/connect/v2"
	"github.com/stretchr/testify/require"

	"github.com/headwater-data/headwater/archive"
	"github.com/headwater-data/headwater/gateway"
	headwaterv1 "github.com/headwater-data/headwater/gen/headwater/v1"
	"github.com/headwater-data/headwater/internal/testenv"
)

// event asks for the event at an offset.
func (b *bundle) event(t *testing.T, offset int64) (*headwaterv1.LoggedEvent, error) {
	t.Helper()
	answer, err := b.ingest().GetEvent(t.Context(), &headwaterv1.GetEventRequest{Offset: offset})
	return answer.GetEvent(), err
}

func TestEventIsShownAsItWasReceivedAndUnderstood(t *testing.T) {
	t.Parallel()
	b := setup(t)
	sent := append([]byte(" \n"), runEvent("COMPLETE")...)
	require.Equal(t, http.StatusCreated, b.post(t, singleDoor, sent, "Traceparent", "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01").Status)
	event, err := b.event(t, 1)
	require.NoError(t, err)
	logged := b.entries(t)[0]
	digest := sha256.Sum256(sent)
	require.Equal(t, string(sent), event.GetPayload())
	require.False(t, event.GetRedacted())
	require.False(t, event.GetArchived())
	require.Equal(t, int64(len(sent)), event.GetPayloadBytes())
	require.Equal(t, hex.EncodeToString(digest[:]), event.GetPayloadSha256())
	require.Equal(t, logged.Content.String(), event.GetContentHash())
	require.Equal(t, "dev", event.GetProducer())
	require.Equal(t, logged.EventID, event.GetEventId())
	require.Equal(t, logged.ReceivedAt, event.GetReceivedAt().AsTime())
	require.Equal(t, headwaterv1.EventFormat_EVENT_FORMAT_OPEN_LINEAGE, event.GetFormat())
	require.Equal(t, "RunEvent COMPLETE", event.GetKind()+" "+event.GetEventType())
	require.Equal(t, "2026-07-19T00:00:00Z", event.GetEventTime().AsTime().Format("2006-01-02T15:04:05Z07:00"))
	require.Equal(t, "53ee3770-86fa-4cb9-8c31-a09072dd88f7", event.GetRun().GetRunId())
	require.Equal(t, "daily_orders", event.GetRun().GetJob().GetName())
}

func TestEventIsShownWithoutTheCredentialsInIt(t *testing.T) {
	t.Parallel()
	b := setup(t)
	sent := strings.Replace(secretive, `"parent"`, `"password"`, 1) // a text that no name tells of is none for a program
	require.Equal(t, http.StatusCreated, b.post(t, singleDoor, []byte(sent)).Status)
	event, err := b.event(t, 1)
	require.NoError(t, err)
	require.NotContains(t, event.String(), "hunter2")
	require.Contains(t, event.GetPayload(), "CREATE USER x PASSWORD '***'")
	require.True(t, event.GetRedacted())
	require.Equal(t, int64(len(sent)), event.GetPayloadBytes())
}

func TestEventOfEachKindSaysWhatItIs(t *testing.T) {
	t.Parallel()
	b := setup(t)
	for _, document := range []string{
		`{"eventTime":"2026-07-19T00:00:00","job":{"namespace":"airflow","name":"load"}}`,
		`{"eventTime":"2026-07-19T00:00:00Z","dataset":{"namespace":"warehouse","name":"orders"}}`,
	} {
		require.Equal(t, http.StatusCreated, b.post(t, singleDoor, []byte(document)).Status)
	}
	b.state(t, withdrawn("spark", "a"))
	var events []*headwaterv1.LoggedEvent
	for i, kind := range []string{"JobEvent", "DatasetEvent", "EvidenceWithdrawn"} {
		event, err := b.event(t, int64(i+1))
		require.NoError(t, err)
		require.Equal(t, kind, event.GetKind())
		require.NotNil(t, event.GetEventTime())
		events = append(events, event)
	}
	require.Equal(t, "load", events[0].GetJob().GetName())
	require.NotEmpty(t, events[0].GetWarnings(), "its time has no zone")
	require.Equal(t, "orders", events[1].GetDataset().GetName())
	require.Equal(t, headwaterv1.EventFormat_EVENT_FORMAT_PLATFORM, events[2].GetFormat())
}

func TestOffsetBeyondTheLogSaysWhereTheLogEnds(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.publish(t, "raw.orders", "mart.daily")
	_, err := b.event(t, 4711)
	require.Equal(t, connect.CodeNotFound, connect.CodeOf(err))
	require.ErrorContains(t, err, fmt.Sprintf("the log ends at offset %d", len(b.entries(t))))
}

func TestWhoeverMayNotSeeEveryNameReadsNoWholeEvent(t *testing.T) {
	t.Parallel()
	b := setup(t, hiding(t, `{"namespace": "hr", "name": "*", "unless_roles": ["people"]}`))
	require.Equal(t, http.StatusCreated, b.post(t, singleDoor, runEvent("COMPLETE")).Status)
	for _, offset := range []int64{1, 4711} {
		_, err := b.event(t, offset)
		require.Equal(t, connect.CodePermissionDenied, connect.CodeOf(err), "the answer is the same whatever is there")
		require.ErrorContains(t, err, "from whom they hide nothing")
	}
}

func TestEventThatTheLogGaveUpIsReadFromTheArchive(t *testing.T) {
	t.Parallel()
	first := setup(t)
	first.publish(t, "raw.orders", "mart.daily")
	s3 := testenv.S3(t)
	config := archive.Config{
		Endpoint: s3.Endpoint, Bucket: s3.Bucket, AccessKey: s3.AccessKey, SecretKey: s3.SecretKey, Logger: slog.New(slog.DiscardHandler),
	}
	store, err := archive.Open(t.Context(), config)
	require.NoError(t, err)
	entries := first.entries(t)
	segment, err := store.WriteSegment(t.Context(), entries)
	require.NoError(t, err)
	catalogue := archive.NewCatalogue(first.pool)
	require.NoError(t, catalogue.Record(t.Context(), segment))
	_, err = first.pool.Exec(t.Context(), "DELETE FROM event_log WHERE log_offset <= $1", entries[0].Offset)
	require.NoError(t, err)

	_, err = first.event(t, 1)
	require.Equal(t, connect.CodeFailedPrecondition, connect.CodeOf(err))
	require.ErrorContains(t, err, "--s3-endpoint")

	finder, err := archive.NewFinder(config, catalogue)
	require.NoError(t, err)
	b := setup(t, first.sharing, func(config *gateway.Config) { config.Archive = finder })
	event, err := b.event(t, 1)
	require.NoError(t, err)
	require.True(t, event.GetArchived())
	require.Equal(t, string(entries[0].Payload), event.GetPayload())
	require.Equal(t, entries[0].EventID, event.GetEventId())
}

package archive_test

import (
	"bufio"
	"bytes"
	"encoding/json/v2"
	"strings"
	"testing"
	"time"

	"github.com/klauspost/compress/zstd"
	"github.com/stretchr/testify/require"

	"github.com/headwater-data/headwater/archive"
	"github.com/headwater-data/headwater/lineage"
)

func TestRefusedDocumentsAreReadByHand(t *testing.T) {
	t.Parallel()
	env := setup(t)
	documents := refused(3, 7)
	documents[1].EventID, documents[1].Payload = "", []byte("{\xff")
	segment, err := env.archive.WriteRefused(t.Context(), documents)
	require.NoError(t, err)
	require.Equal(t, "quarantine/00000000000000000003.ndjson.zst", segment.Object)
	require.Equal(t, []string{manifestOf(segment.Object), segment.Object}, env.keys(t))

	object := env.get(t, segment.Object)
	require.Equal(t, int64(len(object)), segment.Bytes)
	require.Equal(t, []string{
		`{"quarantineId":3,"receivedAt":"2026-07-19T00:00:00.000003Z","producer":"spark-prod-eu","eventId":"e","format":2,` +
			`"code":"not_json","reason":"the body is not valid JSON","payload":"{\"a\":"}`,
		`{"quarantineId":7,"receivedAt":"2026-07-19T00:00:00.000007Z","producer":"spark-prod-eu","format":2,` +
			`"code":"not_json","reason":"the body is not valid JSON","payloadBase64":"e/8="}`,
	}, lines(t, object))

	var manifest map[string]any
	require.NoError(t, json.Unmarshal(env.get(t, manifestOf(segment.Object)), &manifest))
	require.Equal(t, map[string]any{
		"formatVersion": 1.0, "codec": "ndjson+zstd", "firstId": 3.0, "lastId": 7.0, "count": 2.0,
		"object": segment.Object, "bytes": float64(segment.Bytes), "sha256": segment.SHA256.String(),
		"createdAt": segment.CreatedAt.Format(time.RFC3339),
	}, manifest)
}

func TestRefusedDocumentsAreNoPartOfTheLog(t *testing.T) {
	t.Parallel()
	env := setup(t)
	_, err := env.archive.WriteRefused(t.Context(), refused(1))
	require.NoError(t, err)
	require.Empty(t, collect(t, env.archive.Segments(t.Context(), 0)))
}

func TestRetryAdoptsTheRefusedDocumentsThatAreThere(t *testing.T) {
	t.Parallel()
	env := setup(t)
	first, err := env.archive.WriteRefused(t.Context(), refused(3, 7))
	require.NoError(t, err)
	again, err := env.archive.WriteRefused(t.Context(), refused(3, 7))
	require.NoError(t, err)
	require.Equal(t, first, again)

	crashed := setup(t)
	crashed.put(t, first.Object, env.get(t, first.Object))
	adopted, err := crashed.archive.WriteRefused(t.Context(), refused(3, 7))
	require.NoError(t, err, "an object that lacks its manifest")
	require.Equal(t, first.SHA256, adopted.SHA256)
	require.Len(t, crashed.keys(t), 2)
}

func TestSegmentOfOtherRefusedDocumentsIsNotAdopted(t *testing.T) {
	t.Parallel()
	env := setup(t)
	_, err := env.archive.WriteRefused(t.Context(), refused(3, 7))
	require.NoError(t, err)
	other := refused(3, 7)
	other[1].Reason = "too large"
	for want, documents := range map[string][]archive.Refused{
		"line 2 differs from what the quarantine has": other,
		"holds 2 documents, not 1":                    refused(3),
		"holds 2 documents, not 3":                    refused(3, 7, 8),
	} {
		_, err := env.archive.WriteRefused(t.Context(), documents)
		var corrupt *archive.CorruptError
		require.ErrorAs(t, err, &corrupt)
		require.ErrorContains(t, err, want)
	}
}

func TestDocumentsThatAreNoSegmentAreRefused(t *testing.T) {
	t.Parallel()
	env := setup(t)
	_, err := env.archive.WriteRefused(t.Context(), nil)
	require.ErrorContains(t, err, "at least one document")
	for _, ids := range [][]int64{{2, 1}, {1, 1}} {
		_, err = env.archive.WriteRefused(t.Context(), refused(ids...))
		require.ErrorContains(t, err, "stands behind")
	}
	require.Empty(t, env.keys(t))
}

func refused(ids ...int64) []archive.Refused {
	var documents []archive.Refused
	for _, id := range ids {
		documents = append(documents, archive.Refused{
			ID: id, ReceivedAt: time.Date(2026, 7, 19, 0, 0, 0, int(id)*1000, time.UTC), Producer: "spark-prod-eu",
			EventID: "e", Format: lineage.FormatEnvelope, Code: "not_json", Reason: "the body is not valid JSON",
			Payload: []byte(`{"a":`),
		})
	}
	return documents
}

func manifestOf(object string) string {
	return strings.Replace(object, ".ndjson.zst", ".manifest.json", 1)
}

// lines are what an object holds, read without Headwater.
func lines(t *testing.T, object []byte) []string {
	t.Helper()
	decompressor, err := zstd.NewReader(bytes.NewReader(object))
	require.NoError(t, err)
	defer decompressor.Close()
	var all []string
	scanner := bufio.NewScanner(decompressor)
	for scanner.Scan() {
		all = append(all, scanner.Text())
	}
	require.NoError(t, scanner.Err())
	return all
}

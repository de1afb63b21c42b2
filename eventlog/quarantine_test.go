package eventlog_test

import (
	"crypto/sha256"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/headwater-data/headwater/eventlog"
	"github.com/headwater-data/headwater/internal/testenv"
	"github.com/headwater-data/headwater/lineage"
)

func TestQuarantineKeepsRefusedBytesWithTheirReason(t *testing.T) {
	t.Parallel()
	quarantine := eventlog.NewQuarantine(testenv.Database(t))
	refusal := eventlog.Refusal{
		Producer: "spark", EventID: "1", Format: lineage.FormatEnvelope, Code: "not_json",
		Reason: "the body is not valid JSON", Payload: []byte("{\x00\xff"),
	}
	id, err := quarantine.Add(t.Context(), refusal)
	require.NoError(t, err)

	document, err := quarantine.Get(t.Context(), id)
	require.NoError(t, err)
	digest := sha256.Sum256(refusal.Payload)
	require.Equal(t, refusal, document.Refusal)
	require.Equal(t, digest[:], document.SHA256)
	require.Equal(t, int64(3), document.Bytes)
	require.Nil(t, document.Resubmitted)

	_, err = quarantine.Get(t.Context(), id+1)
	require.ErrorIs(t, err, eventlog.ErrNotFound)
}

func TestQuarantineKeepsWhatNoTextColumnCanHold(t *testing.T) {
	t.Parallel()
	quarantine := eventlog.NewQuarantine(testenv.Database(t))
	id, err := quarantine.Add(t.Context(), eventlog.Refusal{Producer: "a\x00b", EventID: "\xff", Reason: "bad \xc3 name"})
	require.NoError(t, err)
	document, err := quarantine.Get(t.Context(), id)
	require.NoError(t, err)
	require.Equal(t, "a\uFFFDb", document.Producer)
	require.Equal(t, "\uFFFD", document.EventID)
	require.Empty(t, document.Payload)
}

func TestQuarantineIsListedByPagesLatestFirst(t *testing.T) {
	t.Parallel()
	quarantine := eventlog.NewQuarantine(testenv.Database(t))
	var ids []eventlog.QuarantineID
	for _, producer := range []string{"spark", "dbt", "spark", "spark"} {
		id, err := quarantine.Add(t.Context(), eventlog.Refusal{Producer: producer, Payload: []byte("x")})
		require.NoError(t, err)
		ids = append(ids, id)
	}
	list := func(producer string, before eventlog.QuarantineID, limit int) (listed []eventlog.QuarantineID) {
		documents, err := quarantine.List(t.Context(), producer, before, limit)
		require.NoError(t, err)
		for _, document := range documents {
			require.Nil(t, document.Payload)
			listed = append(listed, document.ID)
		}
		return listed
	}
	require.Equal(t, []eventlog.QuarantineID{ids[3], ids[2], ids[1], ids[0]}, list("", 0, 10))
	require.Equal(t, []eventlog.QuarantineID{ids[3], ids[2]}, list("spark", 0, 2))
	require.Equal(t, []eventlog.QuarantineID{ids[0]}, list("spark", ids[2], 2))
	require.Empty(t, list("spark", ids[0], 2))
}

func TestResubmissionIsMarked(t *testing.T) {
	t.Parallel()
	quarantine := eventlog.NewQuarantine(testenv.Database(t))
	id, err := quarantine.Add(t.Context(), eventlog.Refusal{Producer: "spark"})
	require.NoError(t, err)

	at := lineage.Position{Epoch: 1, Offset: 17}
	require.NoError(t, quarantine.MarkResubmitted(t.Context(), id, at))
	document, err := quarantine.Get(t.Context(), id)
	require.NoError(t, err)
	require.Equal(t, &at, document.Resubmitted)

	require.ErrorIs(t, quarantine.MarkResubmitted(t.Context(), id+1, at), eventlog.ErrNotFound)
}

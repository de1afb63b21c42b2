package archive

import (
	"encoding/json/v2"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/headwater-data/headwater/lineage"
)

func TestAnyEntrySurvivesItsLine(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		payload := rapid.OneOf(
			rapid.Map(rapid.String(), func(text string) []byte { return []byte(text) }),
			rapid.SliceOf(rapid.Byte()),
		).Draw(t, "payload")
		entry := lineage.Entry{
			Epoch:       lineage.Epoch(rapid.Int32Min(1).Draw(t, "epoch")),
			Offset:      lineage.Offset(rapid.Int64Min(1).Draw(t, "offset")),
			ReceivedAt:  time.UnixMicro(rapid.Int64Range(0, 1<<52).Draw(t, "received")).UTC(),
			Producer:    rapid.String().Draw(t, "producer"),
			EventID:     rapid.String().Draw(t, "event id"),
			Format:      lineage.Format(rapid.Int16().Draw(t, "format")),
			Run:         lineage.HashOf(rapid.String().Draw(t, "run")),
			Content:     lineage.HashOf(string(payload)),
			TraceParent: rapid.String().Draw(t, "trace parent"),
			Payload:     payload,
		}
		object, err := logSegments.encode([]lineage.Entry{entry, entry})
		require.NoError(t, err)
		read := 0
		for again, err := range logSegments.decode(object) {
			require.NoError(t, err)
			require.True(t, equalEntries(entry, again), "%+v", again)
			read++
		}
		require.Equal(t, 2, read)
	})
}

func TestLineIsReadableByHand(t *testing.T) {
	entry := lineage.Entry{
		Epoch: 1, Offset: 7, ReceivedAt: time.Date(2026, 7, 19, 8, 30, 0, 123_456_000, time.UTC), Producer: "spark",
		EventID: "e", Format: lineage.FormatOpenLineage, Content: lineage.Hash{1}, Payload: []byte("{\"a\":\n1}"),
	}
	text, err := json.Marshal(lineOfEntry(entry))
	require.NoError(t, err)
	require.Equal(t, strings.Join([]string{
		`{"epoch":1,"offset":7,"receivedAt":"2026-07-19T08:30:00.123456Z","producer":"spark","eventId":"e","format":1`,
		`"contentHash":"01000000000000000000000000000000","payload":"{\"a\":\n1}"}`,
	}, ","), string(text))

	entry.Payload = []byte{0xff}
	text, err = json.Marshal(lineOfEntry(entry))
	require.NoError(t, err)
	require.True(t, strings.HasSuffix(string(text), `"payloadBase64":"/w=="}`), string(text))
}

package render_test

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"google.golang.org/protobuf/types/known/timestamppb"

	headwaterv1 "github.com/headwater-data/headwater/gen/headwater/v1"
	"github.com/headwater-data/headwater/internal/render"
)

func loggedEvent() *headwaterv1.LoggedEvent {
	at := time.Date(2026, 7, 19, 6, 0, 0, 0, time.UTC)
	return &headwaterv1.LoggedEvent{
		Offset: 4711, Producer: "spark-eu", EventId: "ol-1", Kind: "RunEvent", EventType: "COMPLETE", Format: headwaterv1.EventFormat_EVENT_FORMAT_OPEN_LINEAGE,
		ReceivedAt: timestamppb.New(at), EventTime: timestamppb.New(at.Add(-time.Hour)),
		Run:         &headwaterv1.RunReference{RunId: "r1", Job: &headwaterv1.Job{Namespace: "spark", Name: "load"}},
		Warnings:    []*headwaterv1.Warning{{Code: "malformed_facet", Path: "run.facets.parent", Message: "was left out"}},
		ContentHash: "c0ffee", PayloadSha256: "5afe", PayloadBytes: 1, Payload: `{"a":{"b":"x"}}`,
	}
}

func TestEventIsShownWithWhoSentItAndItsDocument(t *testing.T) {
	t.Parallel()
	page := render.Event(&headwaterv1.GetEventResponse{Event: loggedEvent()}, render.Style{Now: time.Date(2026, 7, 19, 9, 0, 0, 0, time.UTC)})
	require.Equal(t, `event at offset 4711 RunEvent COMPLETE
  sent by   spark-eu
  event id  ol-1
  received  2026-07-19 06:00:00 UTC, 3 hours ago
  tells of  2026-07-19 05:00:00 UTC, 4 hours ago
  run       r1
  job       spark load
  size      1 byte of OpenLineage
  SHA-256   5afe
  content   c0ffee, as in every repeat

warnings
  malformed_facet run.facets.parent: was left out

document
{
  "a": {
    "b": "x"
  }
}
`, page)
}

func TestEventSaysWhatIsNotAsUsual(t *testing.T) {
	t.Parallel()
	event := loggedEvent()
	event.Kind, event.Archived, event.Redacted = "", true, true
	page := render.Event(&headwaterv1.GetEventResponse{Event: event}, render.Style{})
	for _, shown := range []string{"not understood under the limits of now", "read in   the archive", "document, with *** in place of credentials"} {
		require.Contains(t, page, shown)
	}
}

func TestLongDocumentIsCutAndObeyedByNoTerminal(t *testing.T) {
	t.Parallel()
	event := loggedEvent()
	event.Payload = `{"a":"\u202e` + "\u202e" + `","b":[` + strings.Repeat(`"abcdefgh",`, 20_000) + `1]}`
	page := render.Event(&headwaterv1.GetEventResponse{Event: event}, render.Style{})
	require.Less(t, len(page), 70_000)
	require.Regexp(t, `\n… and \d+ bytes more: --raw prints all\n$`, page)
	require.NotContains(t, page, "\u202e")

	event.Payload = `{"a":"` + strings.Repeat("é", 100_000) + `"}`
	page = render.Event(&headwaterv1.GetEventResponse{Event: event}, render.Style{})
	require.Less(t, len(page), 70_000)
	require.Contains(t, page, "--raw prints all")
}

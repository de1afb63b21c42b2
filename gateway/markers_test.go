package gateway_test

import (
	"testing"
	"time"

	"connectrpc.com/connect/v2"
	"github.com/stretchr/testify/require"
	"google.golang.org/protobuf/types/known/timestamppb"

	headwaterv1 "github.com/headwater-data/headwater/gen/headwater/v1"
	"github.com/headwater-data/headwater/lineage"
	"github.com/headwater-data/headwater/policy"
)

// committed marks mart.daily_orders of a run of spark-prod's daily_orders.
func committed(eventID string) *headwaterv1.Marker {
	return &headwaterv1.Marker{
		EventId: eventID, RunId: "53EE3770-86fa-4cb9-8c31-a09072dd88f7",
		Job:       &headwaterv1.Job{Namespace: "spark-prod", Name: "daily_orders"},
		Output:    &headwaterv1.Dataset{Namespace: "warehouse-prod", Name: "mart.daily_orders"},
		Kind:      headwaterv1.MarkerKind_MARKER_KIND_COMMITTED,
		EventTime: timestamppb.New(time.Date(2026, 7, 19, 0, 1, 0, 0, time.UTC)), Reason: "swapped in",
	}
}

func TestMarkerIsKeptInTheLogInTheNameOfItsCaller(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.submit(t, envelope("a"))
	response, err := b.ingest().SubmitMarkers(withToken(t, b.token(t, "spark-prod-eu", "spark-prod")),
		&headwaterv1.SubmitMarkersRequest{Markers: []*headwaterv1.Marker{committed("m-1"), committed("m-1"), committed("")}})
	require.NoError(t, err)
	first, repeated, derived := response.GetReceipts()[0].GetAccepted(), response.GetReceipts()[1].GetAccepted(), response.GetReceipts()[2]
	require.Equal(t, first.GetOffset(), repeated.GetOffset())
	require.True(t, repeated.GetDuplicate())
	require.NotEmpty(t, derived.GetEventId())

	entry := b.entries(t)[1]
	require.Equal(t, "spark-prod-eu", entry.Producer)
	event, err := lineage.Decode(entry.Format, entry.Payload, lineage.DefaultLimits())
	require.NoError(t, err)
	require.Equal(t, b.entries(t)[0].Run, event.RunHash(), "it is of the run, however its id is written")
	require.Equal(t, "spark-prod-eu", event.Marker.By)

	b.fold(t)
	run, err := b.runs().GetRun(t.Context(), &headwaterv1.GetRunRequest{RunId: committed("").GetRunId()})
	require.NoError(t, err)
	require.Equal(t, headwaterv1.MarkerKind_MARKER_KIND_COMMITTED, run.GetRun().GetMarkers()[0].GetKind())
	require.Equal(t, "swapped in", run.GetRun().GetMarkers()[0].GetReason())
	require.False(t, run.GetRun().GetMarkers()[0].GetUnmatched())
}

func TestMarkerWithoutItsOutputIsFlagged(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.submit(t, envelope("a"))
	lost := committed("m-1")
	lost.Output.Name = "mart.other"
	_, err := b.ingest().SubmitMarkers(t.Context(), &headwaterv1.SubmitMarkersRequest{Markers: []*headwaterv1.Marker{lost}})
	require.NoError(t, err)
	b.fold(t)
	run, err := b.runs().GetRun(t.Context(), &headwaterv1.GetRunRequest{RunId: lost.GetRunId()})
	require.NoError(t, err)
	require.True(t, run.GetRun().GetMarkers()[0].GetUnmatched())
	require.Equal(t, "unmatched_marker", run.GetRun().GetWarnings()[0].GetCode())
}

func TestOneBadMarkerCostsOnlyItself(t *testing.T) {
	t.Parallel()
	b := setup(t)
	bad := map[string]func(*headwaterv1.Marker){
		"no run":           func(m *headwaterv1.Marker) { m.RunId = "" },
		"no job":           func(m *headwaterv1.Marker) { m.Job = nil },
		"no output":        func(m *headwaterv1.Marker) { m.Output = nil },
		"no kind":          func(m *headwaterv1.Marker) { m.Kind = 0 },
		"our own kind":     func(m *headwaterv1.Marker) { m.Kind = headwaterv1.MarkerKind_MARKER_KIND_TIMED_OUT },
		"kind of tomorrow": func(m *headwaterv1.Marker) { m.Kind = 99 },
		"result of none":   func(m *headwaterv1.Marker) { m.Kind = headwaterv1.MarkerKind_MARKER_KIND_PASSED },
		"commit as a gate": func(m *headwaterv1.Marker) { m.Kind, m.Gate = headwaterv1.MarkerKind_MARKER_KIND_PASSED, "commit" },
		"time":             func(m *headwaterv1.Marker) { m.EventTime.Seconds = 1 << 60 },
	}
	markers := []*headwaterv1.Marker{committed("good")}
	for name, spoil := range bad {
		marker := committed(name)
		spoil(marker)
		markers = append(markers, marker)
	}
	response, err := b.ingest().SubmitMarkers(t.Context(), &headwaterv1.SubmitMarkersRequest{Markers: markers})
	require.NoError(t, err)
	require.NotNil(t, response.GetReceipts()[0].GetAccepted())
	for i, receipt := range response.GetReceipts()[1:] {
		require.NotEmpty(t, receipt.GetRejected().GetReason(), markers[i+1].GetEventId())
		require.Positive(t, receipt.GetRejected().GetQuarantineId(), markers[i+1].GetEventId())
	}
	require.Len(t, b.entries(t), 1)
}

func TestWhoMayMark(t *testing.T) {
	t.Parallel()
	b := setup(t)
	user := func(role string) string {
		token, err := b.principals.Add(t.Context(), policy.Principal{Name: role, Kind: policy.User, Roles: []string{role}})
		require.NoError(t, err)
		return "Bearer " + token.Reveal()
	}
	mark := func(token string) (*headwaterv1.Receipt, error) {
		response, err := b.ingest().SubmitMarkers(withToken(t, token), &headwaterv1.SubmitMarkersRequest{Markers: []*headwaterv1.Marker{committed("")}})
		if err != nil {
			return nil, err
		}
		return response.GetReceipts()[0], nil
	}
	_, err := mark(user("reader"))
	require.Equal(t, connect.CodePermissionDenied, connect.CodeOf(err))
	receipt, err := mark(user("operator"))
	require.NoError(t, err)
	require.NotNil(t, receipt.GetAccepted())
	receipt, err = mark(b.token(t, "airflow", "airflow"))
	require.NoError(t, err)
	require.Equal(t, "namespace_forbidden", receipt.GetRejected().GetCode())
}

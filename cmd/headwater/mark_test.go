package main

import (
	"context"
	"testing"

	"connectrpc.com/connect/v2"
	"github.com/stretchr/testify/require"

	headwaterv1 "github.com/headwater-data/headwater/gen/headwater/v1"
	"github.com/headwater-data/headwater/gen/headwater/v1/headwaterv1connect"
)

// markedGateway knows one run, and keeps the marker that came.
type markedGateway struct {
	headwaterv1connect.UnimplementedRunServiceHandler
	headwaterv1connect.UnimplementedIngestServiceHandler
	marker  *headwaterv1.Marker
	receipt *headwaterv1.Receipt
}

func (g *markedGateway) GetRun(_ context.Context, request *headwaterv1.GetRunRequest) (*headwaterv1.GetRunResponse, error) {
	if request.GetRunId() != "r1" {
		return nil, connect.NewError(connect.CodeNotFound, "no")
	}
	return &headwaterv1.GetRunResponse{Run: &headwaterv1.Run{RunId: "r1", Job: &headwaterv1.Job{Namespace: "spark", Name: "load"}}}, nil
}

func (g *markedGateway) SubmitMarkers(_ context.Context, request *headwaterv1.SubmitMarkersRequest) (*headwaterv1.SubmitMarkersResponse, error) {
	g.marker = request.GetMarkers()[0]
	return &headwaterv1.SubmitMarkersResponse{Receipts: []*headwaterv1.Receipt{g.receipt}}, nil
}

// markWith runs a command line against the gateway.
func (g *markedGateway) markWith(t *testing.T, args ...string) error {
	t.Helper()
	address := serve(t, func(services *connect.Server) {
		headwaterv1connect.RegisterRunServiceHandler(services, g)
		headwaterv1connect.RegisterIngestServiceHandler(services, g)
	})
	return execute(t, append(args, "--server", address)...)
}

var acceptedMarker = &headwaterv1.Receipt{Outcome: &headwaterv1.Receipt_Accepted{Accepted: &headwaterv1.Accepted{Offset: 7}}}

func TestEveryWordIsItsMarker(t *testing.T) {
	for _, test := range []struct {
		args []string
		kind headwaterv1.MarkerKind
	}{
		{[]string{"publish"}, headwaterv1.MarkerKind_MARKER_KIND_COMMITTED},
		{[]string{"rollback"}, headwaterv1.MarkerKind_MARKER_KIND_ROLLED_BACK},
		{[]string{"validate"}, headwaterv1.MarkerKind_MARKER_KIND_VALIDATED},
		{[]string{"validate", "--invalid"}, headwaterv1.MarkerKind_MARKER_KIND_INVALIDATED},
	} {
		g := &markedGateway{receipt: acceptedMarker}
		require.NoError(t, g.markWith(t, append(test.args, "r1", "warehouse", "mart", "--reason", "looked at it")...))
		require.Equal(t, test.kind, g.marker.GetKind())
		require.Equal(t, "load", g.marker.GetJob().GetName(), "the job is that of the run")
		require.Equal(t, "mart", g.marker.GetOutput().GetName())
		require.Equal(t, "looked at it", g.marker.GetReason())
	}
}

func TestMarkerOfARunThatIsNotKnownNeedsItsJob(t *testing.T) {
	g := &markedGateway{receipt: acceptedMarker}
	err := g.markWith(t, "publish", "r2", "warehouse", "mart", "--reason", "why")
	require.ErrorContains(t, err, "there is no run r2")
	require.ErrorContains(t, err, "name its job: --job NAMESPACE NAME")
	require.NoError(t, g.markWith(t, "publish", "r2", "warehouse", "mart", "--reason", "why", "--job", "spark", "other"))
	require.Equal(t, "other", g.marker.GetJob().GetName())
	require.Error(t, g.markWith(t, "publish", "r1", "warehouse", "mart"), "a reason is wanted")
}

func TestRefusedMarkerSaysWhy(t *testing.T) {
	g := &markedGateway{receipt: &headwaterv1.Receipt{Outcome: &headwaterv1.Receipt_Rejected{Rejected: &headwaterv1.Rejected{Reason: "too late"}}}}
	require.EqualError(t, g.markWith(t, "rollback", "r1", "warehouse", "mart", "--reason", "why"), "too late")
}

package main

import (
	"context"
	"testing"
	"time"

	"connectrpc.com/connect/v2"
	"github.com/stretchr/testify/require"

	headwaterv1 "github.com/headwater-data/headwater/gen/headwater/v1"
	"github.com/headwater-data/headwater/gen/headwater/v1/headwaterv1connect"
)

// statedGateway knows one run, and keeps the fact that came.
type statedGateway struct {
	markedGateway
	headwaterv1connect.UnimplementedAdminServiceHandler
	fact *headwaterv1.Fact
}

func (g *statedGateway) SubmitFacts(_ context.Context, request *headwaterv1.SubmitFactsRequest) (*headwaterv1.SubmitFactsResponse, error) {
	g.fact = request.GetFacts()[0]
	return &headwaterv1.SubmitFactsResponse{Receipts: []*headwaterv1.Receipt{acceptedMarker}}, nil
}

// withdrawWith runs a command line and gives the fact that it states.
func withdrawWith(t *testing.T, args ...string) (*headwaterv1.Fact, error) {
	t.Helper()
	g := &statedGateway{}
	address := serve(t, func(services *connect.Server) {
		headwaterv1connect.RegisterRunServiceHandler(services, &g.markedGateway)
		headwaterv1connect.RegisterAdminServiceHandler(services, g)
	})
	err := execute(t, append(append([]string{"withdraw"}, args...), "--server", address)...)
	return g.fact, err
}

func TestWithdrawalNamesAnEventOrARun(t *testing.T) {
	fact, err := withdrawWith(t, "event", "spark-eu", "ol-1", "--reason", "a test", "--at", "2026-07-19T00:00:00Z")
	require.NoError(t, err)
	require.Equal(t, "ol-1", fact.GetEvidenceWithdrawn().GetEvent().GetEventId())
	require.Equal(t, "spark-eu", fact.GetEvidenceWithdrawn().GetEvent().GetProducer())
	require.Equal(t, "a test", fact.GetReason())
	require.Equal(t, time.Date(2026, 7, 19, 0, 0, 0, 0, time.UTC), fact.GetEventTime().AsTime())
	require.False(t, fact.GetEvidenceWithdrawn().GetUndone())

	fact, err = withdrawWith(t, "run", "r1", "--reason", "a test", "--undo")
	require.NoError(t, err)
	require.Equal(t, "load", fact.GetEvidenceWithdrawn().GetRun().GetJob().GetName(), "the job is that of the run")
	require.True(t, fact.GetEvidenceWithdrawn().GetUndone())
}

func TestWithdrawalNamesAnEventByItsOffset(t *testing.T) {
	fact, err := withdrawWith(t, "offset", "4711", "--reason", "a test")
	require.NoError(t, err)
	require.Equal(t, int64(4711), fact.GetEvidenceWithdrawn().GetOffset())
}

func TestWithdrawalOfARunThatIsNotKnownNeedsItsJob(t *testing.T) {
	_, err := withdrawWith(t, "run", "r2", "--reason", "why")
	require.ErrorContains(t, err, "there is no run r2")
	fact, err := withdrawWith(t, "run", "r2", "--reason", "why", "--job", "spark", "other")
	require.NoError(t, err)
	require.Equal(t, "other", fact.GetEvidenceWithdrawn().GetRun().GetJob().GetName())
}

func TestWithdrawalWantsAReason(t *testing.T) {
	_, err := withdrawWith(t, "event", "spark-eu", "ol-1")
	require.ErrorContains(t, err, "--reason")
}

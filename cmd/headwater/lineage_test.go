package main

import (
	"context"
	"testing"
	"time"

	"connectrpc.com/connect/v2"
	"github.com/stretchr/testify/require"
	"google.golang.org/protobuf/proto"

	headwaterv1 "github.com/headwater-data/headwater/gen/headwater/v1"
	"github.com/headwater-data/headwater/gen/headwater/v1/headwaterv1connect"
)

// fakeLineage answers every traversal with nothing, and keeps the last request.
type fakeLineage struct {
	headwaterv1connect.UnimplementedLineageServiceHandler
	request *headwaterv1.TraverseRequest
}

func (g *fakeLineage) Traverse(_ context.Context, request *headwaterv1.TraverseRequest) (*headwaterv1.TraverseResponse, error) {
	g.request = request
	return &headwaterv1.TraverseResponse{}, nil
}

// serveLineage serves a fake at an address.
func serveLineage(t *testing.T) (*fakeLineage, string) {
	t.Helper()
	g := &fakeLineage{}
	return g, serve(t, func(services *connect.Server) { headwaterv1connect.RegisterLineageServiceHandler(services, g) })
}

func TestRecordedFlagAsksForWhatWasKnown(t *testing.T) {
	t.Parallel()
	g, server := serveLineage(t)
	require.NoError(t, execute(t, "lineage", "upstream", "warehouse", "orders", "--recorded", "48000", "--server", server))
	require.Equal(t, int64(48000), g.request.GetRecordedAt())
}

func TestLookbackFlagTellsNoneFromTheDefault(t *testing.T) {
	t.Parallel()
	g, server := serveLineage(t)
	for flag, want := range map[string]time.Duration{"0s": 0, "720h": 720 * time.Hour} {
		require.NoError(t, execute(t, "lineage", "upstream", "warehouse", "orders", "--lookback", flag, "--server", server))
		require.NotNil(t, g.request.GetLookback())
		require.Equal(t, want, g.request.GetLookback().AsDuration())
	}
	require.NoError(t, execute(t, "lineage", "upstream", "warehouse", "orders", "--server", server))
	require.Nil(t, g.request.GetLookback())
}

func TestJobFlagStartsAtAJob(t *testing.T) {
	t.Parallel()
	g, server := serveLineage(t)
	require.NoError(t, execute(t, "lineage", "downstream", "airflow", "load", "--job", "--server", server))
	require.True(t, proto.Equal(&headwaterv1.Job{Namespace: "airflow", Name: "load"}, g.request.GetStart().GetJob()))
	require.Error(t, execute(t, "lineage", "downstream", "airflow", "load", "--job", "--field", "price", "--server", server))
}

func TestFieldFlagFollowsAField(t *testing.T) {
	t.Parallel()
	g, server := serveLineage(t)
	require.NoError(t, execute(t, "lineage", "downstream", "warehouse", "orders", "--field", "lines[].price", "--direct", "--server", server))
	require.True(t, proto.Equal(&headwaterv1.Field{Namespace: "warehouse", Name: "orders", Path: "lines[].price"}, g.request.GetStart().GetField()))
	require.Equal(t, []headwaterv1.TransformationKind{headwaterv1.TransformationKind_TRANSFORMATION_KIND_DIRECT}, g.request.GetTransformations())

	require.NoError(t, execute(t, "lineage", "upstream", "warehouse", "orders", "--server", server))
	require.Equal(t, "orders", g.request.GetStart().GetDataset().GetName())
	require.Empty(t, g.request.GetTransformations())

	require.ErrorContains(t, execute(t, "lineage", "upstream", "warehouse", "orders", "--indirect", "--server", server), "name it with --field")
}

func TestFlagsLeaveOutWhatDoesNotMatter(t *testing.T) {
	t.Parallel()
	g, server := serveLineage(t)
	require.NoError(t, execute(t, "lineage", "upstream", "warehouse", "orders", "--server", server,
		"--origin", "declared", "--origin", "manual", "--publication", "suspect", "--environment", "prod", "--without-dropped"))
	require.Equal(t, []headwaterv1.Origin{headwaterv1.Origin_ORIGIN_DECLARED, headwaterv1.Origin_ORIGIN_MANUAL}, g.request.GetOrigins())
	require.Equal(t, []headwaterv1.Publication{headwaterv1.Publication_PUBLICATION_SUSPECT}, g.request.GetPublications())
	require.Equal(t, "prod", g.request.GetEnvironment())
	require.True(t, g.request.GetWithoutDropped())
	require.ErrorContains(t, execute(t, "lineage", "upstream", "warehouse", "orders", "--origin", "guessed", "--server", server), "declared")
}

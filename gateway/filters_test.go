package gateway_test

import (
	"net/http"
	"testing"

	"connectrpc.com/connect/v2"
	"github.com/stretchr/testify/require"

	headwaterv1 "github.com/headwater-data/headwater/gen/headwater/v1"
)

func TestTraverseFollowsWhatItsFiltersKeep(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.publish(t, "raw.orders", "mart.daily_orders")
	_, err := b.declarations(http.DefaultClient).DeclareSnapshot(t.Context(), &headwaterv1.DeclareSnapshotRequest{Snapshot: shopSnapshot()})
	require.NoError(t, err)
	b.fold(t)
	origins := func(filter func(*headwaterv1.TraverseRequest)) map[headwaterv1.Origin]bool {
		request := traverseRequest("mart.daily_orders", 3)
		filter(request)
		answer, err := b.lineage().Traverse(t.Context(), request)
		require.NoError(t, err)
		found := map[headwaterv1.Origin]bool{}
		for _, edge := range answer.GetEdges() {
			found[edge.GetOrigin()] = true
		}
		return found
	}
	declared, observed := headwaterv1.Origin_ORIGIN_DECLARED, headwaterv1.Origin_ORIGIN_OBSERVED
	require.Equal(t, map[headwaterv1.Origin]bool{declared: true, observed: true}, origins(func(*headwaterv1.TraverseRequest) {}))
	require.Equal(t, map[headwaterv1.Origin]bool{observed: true}, origins(func(r *headwaterv1.TraverseRequest) { r.Origins = []headwaterv1.Origin{observed} }))
	require.Equal(t, map[headwaterv1.Origin]bool{declared: true}, origins(func(r *headwaterv1.TraverseRequest) {
		r.Publications = []headwaterv1.Publication{headwaterv1.Publication_PUBLICATION_SUSPECT}
	}))
	require.Len(t, origins(func(r *headwaterv1.TraverseRequest) { r.Environment, r.WithoutDropped = "default", true }), 2)
}

func TestWalkWithinAnEnvironmentBeginsThere(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.publish(t, "a", "b")
	request := traverseRequest("b", 3)
	request.Environment = "prod"
	_, err := b.lineage().Traverse(t.Context(), request)
	require.Equal(t, connect.CodeInvalidArgument, connect.CodeOf(err))
	require.ErrorContains(t, err, `lies in environment "default", not in "prod"`)
}

package main

import (
	"context"
	"testing"

	"connectrpc.com/connect/v2"
	"github.com/stretchr/testify/require"

	headwaterv1 "github.com/headwater-data/headwater/gen/headwater/v1"
	"github.com/headwater-data/headwater/gen/headwater/v1/headwaterv1connect"
)

// declaredGateway keeps what was declared and stated.
type declaredGateway struct {
	headwaterv1connect.UnimplementedDeclarationServiceHandler
	headwaterv1connect.UnimplementedAdminServiceHandler
	previewed, declared *headwaterv1.DeclaredSnapshot
	fact                *headwaterv1.Fact
	receipt             *headwaterv1.Receipt
}

func (g *declaredGateway) PreviewSnapshot(_ context.Context, request *headwaterv1.PreviewSnapshotRequest) (*headwaterv1.PreviewSnapshotResponse, error) {
	g.previewed = request.GetSnapshot()
	return &headwaterv1.PreviewSnapshotResponse{Unchanged: 4}, nil
}

func (g *declaredGateway) DeclareSnapshot(_ context.Context, request *headwaterv1.DeclareSnapshotRequest) (*headwaterv1.DeclareSnapshotResponse, error) {
	g.declared = request.GetSnapshot()
	return &headwaterv1.DeclareSnapshotResponse{Receipt: g.receipt}, nil
}

func (g *declaredGateway) SubmitFacts(_ context.Context, request *headwaterv1.SubmitFactsRequest) (*headwaterv1.SubmitFactsResponse, error) {
	g.fact = request.GetFacts()[0]
	return &headwaterv1.SubmitFactsResponse{Receipts: []*headwaterv1.Receipt{g.receipt}}, nil
}

// declareWith runs a command line against the gateway.
func (g *declaredGateway) declareWith(t *testing.T, args ...string) error {
	t.Helper()
	address := serve(t, func(services *connect.Server) {
		headwaterv1connect.RegisterDeclarationServiceHandler(services, g)
		headwaterv1connect.RegisterAdminServiceHandler(services, g)
	})
	return execute(t, append(append([]string{"declare"}, args...), "--server", address)...)
}

const manifest = "../../internal/dbt/testdata/manifest.json"

func TestManifestIsDeclaredUnderTheNamesThatTheCallerGives(t *testing.T) {
	g := &declaredGateway{receipt: acceptedMarker}
	require.NoError(t, g.declareWith(t, "dbt", "--manifest", manifest, "--catalog", "../../internal/dbt/testdata/catalog.json",
		"--target", "prod", "--namespace", "postgres://shop-db:5432", "--job-namespace", "dbt-prod"))
	require.Equal(t, "dbt/shop/prod", g.declared.GetScope())
	require.Equal(t, "postgres://shop-db:5432", g.declared.GetDatasets()[0].GetNamespace())
	require.Equal(t, "dbt-prod", g.declared.GetFlows()[0].GetJob().GetNamespace())
}

func TestDryRunDeclaresNothing(t *testing.T) {
	g := &declaredGateway{}
	require.NoError(t, g.declareWith(t, "dbt", "--manifest", manifest, "--namespace", "n", "--dry-run", "--json"))
	require.NotNil(t, g.previewed)
	require.Nil(t, g.declared)
}

func TestWhatIsMissingForADeclarationIsSaid(t *testing.T) {
	g := &declaredGateway{receipt: acceptedMarker}
	require.ErrorContains(t, g.declareWith(t, "dbt", "--manifest", manifest), "postgres://{host}:{port}")
	require.ErrorContains(t, g.declareWith(t, "dbt", "--manifest", "declare_test.go", "--namespace", "n"), "declare_test.go: this is no manifest.json")
	g.receipt = &headwaterv1.Receipt{Outcome: &headwaterv1.Receipt_Rejected{Rejected: &headwaterv1.Rejected{Reason: "too many"}}}
	require.EqualError(t, g.declareWith(t, "dbt", "--manifest", manifest, "--namespace", "n"), "too many")
}

func TestEdgeIsStatedAndEnded(t *testing.T) {
	g := &declaredGateway{receipt: acceptedMarker}
	edge := []string{"edge", "postgres://shop-db:5432", "orders", "looker", "sales", "--reason", "uploaded by hand"}
	require.NoError(t, g.declareWith(t, append(edge, "--job", "people", "upload")...))
	stated := g.fact.GetManualEdge()
	require.Equal(t, "orders", stated.GetFrom().GetName())
	require.Equal(t, "looker", stated.GetTo().GetNamespace())
	require.Equal(t, "upload", stated.GetJob().GetName())
	require.False(t, stated.GetEnded())
	require.Equal(t, "uploaded by hand", g.fact.GetReason())
	require.NoError(t, g.declareWith(t, append(edge, "--end")...))
	require.True(t, g.fact.GetManualEdge().GetEnded())
	require.Nil(t, g.fact.GetManualEdge().GetJob())
}

package gateway_test

import (
	"net/http"
	"testing"

	"connectrpc.com/connect/v2"
	"github.com/stretchr/testify/require"

	headwaterv1 "github.com/headwater-data/headwater/gen/headwater/v1"
)

func TestComparisonShowsWhoDeclaresAndWhoDidIt(t *testing.T) {
	t.Parallel()
	b := setup(t)
	_, err := b.declarations(http.DefaultClient).DeclareSnapshot(t.Context(), &headwaterv1.DeclareSnapshotRequest{Snapshot: shopSnapshot()})
	require.NoError(t, err)
	b.publish(t, "raw.orders", "mart.daily_orders")
	b.publish(t, "mart.daily_orders", "report")
	b.fold(t)
	answer, err := b.lineage().CompareDeclared(t.Context(), &headwaterv1.CompareDeclaredRequest{Namespace: "warehouse", Name: "mart.daily_orders"})
	require.NoError(t, err)
	require.Len(t, answer.GetOutputs(), 1)
	output := answer.GetOutputs()[0]
	require.Equal(t, headwaterv1.Agreement_AGREEMENT_AGREES, output.GetAgreement())
	input := output.GetInputs()[0]
	require.Equal(t, "raw.orders", input.GetInput().GetName())
	require.Equal(t, "model.shop.daily_orders", input.GetDeclared()[0].GetJob().GetName())
	require.Equal(t, "make mart.daily_orders", input.GetObserved()[0].GetJob().GetName())
	require.Empty(t, input.GetManual())

	first, err := b.lineage().CompareDeclared(t.Context(), &headwaterv1.CompareDeclaredRequest{PageSize: new(int32(1))})
	require.NoError(t, err)
	require.Equal(t, "mart.daily_orders", first.GetOutputs()[0].GetOutput().GetName())
	second, err := b.lineage().CompareDeclared(t.Context(), &headwaterv1.CompareDeclaredRequest{PageToken: first.GetNextPageToken()})
	require.NoError(t, err)
	require.Equal(t, "report", second.GetOutputs()[0].GetOutput().GetName())
	require.Equal(t, headwaterv1.Agreement_AGREEMENT_OBSERVED_ONLY, second.GetOutputs()[0].GetAgreement())
	require.Empty(t, second.GetNextPageToken())

	_, err = b.lineage().CompareDeclared(t.Context(), &headwaterv1.CompareDeclaredRequest{PageToken: "?"})
	require.Equal(t, connect.CodeInvalidArgument, connect.CodeOf(err))
}

package gateway_test

import (
	"net/http"
	"testing"
	"time"

	"connectrpc.com/connect/v2"
	"connectrpc.com/connect/v2/connecthttp"
	"github.com/stretchr/testify/require"
	"google.golang.org/protobuf/types/known/timestamppb"

	headwaterv1 "github.com/headwater-data/headwater/gen/headwater/v1"
	"github.com/headwater-data/headwater/gen/headwater/v1/headwaterv1connect"
	"github.com/headwater-data/headwater/lineage"
)

func (b *bundle) declarations(client connecthttp.HTTPClient) headwaterv1connect.DeclarationServiceClient {
	return headwaterv1connect.NewDeclarationServiceClient(connect.NewClient(connecthttp.NewTransport(client, b.url)))
}

// authorized is a client that sends an Authorization header with every request.
func authorized(header string) *http.Client {
	return &http.Client{Transport: roundTripper(func(request *http.Request) (*http.Response, error) {
		request = request.Clone(request.Context())
		request.Header.Set("Authorization", header)
		return http.DefaultTransport.RoundTrip(request)
	})}
}

type roundTripper func(*http.Request) (*http.Response, error)

func (r roundTripper) RoundTrip(request *http.Request) (*http.Response, error) { return r(request) }

// shopSnapshot declares that a model makes daily orders of raw ones.
func shopSnapshot() *headwaterv1.DeclaredSnapshot {
	return &headwaterv1.DeclaredSnapshot{
		Scope: "dbt/shop/prod", EffectiveAt: timestamppb.New(time.Date(2026, 7, 19, 6, 0, 0, 0, time.UTC)),
		Datasets: []*headwaterv1.SnapshotDataset{
			{Namespace: "warehouse", Name: "raw.orders"},
			{Namespace: "warehouse", Name: "mart.daily_orders", Fields: []*headwaterv1.SchemaField{{Name: "day", Type: "date", Description: "of the order"}}},
		},
		Flows: []*headwaterv1.SnapshotFlow{
			{Job: &headwaterv1.Job{Namespace: "dbt", Name: "model.shop.daily_orders"}, Inputs: []int32{0}, Outputs: []int32{1}},
		},
	}
}

func TestSnapshotIsKeptInTheLogInTheNameOfItsCaller(t *testing.T) {
	t.Parallel()
	b := setup(t)
	request := &headwaterv1.DeclareSnapshotRequest{Snapshot: shopSnapshot(), Reason: "release 7"}
	answer, err := b.declarations(http.DefaultClient).DeclareSnapshot(t.Context(), request)
	require.NoError(t, err)
	require.NotNil(t, answer.GetReceipt().GetAccepted())
	again, err := b.declarations(http.DefaultClient).DeclareSnapshot(t.Context(), request)
	require.NoError(t, err)
	require.True(t, again.GetReceipt().GetAccepted().GetDuplicate())

	entry := b.entries(t)[0]
	event, err := lineage.Decode(entry.Format, entry.Payload, lineage.DefaultLimits())
	require.NoError(t, err)
	require.Equal(t, lineage.Attribution{EventTime: shopSnapshot().GetEffectiveAt().AsTime(), By: "dev", Reason: "release 7"}, event.Attribution)
	snapshot := event.Fact.(lineage.Snapshot)
	require.Equal(t, "dbt/shop/prod", snapshot.Scope)
	require.Equal(t, []int{1}, snapshot.Flows[0].Outputs)
	require.Equal(t, []lineage.Field{{Name: "day", Type: "date"}}, snapshot.Datasets[1].Fields)
}

func TestPreviewComparesWithTheSnapshotBefore(t *testing.T) {
	t.Parallel()
	b := setup(t)
	service := b.declarations(http.DefaultClient)
	first, err := service.PreviewSnapshot(t.Context(), &headwaterv1.PreviewSnapshotRequest{Snapshot: shopSnapshot()})
	require.NoError(t, err)
	require.Nil(t, first.GetPreviousAt())
	require.Len(t, first.GetChanges(), 2)
	_, err = service.DeclareSnapshot(t.Context(), &headwaterv1.DeclareSnapshotRequest{Snapshot: shopSnapshot()})
	require.NoError(t, err)
	b.fold(t)

	next := shopSnapshot()
	next.EffectiveAt = timestamppb.New(next.GetEffectiveAt().AsTime().Add(time.Hour))
	next.Datasets[0].Name = "raw.orders_v2"
	preview, err := service.PreviewSnapshot(t.Context(), &headwaterv1.PreviewSnapshotRequest{Snapshot: next})
	require.NoError(t, err)
	require.Equal(t, shopSnapshot().GetEffectiveAt().AsTime(), preview.GetPreviousAt().AsTime())
	require.EqualValues(t, 1, preview.GetUnchanged(), "its columns")
	require.Len(t, preview.GetChanges(), 1)
	change := preview.GetChanges()[0]
	require.Equal(t, headwaterv1.SnapshotChangeKind_SNAPSHOT_CHANGE_KIND_INPUTS_CHANGED, change.GetKind())
	require.Equal(t, "raw.orders_v2", change.GetInputsAdded()[0].GetName())
	require.Equal(t, "raw.orders", change.GetInputsRemoved()[0].GetName())
	require.Len(t, b.entries(t), 1, "a preview stores nothing")
}

func TestProducerDeclaresWithinItsNamespacesOnly(t *testing.T) {
	t.Parallel()
	b := setup(t)
	allowed := b.declarations(authorized(b.token(t, "dbt-ci", "dbt", "warehouse")))
	answer, err := allowed.DeclareSnapshot(t.Context(), &headwaterv1.DeclareSnapshotRequest{Snapshot: shopSnapshot()})
	require.NoError(t, err)
	require.NotNil(t, answer.GetReceipt().GetAccepted())
	for name, namespaces := range map[string][]string{"no jobs": {"warehouse"}, "no columns": {"dbt"}} {
		service := b.declarations(authorized(b.token(t, name, namespaces...)))
		answer, err := service.DeclareSnapshot(t.Context(), &headwaterv1.DeclareSnapshotRequest{Snapshot: shopSnapshot()})
		require.NoError(t, err)
		require.Contains(t, answer.GetReceipt().GetRejected().GetReason(), "is not among the namespaces", name)
		_, err = service.PreviewSnapshot(t.Context(), &headwaterv1.PreviewSnapshotRequest{Snapshot: shopSnapshot()})
		require.Equal(t, connect.CodePermissionDenied, connect.CodeOf(err), name)
	}
}

func TestSnapshotThatContradictsItselfIsQuarantined(t *testing.T) {
	t.Parallel()
	b := setup(t)
	broken := shopSnapshot()
	broken.Flows[0].Inputs = []int32{7}
	answer, err := b.declarations(http.DefaultClient).DeclareSnapshot(t.Context(), &headwaterv1.DeclareSnapshotRequest{Snapshot: broken})
	require.NoError(t, err)
	require.Contains(t, answer.GetReceipt().GetRejected().GetReason(), "outside of datasets")
	require.NotZero(t, answer.GetReceipt().GetRejected().GetQuarantineId())
	_, err = b.declarations(http.DefaultClient).PreviewSnapshot(t.Context(), &headwaterv1.PreviewSnapshotRequest{Snapshot: broken})
	require.Equal(t, connect.CodeInvalidArgument, connect.CodeOf(err))
}

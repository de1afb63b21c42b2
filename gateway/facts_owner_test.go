package gateway_test

import (
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"

	headwaterv1 "github.com/headwater-data/headwater/gen/headwater/v1"
)

func TestRegisteredOwnerShowsOnTheNode(t *testing.T) {
	t.Parallel()
	b := setup(t)
	_, err := b.declarations(http.DefaultClient).DeclareSnapshot(t.Context(), &headwaterv1.DeclareSnapshotRequest{Snapshot: shopSnapshot()})
	require.NoError(t, err)
	daily := &headwaterv1.Dataset{Namespace: "warehouse", Name: "mart.daily_orders"}
	job := &headwaterv1.Job{Namespace: "dbt", Name: "model.shop.daily_orders"}
	owners := []*headwaterv1.Owner{{Name: "team:shop", Type: "MAINTAINER"}}
	response, err := b.admin().SubmitFacts(t.Context(), &headwaterv1.SubmitFactsRequest{Facts: []*headwaterv1.Fact{
		{Fact: &headwaterv1.Fact_OwnerRegistered{OwnerRegistered: &headwaterv1.OwnerRegistered{
			Node: &headwaterv1.OwnerRegistered_Dataset{Dataset: daily}, Owners: owners,
		}}},
		{Fact: &headwaterv1.Fact_OwnerRegistered{OwnerRegistered: &headwaterv1.OwnerRegistered{
			Node: &headwaterv1.OwnerRegistered_Job{Job: job}, Owners: owners,
		}}},
		{Fact: &headwaterv1.Fact_OwnerRegistered{OwnerRegistered: &headwaterv1.OwnerRegistered{
			Node: &headwaterv1.OwnerRegistered_Job{Job: job},
		}}},
	}})
	require.NoError(t, err)
	require.NotNil(t, response.GetReceipts()[1].GetAccepted())
	require.NotNil(t, response.GetReceipts()[2].GetRejected(), "nobody is no owner")
	b.fold(t)
	for _, request := range []*headwaterv1.GetNodeRequest{
		{Node: &headwaterv1.GetNodeRequest_Dataset{Dataset: daily}}, {Node: &headwaterv1.GetNodeRequest_Job{Job: job}},
	} {
		answer, err := b.lineage().GetNode(t.Context(), request)
		require.NoError(t, err)
		require.Equal(t, "team:shop", answer.GetAttributes().GetOwners()[0].GetName())
		require.Equal(t, "MAINTAINER", answer.GetAttributes().GetOwners()[0].GetType())
	}
}

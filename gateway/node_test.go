package gateway_test

import (
	"net/http"
	"testing"

	"connectrpc.com/connect/v2"
	"github.com/stretchr/testify/require"
	"google.golang.org/protobuf/types/known/timestamppb"

	headwaterv1 "github.com/headwater-data/headwater/gen/headwater/v1"
)

func TestNodeShowsItsSchemaAndWhoWritesIt(t *testing.T) {
	t.Parallel()
	b := setup(t)
	_, err := b.declarations(http.DefaultClient).DeclareSnapshot(t.Context(), &headwaterv1.DeclareSnapshotRequest{Snapshot: shopSnapshot()})
	require.NoError(t, err)
	b.fold(t)
	ask := func(name string) (*headwaterv1.GetNodeResponse, error) {
		return b.lineage().GetNode(t.Context(), &headwaterv1.GetNodeRequest{
			Node: &headwaterv1.GetNodeRequest_Dataset{Dataset: &headwaterv1.Dataset{Namespace: "warehouse", Name: name}},
		})
	}
	answer, err := ask("mart.daily_orders")
	require.NoError(t, err)
	require.Equal(t, "mart.daily_orders", answer.GetDataset().GetName())
	require.Nil(t, answer.GetLife().GetDroppedAt())
	schema := answer.GetSchema()
	require.Equal(t, headwaterv1.SchemaSource_SCHEMA_SOURCE_DECLARED, schema.GetSource())
	require.Equal(t, "day", schema.GetFields()[0].GetPath())
	require.Equal(t, "date", schema.GetFields()[0].GetType())
	require.Equal(t, "of the order", schema.GetFields()[0].GetDescription())
	require.Equal(t, shopSnapshot().GetEffectiveAt().AsTime(), schema.GetFields()[0].GetSince().AsTime())
	require.Nil(t, schema.GetValidTo())
	require.Len(t, answer.GetAttributeSources(), 1)
	described := answer.GetAttributeSources()[0]
	require.Equal(t, headwaterv1.NodeAttribute_NODE_ATTRIBUTE_DESCRIPTIONS, described.GetAttribute())
	require.Equal(t, shopSnapshot().GetEffectiveAt().AsTime(), described.GetEventTime().AsTime())
	require.NotEmpty(t, described.GetProducer())
	require.NotEmpty(t, described.GetSourceEvent())
	require.Nil(t, described.GetJob(), "a snapshot said so")
	require.Len(t, answer.GetSchemaVersions(), 1)
	require.Equal(t, "model.shop.daily_orders", answer.GetWriters()[0].GetJob().GetName())
	require.Equal(t, headwaterv1.Origin_ORIGIN_DECLARED, answer.GetWriters()[0].GetOrigin())

	before, err := b.lineage().GetNode(t.Context(), &headwaterv1.GetNodeRequest{
		Node:    &headwaterv1.GetNodeRequest_Dataset{Dataset: &headwaterv1.Dataset{Namespace: "warehouse", Name: "mart.daily_orders"}},
		ValidAt: timestamppb.New(shopSnapshot().GetEffectiveAt().AsTime().Add(-1)),
	})
	require.NoError(t, err)
	require.Nil(t, before.GetSchema())

	_, err = ask("mart.nothing")
	require.Equal(t, connect.CodeNotFound, connect.CodeOf(err))
	job, err := b.lineage().GetNode(t.Context(), &headwaterv1.GetNodeRequest{
		Node: &headwaterv1.GetNodeRequest_Job{Job: &headwaterv1.Job{Namespace: "dbt", Name: "model.shop.daily_orders"}},
	})
	require.NoError(t, err)
	require.Nil(t, job.GetLife())
}

package lineage_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/headwater-data/headwater/lineage"
)

func TestPersonSaysWhoOwnsADatasetOrAJob(t *testing.T) {
	read := func(ownership lineage.Ownership) (lineage.Fact, error) {
		payload, err := lineage.EncodeFact(ownership, lineage.Attribution{EventTime: tenOClock, By: "ines"})
		require.NoError(t, err)
		event, err := lineage.Decode(lineage.FormatPlatform, payload, lineage.DefaultLimits())
		return event.Fact, err
	}
	orders := lineage.DatasetID{Namespace: "n", Name: "orders"}
	fact, err := read(lineage.Ownership{Dataset: orders, Owners: []lineage.Owner{{Name: "team:b"}, {Name: "team:a"}}})
	require.NoError(t, err)
	require.Equal(t, []lineage.StatedAttribute{
		{Node: orders.Node(), Kind: lineage.OwnersAttribute, Value: `[{"name":"team:a"},{"name":"team:b"}]`},
	}, fact.(lineage.Ownership).Attributes())
	fact, err = read(lineage.Ownership{Job: loadOrders, Owners: []lineage.Owner{{Name: "team:a"}}})
	require.NoError(t, err)
	require.Equal(t, loadOrders.Node(), fact.(lineage.Ownership).Attributes()[0].Node)
	for _, bad := range []lineage.Ownership{
		{Dataset: orders},
		{Owners: []lineage.Owner{{Name: "team:a"}}},
		{Dataset: orders, Job: loadOrders, Owners: []lineage.Owner{{Name: "team:a"}}},
	} {
		_, err := read(bad)
		require.Error(t, err)
	}
}

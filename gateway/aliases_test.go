package gateway_test

import (
	"testing"
	"time"

	"connectrpc.com/connect/v2"
	"github.com/stretchr/testify/require"
	"google.golang.org/protobuf/types/known/timestamppb"

	headwaterv1 "github.com/headwater-data/headwater/gen/headwater/v1"
)

func inWarehouse(name string) *headwaterv1.Dataset {
	return &headwaterv1.Dataset{Namespace: "warehouse", Name: name}
}

func aliasRegistered(alias, of string) *headwaterv1.Fact {
	return &headwaterv1.Fact{Reason: "two names of one table", Fact: &headwaterv1.Fact_AliasRegistered{
		AliasRegistered: &headwaterv1.AliasRegistered{Alias: inWarehouse(alias), Of: inWarehouse(of)},
	}}
}

func aliasEnded(alias, of string) *headwaterv1.Fact {
	return &headwaterv1.Fact{Reason: "they were mistaken", Fact: &headwaterv1.Fact_AliasEnded{
		AliasEnded: &headwaterv1.AliasEnded{Alias: inWarehouse(alias), Of: inWarehouse(of), End: &headwaterv1.AliasEnded_Never{Never: true}},
	}}
}

func (b *bundle) state(t *testing.T, facts ...*headwaterv1.Fact) []*headwaterv1.Receipt {
	t.Helper()
	response, err := b.admin().SubmitFacts(t.Context(), &headwaterv1.SubmitFactsRequest{Facts: facts})
	require.NoError(t, err)
	b.fold(t)
	return response.GetReceipts()
}

func TestRegisteredAliasJoinsAnswersAndIsShown(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.publish(t, "raw.orders", "path")
	b.publish(t, "mart.orders", "report")
	require.NotNil(t, b.state(t, aliasRegistered("path", "mart.orders"))[0].GetAccepted())

	answer := b.traverse(t, "report", 5)
	require.Len(t, answer.GetNodes(), 3)
	require.Len(t, answer.GetEdges(), 2)
	joined := answer.GetNodes()[1]
	require.Equal(t, "mart.orders", joined.GetDataset().GetName())
	alias := joined.GetAliases()[0]
	require.Equal(t, "path", alias.GetName().GetName())
	require.Equal(t, headwaterv1.AliasSource_ALIAS_SOURCE_REGISTRATION, alias.GetSource())
	require.Equal(t, "dev", alias.GetProducer())
	require.Equal(t, "two names of one table", alias.GetReason())
	require.Nil(t, alias.GetValidFrom())
	require.Nil(t, alias.GetValidTo())

	b.state(t, aliasEnded("path", "mart.orders"))
	require.Len(t, b.traverse(t, "report", 5).GetEdges(), 1)
}

func TestAliasesAreListedWithTheirDatesAndConflicts(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.publish(t, "a", "b")
	from := time.Date(2026, 7, 1, 0, 0, 0, 0, time.UTC)
	later := aliasRegistered("table", "b")
	later.GetAliasRegistered().ValidFrom = timestamppb.New(from)
	b.state(t, aliasRegistered("table", "a"), later)

	list, err := b.lineage().ListAliases(t.Context(), &headwaterv1.ListAliasesRequest{})
	require.NoError(t, err)
	require.Len(t, list.GetAliases(), 2)
	replaced, holding := list.GetAliases()[0], list.GetAliases()[1]
	if replaced.GetHolds() {
		replaced, holding = holding, replaced
	}
	require.Equal(t, "a", replaced.GetAlias().GetOf().GetName())
	require.Equal(t, from, replaced.GetAlias().GetValidTo().AsTime())
	require.Equal(t, "b", replaced.GetConflicts()[0].GetName())
	require.True(t, holding.GetHolds())
	require.Equal(t, from, holding.GetAlias().GetValidFrom().AsTime())

	_, err = b.lineage().ListAliases(t.Context(), &headwaterv1.ListAliasesRequest{Dataset: inWarehouse("nothing")})
	require.Equal(t, connect.CodeNotFound, connect.CodeOf(err))
	_, err = b.lineage().ListAliases(t.Context(), &headwaterv1.ListAliasesRequest{PageToken: "?"})
	require.Equal(t, connect.CodeInvalidArgument, connect.CodeOf(err))
}

func TestAliasThatSaysNothingIsRefusedWithTheReason(t *testing.T) {
	t.Parallel()
	b := setup(t)
	nameless, endless, empty := aliasRegistered("", "a"), aliasEnded("a", "b"), aliasRegistered("a", "b")
	endless.GetAliasEnded().End = nil
	empty.GetAliasRegistered().ValidFrom = timestamppb.New(time.Unix(1000, 0))
	empty.GetAliasRegistered().ValidTo = timestamppb.New(time.Unix(1000, 0))
	for _, receipt := range b.state(t, nameless, endless, empty, aliasRegistered("a", "a")) {
		require.NotEmpty(t, receipt.GetRejected().GetReason())
	}
}

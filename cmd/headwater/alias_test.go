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

// aliasGateway keeps what was stated and asked.
type aliasGateway struct {
	headwaterv1connect.UnimplementedAdminServiceHandler
	headwaterv1connect.UnimplementedLineageServiceHandler
	fact    *headwaterv1.Fact
	asked   *headwaterv1.ListAliasesRequest
	aliases []*headwaterv1.ListedAlias
}

func (g *aliasGateway) SubmitFacts(_ context.Context, request *headwaterv1.SubmitFactsRequest) (*headwaterv1.SubmitFactsResponse, error) {
	g.fact = request.GetFacts()[0]
	accepted := &headwaterv1.Receipt{Outcome: &headwaterv1.Receipt_Accepted{Accepted: &headwaterv1.Accepted{Offset: 7}}}
	return &headwaterv1.SubmitFactsResponse{Receipts: []*headwaterv1.Receipt{accepted}}, nil
}

func (g *aliasGateway) ListAliases(_ context.Context, request *headwaterv1.ListAliasesRequest) (*headwaterv1.ListAliasesResponse, error) {
	g.asked = request
	return &headwaterv1.ListAliasesResponse{Aliases: g.aliases}, nil
}

// run runs `headwater alias` against the gateway.
func (g *aliasGateway) run(t *testing.T, args ...string) error {
	t.Helper()
	_, _, err := g.printed(t, args...)
	return err
}

func (g *aliasGateway) printed(t *testing.T, args ...string) (stdout, stderr string, err error) {
	t.Helper()
	address := serve(t, func(services *connect.Server) {
		headwaterv1connect.RegisterAdminServiceHandler(services, g)
		headwaterv1connect.RegisterLineageServiceHandler(services, g)
	})
	return printed(t, append(append([]string{"alias"}, args...), "--server", address)...)
}

func TestAliasAddNamesBothDatasetsAndWhen(t *testing.T) {
	gateway := &aliasGateway{}
	require.NoError(t, gateway.run(t, "add", "hive://ms", "db.t", "--of", "s3://wh", "/t", "--from", "2026-07-01", "--canonical", "--reason", "one table"))
	registered := gateway.fact.GetAliasRegistered()
	require.Equal(t, "db.t", registered.GetAlias().GetName())
	require.Equal(t, "s3://wh", registered.GetOf().GetNamespace())
	require.Equal(t, "/t", registered.GetOf().GetName())
	require.Equal(t, time.Date(2026, 7, 1, 0, 0, 0, 0, time.UTC), registered.GetValidFrom().AsTime())
	require.Nil(t, registered.GetValidTo())
	require.True(t, registered.GetCanonical())
	require.Equal(t, "one table", gateway.fact.GetReason())

	require.ErrorContains(t, gateway.run(t, "add", "hive://ms", "db.t", "--reason", "x"), "--of")
	require.ErrorContains(t, gateway.run(t, "add", "hive://ms", "db.t", "--of", "s3://wh", "/t"), "--reason")
}

func TestAliasEndSaysUntilWhenOrNever(t *testing.T) {
	gateway := &aliasGateway{}
	end := func(args ...string) *headwaterv1.AliasEnded {
		require.NoError(t, gateway.run(t, append([]string{"end", "hive://ms", "db.t", "--of", "s3://wh", "/t", "--reason", "x"}, args...)...))
		return gateway.fact.GetAliasEnded()
	}
	require.WithinDuration(t, time.Now(), end().GetValidTo().AsTime(), time.Hour)
	require.Equal(t, time.Date(2026, 7, 1, 0, 0, 0, 0, time.UTC), end("--until", "2026-07-01").GetValidTo().AsTime())
	require.True(t, end("--never").GetNever())
}

func TestEndOfAnAliasThatNobodyRegisteredIsRecordedWithAHint(t *testing.T) {
	alias := &headwaterv1.Alias{
		Name: &headwaterv1.Dataset{Namespace: "hive://ms", Name: "db.t"}, Of: &headwaterv1.Dataset{Namespace: "s3://wh", Name: "/t"},
	}
	gateway := &aliasGateway{}
	hint := func() string {
		stdout, stderr, err := gateway.printed(t, "end", "hive://ms", "db.t", "--of", "s3://wh", "/t", "--reason", "x")
		require.NoError(t, err)
		require.Equal(t, "recorded at offset 7\n", stdout)
		return stderr
	}
	require.Equal(t, "no answer so far knows that the one name was registered for the other; headwater alias list hive://ms db.t shows what there is\n", hint())
	gateway.aliases = []*headwaterv1.ListedAlias{{Alias: alias}}
	alias.Source = headwaterv1.AliasSource_ALIAS_SOURCE_SYMLINK
	require.Contains(t, hint(), "a symlinks facet, which goes on to count")
	alias.Source = headwaterv1.AliasSource_ALIAS_SOURCE_RENAME
	require.Contains(t, hint(), "a renaming, which goes on to count")
	alias.Source = headwaterv1.AliasSource_ALIAS_SOURCE_REGISTRATION
	require.Empty(t, hint())
}

func TestAliasListAsksForOneDatasetOrAll(t *testing.T) {
	gateway := &aliasGateway{}
	require.NoError(t, gateway.run(t, "list"))
	require.Nil(t, gateway.asked.GetDataset())
	require.NoError(t, gateway.run(t, "list", "hive://ms", "db.t", "--at", "2026-07-01", "--json"))
	require.Equal(t, "db.t", gateway.asked.GetDataset().GetName())
	require.NotNil(t, gateway.asked.GetValidAt())
	require.ErrorContains(t, gateway.run(t, "list", "hive://ms"), "namespace and a name")
}

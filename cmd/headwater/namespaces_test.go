package main

import (
	"context"
	"os"
	"path/filepath"
	"testing"

	"connectrpc.com/connect/v2"
	"github.com/stretchr/testify/require"

	headwaterv1 "github.com/headwater-data/headwater/gen/headwater/v1"
	"github.com/headwater-data/headwater/gen/headwater/v1/headwaterv1connect"
)

// namedGateway keeps what it is asked about names.
type namedGateway struct {
	headwaterv1connect.UnimplementedAdminServiceHandler
	planned    *headwaterv1.NameRuleSet
	unresolved *headwaterv1.ListUnresolvedRequest
	facts      []*headwaterv1.Fact
}

func (g *namedGateway) PlanNameRules(_ context.Context, request *headwaterv1.PlanNameRulesRequest) (*headwaterv1.PlanNameRulesResponse, error) {
	g.planned = request.GetRules()
	return &headwaterv1.PlanNameRulesResponse{}, nil
}

func (g *namedGateway) ListUnresolved(_ context.Context, request *headwaterv1.ListUnresolvedRequest) (*headwaterv1.ListUnresolvedResponse, error) {
	g.unresolved = request
	return &headwaterv1.ListUnresolvedResponse{}, nil
}

func (g *namedGateway) GetUnresolved(context.Context, *headwaterv1.GetUnresolvedRequest) (*headwaterv1.GetUnresolvedResponse, error) {
	return nil, connect.NewError(connect.CodeNotFound, "no")
}

func (g *namedGateway) SubmitFacts(_ context.Context, request *headwaterv1.SubmitFactsRequest) (*headwaterv1.SubmitFactsResponse, error) {
	g.facts = append(g.facts, request.GetFacts()...)
	return &headwaterv1.SubmitFactsResponse{Receipts: []*headwaterv1.Receipt{acceptedMarker}}, nil
}

// say runs a command line against the gateway.
func (g *namedGateway) say(t *testing.T, args ...string) error {
	t.Helper()
	address := serve(t, func(services *connect.Server) {
		headwaterv1connect.RegisterAdminServiceHandler(services, g)
	})
	return execute(t, append(args, "--server", address)...)
}

func rulesIn(t *testing.T, text string) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), "rules.yaml")
	require.NoError(t, os.WriteFile(file, []byte(text), 0o600))
	return file
}

func TestPlanIsAskedWithPresetsFilledIn(t *testing.T) {
	g := &namedGateway{}
	require.NoError(t, g.say(t, "namespaces", "plan", rulesIn(t, "environment: prod\nnamespaces:\n  - preset: s3\n")))
	require.Equal(t, "prod", g.planned.GetEnvironment())
	rule := g.planned.GetNamespaces()[0]
	require.Equal(t, "s3://*", rule.GetNamespace())
	require.Empty(t, rule.GetPreset())
	require.Equal(t, "namespaces:\n    - namespace: s3://*\n      platform: s3\n", nameRulesFile(&headwaterv1.NameRuleSet{
		Namespaces: []*headwaterv1.NamespaceRule{{Namespace: "s3://*", Platform: "s3"}},
	}), "what the API gives can be edited")
}

func TestMistakeInRulesIsToldWithItsFileAndLine(t *testing.T) {
	g := &namedGateway{}
	file := rulesIn(t, "namespaces:\n  - preset: s4\n")
	err := g.say(t, "namespaces", "plan", file)
	require.ErrorContains(t, err, file+": line 2: namespaces[0].preset")
	require.Error(t, g.say(t, "namespaces", "apply", file, "--reason", "why"))
	require.Empty(t, g.facts)
}

func TestApplyRegistersAndSaysHowToGoOnWhereNoReplayStarts(t *testing.T) {
	g := &namedGateway{}
	file := rulesIn(t, "namespaces:\n  - preset: s3\n")
	require.Error(t, g.say(t, "namespaces", "apply", file), "a reason is wanted")
	err := g.say(t, "namespaces", "apply", file, "--reason", "one name", "--temporal-address", "127.0.0.1:1")
	require.ErrorContains(t, err, "at offset 7, but: no Temporal answers at 127.0.0.1:1")
	require.ErrorContains(t, err, "headwater replay start names-")
	require.Equal(t, "one name", g.facts[0].GetReason())
	require.Equal(t, "s3", g.facts[0].GetNameRulesRegistered().GetRules().GetNamespaces()[0].GetPlatform())
}

func TestQueueIsAskedForWhatTheFlagsSay(t *testing.T) {
	g := &namedGateway{}
	require.NoError(t, g.say(t, "unresolved", "list", "--namespace", "w", "--producer", "spark", "--dismissed", "--limit", "5", "--page", "p"))
	require.Equal(t, "w spark", g.unresolved.GetNamespace()+" "+g.unresolved.GetProducer())
	require.True(t, g.unresolved.GetDismissed())
	require.EqualValues(t, 5, g.unresolved.GetPageSize())
	require.Equal(t, "p", g.unresolved.GetPageToken())
	require.ErrorContains(t, g.say(t, "unresolved", "show", "w", "orders"), "no such name fails to fit")
}

func TestDismissalNeedsAReasonAndCanBeUndone(t *testing.T) {
	g := &namedGateway{}
	require.Error(t, g.say(t, "unresolved", "dismiss", "w", "orders"))
	require.NoError(t, g.say(t, "unresolved", "dismiss", "w", "orders", "--reason", "scratch"))
	require.NoError(t, g.say(t, "unresolved", "dismiss", "w", "orders", "--reason", "not scratch", "--undo"))
	require.Equal(t, "orders", g.facts[0].GetNameDismissed().GetDataset().GetName())
	require.False(t, g.facts[0].GetNameDismissed().GetUndone())
	require.True(t, g.facts[1].GetNameDismissed().GetUndone())
}

package gateway_test

import (
	"testing"

	"connectrpc.com/connect/v2"
	"github.com/stretchr/testify/require"

	headwaterv1 "github.com/headwater-data/headwater/gen/headwater/v1"
	"github.com/headwater-data/headwater/lineage"
	"github.com/headwater-data/headwater/policy"
)

// upperCase are rules for the namespace of these tests.
var upperCase = &headwaterv1.NameRuleSet{
	Environment: "prod",
	Namespaces:  []*headwaterv1.NamespaceRule{{Namespace: "warehouse", Case: "upper", Shape: "schema.table"}},
}

// under builds a projection under rules and answers from it.
func (b *bundle) under(t *testing.T, set *headwaterv1.NameRuleSet) {
	t.Helper()
	var rules lineage.NameRuleSet
	for _, n := range set.GetNamespaces() {
		rules.Namespaces = append(rules.Namespaces, lineage.NamespaceRule{
			Namespace: n.GetNamespace(), Case: lineage.NameCase(n.GetCase()), Columns: lineage.NameCase(n.GetColumns()), Shape: lineage.NameShape(n.GetShape()),
		})
	}
	rules.Environment = set.GetEnvironment()
	made, err := lineage.NewNameRules(rules)
	require.NoError(t, err)
	shadow, err := b.projections.Create(t.Context(), "renamed", made)
	require.NoError(t, err)
	require.NoError(t, b.projections.Apply(t.Context(), shadow.ID, b.entries(t)))
	require.NoError(t, b.projections.Switch(t.Context(), shadow.ID))
}

func TestPlanMergesWhatRulesWouldUnite(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.publish(t, "raw.orders", "mart.daily")
	b.publish(t, "RAW.ORDERS", "mart.weekly")
	plan, err := b.admin().PlanNameRules(t.Context(), &headwaterv1.PlanNameRulesRequest{Rules: upperCase})
	require.NoError(t, err)
	require.EqualValues(t, 4, plan.GetDatasetsBefore())
	require.EqualValues(t, 3, plan.GetDatasetsAfter())
	require.EqualValues(t, 1, plan.GetMergeCount())
	require.Equal(t, "RAW.ORDERS", plan.GetMerges()[0].GetInto().GetName())
	require.Len(t, plan.GetMerges()[0].GetFrom(), 2)
	require.EqualValues(t, 2, plan.GetRenameCount())

	_, err = b.admin().PlanNameRules(t.Context(), &headwaterv1.PlanNameRulesRequest{Rules: &headwaterv1.NameRuleSet{
		Namespaces: []*headwaterv1.NamespaceRule{{Preset: "s4"}},
	}})
	require.Equal(t, connect.CodeInvalidArgument, connect.CodeOf(err))
	require.ErrorContains(t, err, "namespaces[0].preset")
}

func TestRegisteredRulesAreListedAndHoldOnlyAfterAReplay(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.publish(t, "raw.orders", "daily")
	response, err := b.admin().SubmitFacts(t.Context(), &headwaterv1.SubmitFactsRequest{Facts: []*headwaterv1.Fact{
		{Reason: "one case", Fact: &headwaterv1.Fact_NameRulesRegistered{NameRulesRegistered: &headwaterv1.NameRulesRegistered{Rules: upperCase}}},
		{Fact: &headwaterv1.Fact_NameRulesRegistered{NameRulesRegistered: &headwaterv1.NameRulesRegistered{Rules: &headwaterv1.NameRuleSet{
			Namespaces: []*headwaterv1.NamespaceRule{{Preset: "s4"}},
		}}}},
	}})
	require.NoError(t, err)
	require.NotNil(t, response.GetReceipts()[0].GetAccepted())
	require.Contains(t, response.GetReceipts()[1].GetRejected().GetReason(), "there is no preset")
	b.fold(t)

	rules, err := b.admin().GetNameRules(t.Context(), &headwaterv1.GetNameRulesRequest{})
	require.NoError(t, err)
	require.Empty(t, rules.GetRevision())
	require.Nil(t, rules.GetRules())
	require.Equal(t, "one case", rules.GetRegistered()[0].GetReason())
	require.Equal(t, "dev", rules.GetRegistered()[0].GetBy())

	b.under(t, upperCase)
	after, err := b.admin().GetNameRules(t.Context(), &headwaterv1.GetNameRulesRequest{})
	require.NoError(t, err)
	require.Equal(t, rules.GetRegistered()[0].GetRevision(), after.GetRevision())
	require.Equal(t, "upper", after.GetRules().GetNamespaces()[0].GetCase())
	namespaces, err := b.admin().ListNamespaces(t.Context(), &headwaterv1.ListNamespacesRequest{})
	require.NoError(t, err)
	warehouse := namespaces.GetNamespaces()[0]
	require.Equal(t, "prod", warehouse.GetEnvironment())
	require.False(t, warehouse.GetProvisional())
	require.EqualValues(t, 1, warehouse.GetUnresolved())
}

func TestQueueIsReadPageByPageAndDismissedFrom(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.publish(t, "raw.orders", "daily")
	b.publish(t, "raw.orders", "weekly")
	b.under(t, upperCase)
	first, err := b.admin().ListUnresolved(t.Context(), &headwaterv1.ListUnresolvedRequest{PageSize: new(int32(1))})
	require.NoError(t, err)
	require.Equal(t, "daily", first.GetNames()[0].GetMisfit().GetDataset().GetName())
	require.EqualValues(t, 2, first.GetByNamespace()[0].GetNames())
	rest, err := b.admin().ListUnresolved(t.Context(), &headwaterv1.ListUnresolvedRequest{PageToken: first.GetNextPageToken()})
	require.NoError(t, err)
	require.Equal(t, "weekly", rest.GetNames()[0].GetMisfit().GetDataset().GetName())
	require.Empty(t, rest.GetNextPageToken())
	_, err = b.admin().ListUnresolved(t.Context(), &headwaterv1.ListUnresolvedRequest{PageToken: "?"})
	require.Equal(t, connect.CodeInvalidArgument, connect.CodeOf(err))

	daily := &headwaterv1.Dataset{Namespace: "warehouse", Name: "daily"}
	detail, err := b.admin().GetUnresolved(t.Context(), &headwaterv1.GetUnresolvedRequest{Dataset: daily})
	require.NoError(t, err)
	require.Equal(t, "make daily", detail.GetUses()[0].GetJob().GetName())
	_, err = b.admin().GetUnresolved(t.Context(), &headwaterv1.GetUnresolvedRequest{Dataset: &headwaterv1.Dataset{Namespace: "warehouse", Name: "raw.orders"}})
	require.Equal(t, connect.CodeNotFound, connect.CodeOf(err))

	_, err = b.admin().SubmitFacts(t.Context(), &headwaterv1.SubmitFactsRequest{Facts: []*headwaterv1.Fact{
		{Reason: "scratch", Fact: &headwaterv1.Fact_NameDismissed{NameDismissed: &headwaterv1.NameDismissed{Dataset: daily}}},
	}})
	require.NoError(t, err)
	b.fold(t)
	left, err := b.admin().ListUnresolved(t.Context(), &headwaterv1.ListUnresolvedRequest{})
	require.NoError(t, err)
	require.Len(t, left.GetNames(), 1)
	dismissed, err := b.admin().ListUnresolved(t.Context(), &headwaterv1.ListUnresolvedRequest{Dismissed: true})
	require.NoError(t, err)
	require.Equal(t, "scratch", dismissed.GetNames()[0].GetDismissal().GetReason())
}

func TestRunShowsRawNamesAndWhatTheyAreKnownAs(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.publish(t, "RAW.ORDERS", "mart.daily")
	b.under(t, upperCase)
	got, err := b.runs().GetRun(t.Context(), &headwaterv1.GetRunRequest{RunId: "run of mart.daily"})
	require.NoError(t, err)
	input, output := got.GetRun().GetInputs()[0], got.GetRun().GetOutputs()[0]
	require.Equal(t, "RAW.ORDERS", input.GetDataset().GetName())
	require.Nil(t, input.KnownAs, "that is its name")
	require.Equal(t, "mart.daily", output.GetDataset().GetName())
	require.Equal(t, "MART.DAILY", output.GetKnownAs().GetName())

	answer := b.traverse(t, "mart.daily", 1)
	require.Equal(t, "MART.DAILY", answer.GetNodes()[0].GetDataset().GetName())
	require.Equal(t, "prod", answer.GetNodes()[0].GetEnvironment())
}

func TestNameThatDoesNotFitIsMarkedInAnswers(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.publish(t, "raw.orders", "daily")
	b.under(t, upperCase)
	gaps := b.traverse(t, "daily", 1).GetGaps()
	require.Len(t, gaps, 1)
	require.Equal(t, headwaterv1.GapKind_GAP_KIND_UNRESOLVED_NAME, gaps[0].GetKind())
	require.Equal(t, "which dataset daily in warehouse means is not known: it does not have the 2 parts of schema.table", gaps[0].GetMessage())
}

func TestWhatMayNotBeSeenIsHiddenUnderItsRawNamesToo(t *testing.T) {
	t.Parallel()
	b := setup(t, hiding(t, `{"namespace": "warehouse", "name": "RAW.ORDERS", "unless_roles": []}`))
	b.publish(t, "raw.orders", "mart.daily")
	b.under(t, upperCase)
	token, err := b.principals.Add(t.Context(), policy.Principal{Name: "mara", Kind: policy.User, Roles: []string{"reader"}})
	require.NoError(t, err)
	got, err := b.runs().GetRun(withToken(t, "Bearer "+token.Reveal()), &headwaterv1.GetRunRequest{RunId: "run of mart.daily"})
	require.NoError(t, err)
	require.Empty(t, got.GetRun().GetInputs())
	require.NotEmpty(t, got.GetRun().GetOutputs())
}

func TestAnOperatorSeesOfTheQueueWhatPoliciesShow(t *testing.T) {
	t.Parallel()
	b := setup(t, hiding(t, `{"namespace": "warehouse", "name": "secret*", "unless_roles": []}`))
	b.publish(t, "raw.orders", "secret")
	b.publish(t, "raw.orders", "daily")
	b.under(t, upperCase)
	token, err := b.principals.Add(t.Context(), policy.Principal{Name: "ines", Kind: policy.User, Roles: []string{"operator"}})
	require.NoError(t, err)
	operator := withToken(t, "Bearer "+token.Reveal())
	list, err := b.admin().ListUnresolved(operator, &headwaterv1.ListUnresolvedRequest{})
	require.NoError(t, err)
	require.Len(t, list.GetNames(), 1)
	require.Equal(t, "daily", list.GetNames()[0].GetMisfit().GetDataset().GetName())
	_, err = b.admin().GetUnresolved(operator, &headwaterv1.GetUnresolvedRequest{Dataset: &headwaterv1.Dataset{Namespace: "warehouse", Name: "secret"}})
	require.Equal(t, connect.CodeNotFound, connect.CodeOf(err))
	namespaces, err := b.admin().ListNamespaces(operator, &headwaterv1.ListNamespacesRequest{})
	require.NoError(t, err)
	require.EqualValues(t, 2, namespaces.GetNamespaces()[0].GetDatasets())
	require.EqualValues(t, 1, namespaces.GetNamespaces()[0].GetUnresolved())
	plan, err := b.admin().PlanNameRules(operator, &headwaterv1.PlanNameRulesRequest{Rules: &headwaterv1.NameRuleSet{}})
	require.NoError(t, err)
	require.EqualValues(t, 2, plan.GetDatasetsBefore())
	require.Len(t, plan.GetResolved(), 1)
}

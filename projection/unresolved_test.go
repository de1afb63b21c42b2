package projection_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/headwater-data/headwater/lineage"
	"github.com/headwater-data/headwater/projection"
)

// state logs a fact that somebody states minutes after noon.
func (b *bundle) stateFact(fact lineage.Fact, minute int, by string) {
	b.t.Helper()
	payload, err := lineage.EncodeFact(fact, lineage.Attribution{EventTime: at(minute), By: by, Reason: "because " + by + " says so"})
	require.NoError(b.t, err)
	b.logged(lineage.FormatPlatform, payload)
}

func inWarehouse(name string) lineage.DatasetID {
	return lineage.DatasetID{Namespace: "warehouse", Name: name}
}

// twoParts is a warehouse in which names have two parts, and one name of two events has one.
func twoParts(t *testing.T) *bundle {
	t.Helper()
	b := setup(t)
	b.complete(story{run: "r1", job: "load", minute: 1, inputs: []string{"raw.orders"}, outputs: []string{"Orders"}})
	b.complete(story{run: "r2", job: "report", minute: 5, inputs: []string{"Orders"}, outputs: []string{"mart.report"}})
	b.replay("shaped", warehouseRules(t, lineage.NamespaceRule{Shape: "schema.table", Case: lineage.CaseLower}), 2)
	return b
}

func (b *bundle) queue(filter projection.UnresolvedFilter) projection.UnresolvedList {
	b.t.Helper()
	if filter.Limit == 0 {
		filter.Limit = 10
	}
	list, err := b.store.Unresolved(b.ctx, filter)
	require.NoError(b.t, err)
	return list
}

func TestNameThatDoesNotFitStandsInTheQueueWithTheEventsThatUsedIt(t *testing.T) {
	b := twoParts(t)
	list := b.queue(projection.UnresolvedFilter{})
	require.Equal(t, []projection.UnresolvedName{{
		Misfit: lineage.Misfit{DatasetID: inWarehouse("Orders"), Reason: "does not have the 2 parts of schema.table"},
		Events: 2, Producers: []string{"test"}, LastUsedAt: at(5),
	}}, list.Names)
	require.Equal(t, []projection.UnresolvedCount{{Of: "warehouse", Names: 1}}, list.ByNamespace)
	require.Equal(t, []projection.UnresolvedCount{{Of: "test", Names: 1}}, list.ByProducer)

	detail, err := b.store.UnresolvedName(b.ctx, inWarehouse("Orders"), nil)
	require.NoError(t, err)
	require.Len(t, detail.Uses, 2)
	require.Equal(t, "r2", detail.Uses[0].RunID)
	require.Equal(t, "report", detail.Uses[0].Job.Name)
	require.Equal(t, []lineage.DatasetID{inWarehouse("raw.orders")}, detail.Candidates)
	_, err = b.store.UnresolvedName(b.ctx, inWarehouse("raw.orders"), nil)
	require.ErrorIs(t, err, projection.ErrNotFound)
}

func TestQueueIsThatOfWhatTheCallerMaySee(t *testing.T) {
	b := twoParts(t)
	b.complete(story{run: "r3", job: "load", minute: 6, inputs: []string{"secret"}, outputs: []string{"x.y"}})
	b.fold(b.active, 3)
	require.Len(t, b.queue(projection.UnresolvedFilter{}).Names, 2)
	list := b.queue(projection.UnresolvedFilter{Show: hiding("secret", "report")})
	require.Len(t, list.Names, 1)
	require.EqualValues(t, 1, list.Names[0].Events, "the other use is that of a hidden job")
	require.Equal(t, at(1), list.Names[0].LastUsedAt)
	require.Equal(t, []projection.UnresolvedCount{{Of: "warehouse", Names: 1}}, list.ByNamespace)
	require.Equal(t, []projection.UnresolvedCount{{Of: "test", Names: 1}}, list.ByProducer)
	list = b.queue(projection.UnresolvedFilter{Show: hiding("load", "report")})
	require.Empty(t, list.Names, "only hidden jobs use them")
	require.Empty(t, list.ByNamespace)
	require.Empty(t, list.ByProducer)

	detail, err := b.store.UnresolvedName(b.ctx, inWarehouse("Orders"), hiding("report", "raw.orders"))
	require.NoError(t, err)
	require.Len(t, detail.Uses, 1)
	require.Equal(t, "load", detail.Uses[0].Job.Name)
	require.Empty(t, detail.Candidates)
	_, err = b.store.UnresolvedName(b.ctx, inWarehouse("Orders"), hiding("orders", "Orders"))
	require.ErrorIs(t, err, projection.ErrNotFound)
}

func TestQueueIsFilteredAndPaged(t *testing.T) {
	b := twoParts(t)
	b.complete(story{run: "r3", job: "load", minute: 6, inputs: []string{"a", "b"}, outputs: []string{"x.y"}})
	b.fold(b.active, 3)
	first := b.queue(projection.UnresolvedFilter{Limit: 2})
	require.True(t, first.More)
	require.Equal(t, "Orders", first.Names[0].Name)
	require.Equal(t, "a", first.Names[1].Name)
	rest := b.queue(projection.UnresolvedFilter{After: first.Names[1].DatasetID})
	require.Len(t, rest.Names, 1)
	require.False(t, rest.More)
	require.Empty(t, b.queue(projection.UnresolvedFilter{Namespace: "elsewhere"}).Names)
	require.Empty(t, b.queue(projection.UnresolvedFilter{Producer: "nobody"}).Names)
	require.Len(t, b.queue(projection.UnresolvedFilter{Namespace: "warehouse", Producer: "test"}).Names, 3)
}

func TestLatestDismissalHoldsInWhateverOrderTheyCome(t *testing.T) {
	b := twoParts(t)
	orders := inWarehouse("Orders")
	b.stateFact(lineage.NameDismissal{Dataset: orders}, 20, "ana")
	b.fold(b.active, 1)
	b.stateFact(lineage.NameDismissal{Dataset: orders, Undone: true}, 10, "bob")
	b.fold(b.active, 1)
	require.Empty(t, b.queue(projection.UnresolvedFilter{}).Names)
	require.Empty(t, b.queue(projection.UnresolvedFilter{}).ByProducer)
	dismissed := b.queue(projection.UnresolvedFilter{Dismissed: true}).Names
	require.Equal(t, &lineage.Attribution{EventTime: at(20), By: "ana", Reason: "because ana says so"}, dismissed[0].Dismissal)

	b.stateFact(lineage.NameDismissal{Dataset: orders, Undone: true}, 30, "bob")
	b.stateFact(lineage.NameDismissal{Dataset: orders}, 25, "ana")
	b.fold(b.active, 2)
	require.Len(t, b.queue(projection.UnresolvedFilter{}).Names, 1)
	require.Empty(t, b.queue(projection.UnresolvedFilter{Dismissed: true}).Names)
}

func TestDismissalsAreTheSameHoweverTheLogIsCut(t *testing.T) {
	b := twoParts(t)
	for i, minute := range []int{20, 10, 30, 30, 5} {
		b.stateFact(lineage.NameDismissal{Dataset: inWarehouse("Orders"), Undone: i%2 == 0}, minute, []string{"ana", "bob"}[i%2])
	}
	rules := warehouseRules(t, lineage.NamespaceRule{Shape: "schema.table", Case: lineage.CaseLower})
	b.replay("one-by-one", rules, 1)
	want, err := b.store.Digest(b.ctx, b.active)
	require.NoError(t, err)
	b.replay("whole", rules, len(b.log))
	got, err := b.store.Digest(b.ctx, b.active)
	require.NoError(t, err)
	require.Equal(t, want, got)
}

func TestNamespacesAreCountedWithTheirRawNames(t *testing.T) {
	b := twoParts(t)
	b.complete(story{run: "r3", job: "load", minute: 6, inputs: []string{"RAW.orders"}, outputs: []string{"mart.Report"}})
	b.fold(b.active, 3)
	counts, view, err := b.store.Namespaces(b.ctx, nil)
	require.NoError(t, err)
	require.NotNil(t, view.Names)
	require.Equal(t, []projection.NamespaceCount{{Namespace: "warehouse", Datasets: 3, RawNames: 5, Unresolved: 1}}, counts)

	same, _, err := b.store.Namespaces(b.ctx, everything)
	require.NoError(t, err)
	require.Equal(t, counts, same)
	rest, _, err := b.store.Namespaces(b.ctx, hiding("raw.orders"))
	require.NoError(t, err)
	require.Equal(t, []projection.NamespaceCount{{Namespace: "warehouse", Datasets: 2, RawNames: 3, Unresolved: 1}}, rest)

	known, _, err := b.store.KnownNames(b.ctx, nil)
	require.NoError(t, err)
	require.Contains(t, known, lineage.KnownName{Raw: inWarehouse("RAW.orders"), Node: inWarehouse("raw.orders")})
	require.Len(t, known, 5)
}

func TestRegisteredRulesAreFoundByTheirRevision(t *testing.T) {
	b := setup(t)
	first := warehouseRules(t, lineage.NamespaceRule{Case: lineage.CaseLower})
	second := warehouseRules(t, lineage.NamespaceRule{Case: lineage.CaseUpper})
	b.stateFact(lineage.NameRuleRegistration{Rules: first.Set()}, 1, "ana")
	b.stateFact(lineage.NameRuleRegistration{Rules: second.Set()}, 2, "bob")
	b.fold(b.active, 2)

	found, err := b.store.RegisteredNameRules(b.ctx, first.Revision())
	require.NoError(t, err)
	require.Equal(t, first.Set(), found.Set())
	_, err = b.store.RegisteredNameRules(b.ctx, "none")
	require.ErrorIs(t, err, projection.ErrNotFound)
	registered, view, err := b.store.RegisteredNames(b.ctx)
	require.NoError(t, err)
	require.Nil(t, view.Names, "what is registered does not hold before a replay")
	require.Equal(t, second.Revision(), registered[0].Revision)
	require.Equal(t, "ana", registered[1].Said.By)
}

func TestAliasSaysWhatANameMeansAndTakesItOutOfTheQueue(t *testing.T) {
	b := twoParts(t)
	b.stateFact(lineage.AliasRegistration{Alias: inWarehouse("Orders"), Of: inWarehouse("raw.daily")}, 10, "ana")
	b.fold(b.active, 1)
	list := b.queue(projection.UnresolvedFilter{})
	require.Empty(t, list.Names)
	require.Empty(t, list.ByNamespace)
	require.Empty(t, list.ByProducer)
	require.Empty(t, b.traverse(request(dataset("mart.report"), projection.Upstream)).Gaps)
	counts, _, err := b.store.Namespaces(b.ctx, nil)
	require.NoError(t, err)
	require.Zero(t, counts[0].Unresolved)
}

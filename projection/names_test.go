package projection_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/headwater-data/headwater/lineage"
	"github.com/headwater-data/headwater/projection"
)

// warehouseRules are rules for the namespace of stories.
func warehouseRules(t *testing.T, rule lineage.NamespaceRule) *lineage.NameRules {
	t.Helper()
	rule.Namespace = "warehouse"
	rules, err := lineage.NewNameRules(lineage.NameRuleSet{Namespaces: []lineage.NamespaceRule{rule}})
	require.NoError(t, err)
	return rules
}

// replay folds the log under rules, in batches of size, and answers from the result.
func (b *bundle) replay(name string, rules *lineage.NameRules, size int) projection.ID {
	b.t.Helper()
	b.fold(b.active, len(b.log))
	shadow, err := b.store.Create(b.ctx, name, rules)
	require.NoError(b.t, err)
	b.fold(shadow.ID, size)
	require.NoError(b.t, b.store.Switch(b.ctx, shadow.ID))
	b.active = shadow.ID
	return shadow.ID
}

func TestSpellingsThatRulesUniteAreOneNode(t *testing.T) {
	b := setup(t)
	b.complete(story{run: "r1", job: "extract", inputs: []string{"raw"}, outputs: []string{"ORDERS"}})
	b.complete(story{run: "r2", job: "load", inputs: []string{"orders"}, outputs: []string{"Mart"}})
	b.complete(story{run: "r3", job: "report", inputs: []string{"MART"}, outputs: []string{"report"}})
	b.replay("folded", warehouseRules(t, lineage.NamespaceRule{Case: lineage.CaseLower}), 2)

	answer := b.traverse(request(dataset("report"), projection.Upstream))
	require.Equal(t, []string{"mart→report", "orders→mart", "raw→orders"}, pairs(answer))
	run, err := b.store.Run(b.ctx, runKey(story{run: "r1", job: "extract"}).Hash())
	require.NoError(t, err)
	require.Equal(t, "ORDERS", run.Outputs[0].Name, "the run keeps the raw name")
}

func TestRulesOfAProjectionAreKeptWithIt(t *testing.T) {
	b := setup(t)
	rules := warehouseRules(t, lineage.NamespaceRule{Case: lineage.CaseLower})
	b.complete(story{run: "r1", job: "load", inputs: []string{"A"}, outputs: []string{"B"}})
	b.replay("folded", rules, 1)

	active, err := projection.NewStore(b.pool).Active(b.ctx)
	require.NoError(t, err)
	require.Equal(t, rules.Revision(), active.NameRules)
	b.store = projection.NewStore(b.pool) // as a process that starts later
	b.complete(story{run: "r2", job: "report", inputs: []string{"b"}, outputs: []string{"C"}})
	b.fold(b.active, 1)
	require.Equal(t, []string{"a→b", "b→c"}, pairs(b.traverse(request(dataset("c"), projection.Upstream))))
}

func TestFoldUnderRulesIsTheSameHoweverTheLogIsCut(t *testing.T) {
	b := setup(t)
	rules := warehouseRules(t, lineage.NamespaceRule{Case: lineage.CaseLower})
	for i := range 6 {
		s := story{run: fmt.Sprint("r", i), job: "load", minute: i, inputs: []string{"A", "a", "b"}[i%3 : i%3+1], outputs: []string{"C", "c"}}
		s.kind = lineage.Complete
		b.tell(s)
		b.decide(s, "C", lineage.Complete, lineage.Published)
		b.decide(s, "c", lineage.Complete, []lineage.Publication{lineage.Published, lineage.Suspect, lineage.Rejected}[i%3])
	}
	var want projection.Digests
	for _, size := range []int{1, 4, len(b.log)} {
		shadow, err := b.store.Create(b.ctx, fmt.Sprint("shadow-", size), rules)
		require.NoError(t, err)
		b.fold(shadow.ID, size)
		digests, err := b.store.Digest(b.ctx, shadow.ID)
		require.NoError(t, err)
		if size == 1 {
			want = digests
		}
		require.Equal(t, want, digests, "in batches of %d", size)
	}
}

func TestAnyRawNameFindsTheNode(t *testing.T) {
	b := setup(t)
	b.complete(story{run: "r1", job: "load", inputs: []string{"A"}, outputs: []string{"B"}})
	b.replay("folded", warehouseRules(t, lineage.NamespaceRule{Case: lineage.CaseLower}), 1)
	require.Equal(t, []string{"a→b"}, pairs(b.traverse(request(dataset("B"), projection.Upstream))))
}

func TestOnlyNamespacesWithoutARuleAreProvisional(t *testing.T) {
	b := setup(t)
	b.complete(story{run: "r1", job: "load", inputs: []string{"A"}, outputs: []string{"s.B"}})
	b.fold(b.active, 1)
	require.Equal(t, []projection.Gap{{Kind: projection.ProvisionalNamespace, Namespace: "warehouse"}},
		b.traverse(request(dataset("s.B"), projection.Upstream)).Gaps)

	b.replay("shaped", warehouseRules(t, lineage.NamespaceRule{Shape: "schema.table"}), 1)
	loose := dataset("A")
	require.Equal(t, []projection.Gap{{Kind: projection.NameDoesNotFit, Node: &loose, Misfit: "does not have the 2 parts of schema.table"}},
		b.traverse(request(dataset("s.B"), projection.Upstream)).Gaps)
}

func TestFoldsUnderDifferentRulesAgreeInWhatWasSaid(t *testing.T) {
	b := setup(t)
	b.complete(story{run: "r1", job: "load", inputs: []string{"A", "a"}, outputs: []string{"B"}, jobFacets: map[string]any{
		"lineage": map[string]any{"entries": []any{map[string]any{
			"namespace": "warehouse", "name": "B", "type": "DATASET", "fields": map[string]any{
				"x": map[string]any{"inputs": []any{map[string]any{"namespace": "warehouse", "name": "A", "type": "DATASET", "field": "y"}}},
			},
		}}},
	}})
	b.stateFact(lineage.AliasRegistration{Alias: inWarehouse("B"), Of: inWarehouse("C")}, 1, "ana")
	b.stateFact(lineage.ManualEdge{From: inWarehouse("C"), To: inWarehouse("D")}, 2, "ana")
	b.stateFact(lineage.Withdrawal{Event: lineage.Sender{Producer: "test", EventID: "none"}}, 3, "ana")
	b.fold(b.active, len(b.log))
	plain, err := b.store.Digest(b.ctx, b.active)
	require.NoError(t, err)
	b.replay("folded", warehouseRules(t, lineage.NamespaceRule{Case: lineage.CaseLower}), 1)
	folded, err := b.store.Digest(b.ctx, b.active)
	require.NoError(t, err)
	require.Equal(t, plain.Raw, folded.Raw)
	require.NotEqual(t, plain.State, folded.State)

	b.tell(story{run: "r2", job: "load", kind: lineage.Start})
	b.fold(b.active, 1)
	more, err := b.store.Digest(b.ctx, b.active)
	require.NoError(t, err)
	require.NotEqual(t, folded.Raw, more.Raw)
}

package lineage_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"

	"github.com/headwater-data/headwater/lineage"
)

// inWarehouse are datasets in namespace w.
func inWarehouse(names ...string) []lineage.DatasetID {
	ids := make([]lineage.DatasetID, len(names))
	for i, name := range names {
		ids[i] = lineage.DatasetID{Namespace: "w", Name: name}
	}
	return ids
}

// knownUnder are raw names as rules have them.
func knownUnder(rules *lineage.NameRules, raw ...string) []lineage.KnownName {
	known := make([]lineage.KnownName, len(raw))
	for i, id := range inWarehouse(raw...) {
		known[i] = lineage.KnownName{Raw: id, Node: rules.Dataset(id)}
	}
	return known
}

func TestPlanShowsWhatBecomesOneAndWhatBecomesSeveral(t *testing.T) {
	lowerCase := rulesOf(t, lineage.NamespaceRule{Namespace: "w", Case: lineage.CaseLower, Shape: "schema.table"})
	raw := []string{"s.Orders", "s.orders", "s.ORDERS", "s.Items", "s.pay", "loose"}
	plan := lowerCase.Plan(nil, knownUnder(nil, raw...))
	require.Empty(t, cmp.Diff(lineage.NamePlan{
		Before: 6, After: 4,
		Merges:     []lineage.NameMerge{{Into: inWarehouse("s.orders")[0], From: inWarehouse("s.ORDERS", "s.Orders", "s.orders")}},
		Renames:    []lineage.NameRename{{From: inWarehouse("s.Items")[0], To: inWarehouse("s.items")[0]}},
		Unresolved: []lineage.Misfit{{DatasetID: inWarehouse("loose")[0], Reason: "does not have the 2 parts of schema.table"}},
	}, plan))

	back := (*lineage.NameRules)(nil).Plan(lowerCase, knownUnder(lowerCase, raw...))
	require.Empty(t, cmp.Diff(lineage.NamePlan{
		Before: 4, After: 6,
		Splits:   []lineage.NameSplit{{From: inWarehouse("s.orders")[0], Into: inWarehouse("s.ORDERS", "s.Orders", "s.orders")}},
		Renames:  []lineage.NameRename{{From: inWarehouse("s.items")[0], To: inWarehouse("s.Items")[0]}},
		Resolved: []lineage.NameRename{{From: inWarehouse("loose")[0], To: inWarehouse("loose")[0]}},
	}, back))
}

func TestPlanOfTheSameRulesIsEmpty(t *testing.T) {
	rules := allPresets(t)
	plan := rules.Plan(rules, knownUnder(rules, strings.Fields("a A a.b /x/dt=1")...))
	require.Equal(t, lineage.NamePlan{Before: 4, After: 4}, plan)
}

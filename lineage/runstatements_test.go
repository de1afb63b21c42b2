package lineage_test

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/headwater-data/headwater/lineage"
)

// TestDecisionsTakenInOneByOneGiveTheStatementsOfAll decides outputs of any run in any order, some of them again, under rules
// that unite some outputs.
func TestDecisionsTakenInOneByOneGiveTheStatementsOfAll(t *testing.T) {
	unlike := rulesOf(t, lineage.NamespaceRule{Namespace: "n", Staging: []string{"*_staging"}, Case: lineage.CaseLower})
	rapid.Check(t, func(rt *rapid.T) {
		names := rapid.SampledFrom([]*lineage.NameRules{nil, lower(t), unlike}).Draw(rt, "rules")
		contributions := drawnContributions.Draw(rt, "contributions")
		for i, c := range contributions {
			if len(c.Outputs) > 0 && rapid.Bool().Draw(rt, "in capitals") {
				contributions[i].Outputs = slices.Concat(c.Outputs, []lineage.DatasetID{{Namespace: "n", Name: "A"}})
			}
		}
		run := folded(contributions...)
		ruling, stating := run.ApplyDecisions(nil), run.StatementsUnder(names)
		got := map[lineage.Node][]lineage.Statement{}
		for output, statements := range stating.All() {
			got[output] = statements
		}
		var decisions []lineage.RecordedDecision
		for range rapid.IntRange(0, 6).Draw(rt, "decisions") {
			if len(run.Outputs) == 0 {
				break
			}
			decision := lineage.RecordedDecision{Recorded: lineage.Offset(len(decisions) + 1)}
			decision.Output = rapid.SampledFrom(run.Outputs).Draw(rt, "output").DatasetID
			decision.Basis = lineage.Position{Epoch: 1, Offset: lineage.Offset(rapid.IntRange(1, 3).Draw(rt, "basis"))}
			decision.EndType = rapid.SampledFrom([]lineage.EventType{"", run.EndType(), lineage.Abort}).Draw(rt, "end")
			decision.Publication = rapid.SampledFrom([]lineage.Publication{lineage.Published, lineage.Suspect, lineage.RolledBack}).Draw(rt, "publication")
			if decision.Publication == lineage.RolledBack {
				decision.Until = drawnTimes.Draw(rt, "until")
			}
			decision.Overtaken = rapid.IntRange(0, 3).Draw(rt, "overtaken") == 0
			decisions = append(decisions, decision)
			if run.ApplyDecision(ruling, decision) {
				output, statements := stating.Of(decision.Output)
				got[output] = statements
			}
		}

		whole := folded(contributions...)
		require.Equal(rt, whole.ApplyDecisions(decisions), ruling)
		requireEqualRuns(rt, whole, run)
		want := map[lineage.Node][]lineage.Statement{}
		for output, statements := range whole.StatementsUnder(names).All() {
			want[output] = statements
		}
		require.Empty(rt, cmp.Diff(want, got, cmp.AllowUnexported(lineage.Flow{}, lineage.Names{})))
	})
}

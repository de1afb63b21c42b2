package projection

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/headwater-data/headwater/lineage"
)

// TestDecisionOnOneOutputOfAWideRunFoldsThatOutputAlone counts allocations, as a measure of work that no other load disturbs.
func TestDecisionOnOneOutputOfAWideRunFoldsThatOutputAlone(t *testing.T) {
	rules, err := lineage.NewNameRules(lineage.NameRuleSet{Namespaces: []lineage.NamespaceRule{{Namespace: "warehouse", Case: lineage.CaseLower}}})
	require.NoError(t, err)
	for name, names := range map[string]*lineage.NameRules{"raw names": nil, "name rules": rules} {
		narrow, wide := allocationsOfADecision(t, 100, names), allocationsOfADecision(t, 1600, names)
		require.Less(t, wide, narrow+narrow/4, name)
	}
}

// allocationsOfADecision is how many allocations the fold of one decision takes, on a run with so many outputs.
func allocationsOfADecision(t *testing.T, outputs int, names *lineage.NameRules) float64 {
	t.Helper()
	at := time.Date(2026, 7, 19, 12, 0, 0, 0, time.UTC)
	end := fact{entry: lineage.Entry{Epoch: 1, Offset: 1}, event: lineage.Event{
		Kind: lineage.RunEvent, Run: lineage.RunKey{Job: lineage.JobID{Namespace: "spark", Name: "wide"}, RunID: "r"},
	}}
	end.contribution = lineage.Contribution{
		Type: lineage.Complete, EventTime: at, Moment: lineage.Moment{EffectiveAt: at, Key: lineage.HashOf("end")},
		Inputs: []lineage.DatasetID{{Namespace: "warehouse", Name: "raw"}},
	}
	for i := range outputs {
		end.contribution.Outputs = append(end.contribution.Outputs, lineage.DatasetID{Namespace: "warehouse", Name: fmt.Sprintf("OUT%04d", i)})
	}
	runs, changes := foldedRuns{}, &changes{names: names}
	runs.fold(end, true, &evidence{}, changes)
	decided := 0
	return testing.AllocsPerRun(50, func() {
		runs.fold(fact{entry: lineage.Entry{Epoch: 1, Offset: lineage.Offset(2 + decided)}, event: lineage.Event{
			Kind: lineage.PublicationDecidedEvent, Decision: lineage.Decision{
				Run: end.event.Run, Output: end.contribution.Outputs[decided], Basis: end.entry.Position(),
				EndType: lineage.Complete, Publication: lineage.Published, PolicyRevision: "1",
			},
		}}, true, &evidence{}, changes)
		decided++
	})
}

package lineage_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/headwater-data/headwater/lineage"
)

// held is the decision that orders waits for the gates commit and quality.
func held(end lineage.EventType) lineage.RecordedDecision {
	return lineage.RecordedDecision{Decision: lineage.Decision{
		Output: orders, Basis: lineage.Position{Epoch: 1, Offset: 1}, EndType: end, Publication: lineage.Pending, Gates: onBoth.Gates,
		Deadline: tenOClock.Add(70 * time.Minute),
	}, Recorded: 2}
}

func TestRunAwaitsItsGatesOnlyWhileNothingElseIsLeftToDecide(t *testing.T) {
	complete := wrote(lineage.Complete, 10)
	alsoWrites := complete
	alsoWrites.Outputs = []lineage.DatasetID{orders, ordersLake}
	heldBack := []lineage.RecordedDecision{held(lineage.Complete)}
	for name, test := range map[string]struct {
		said    []lineage.Contribution
		decided []lineage.RecordedDecision
		want    bool
	}{
		"decided to wait":                      {[]lineage.Contribution{complete}, heldBack, true},
		"one gate of two answered":             {[]lineage.Contribution{complete, marked(lineage.Committed, 12, "")}, heldBack, true},
		"under way":                            {[]lineage.Contribution{wrote(lineage.Running, 10)}, []lineage.RecordedDecision{held("")}, false},
		"not decided yet":                      {[]lineage.Contribution{complete}, nil, false},
		"all gates answered":                   {[]lineage.Contribution{complete, marked(lineage.Committed, 12, ""), marked(lineage.Passed, 13, "quality")}, heldBack, false},
		"a gate failed":                        {[]lineage.Contribution{complete, marked(lineage.Failed, 12, "quality")}, heldBack, false},
		"time is up":                           {[]lineage.Contribution{complete, marked(lineage.TimedOut, 70, "")}, heldBack, false},
		"it failed since":                      {[]lineage.Contribution{complete, wrote(lineage.Fail, 20)}, heldBack, false},
		"another output is not decided at all": {[]lineage.Contribution{alsoWrites}, heldBack, false},
	} {
		t.Run(name, func(t *testing.T) {
			run := folded(test.said...)
			run.ApplyDecisions(test.decided)
			require.Equal(t, test.want, run.AwaitsGates(test.decided))
		})
	}
}

package lineage_test

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/headwater-data/headwater/lineage"
)

// lower unites the datasets A and a of namespace n.
func lower(t testing.TB) *lineage.NameRules {
	t.Helper()
	return rulesOf(t, lineage.NamespaceRule{Namespace: "n", Case: lineage.CaseLower})
}

func TestNamesThatRulesUniteAreOneInputAndOneOutput(t *testing.T) {
	run := published(said(lineage.Start, 0, "A", "C"), said(lineage.Complete, 1, "a", "c"))
	require.Equal(t, []string{"a -> c"}, edges(run.Under(lower(t)).Statements()))
	require.Len(t, run.Outputs, 2, "the run itself stays raw")
	require.Same(t, run, run.Under(nil))
}

func TestRulesHoldInLineageFacetsToo(t *testing.T) {
	end := said(lineage.Complete, 0, "AB", "CDE")
	end.Columns = []lineage.Pairs{fed("c", "a"), fed("D", "b")}
	end.Explicit = []lineage.Pairs{fed("e", "b")}
	require.Equal(t, []string{"a -> c", "b -> d", "b -> e"}, edges(published(end).Under(lower(t)).Statements()))
}

func TestStatementIsTheUnionOfTheVisibleRawOutputs(t *testing.T) {
	end := said(lineage.Complete, 0, "", "Cc")
	end.Columns = []lineage.Pairs{fed("C", "A"), fed("c", "B")}
	rolledBack, later := tenOClock.Add(time.Hour), tenOClock.Add(2*time.Hour)
	for _, test := range []struct {
		upper, lower lineage.Output
		edges        []string
		publication  lineage.Publication
		until        time.Time
	}{
		{lineage.Output{Publication: lineage.Published}, lineage.Output{Publication: lineage.Published}, []string{"a -> c", "b -> c"}, lineage.Published, lineage.Forever},
		{lineage.Output{Publication: lineage.Published}, lineage.Output{Publication: lineage.Suspect}, []string{"a -> c", "b -> c"}, lineage.Suspect, lineage.Forever},
		{lineage.Output{Publication: lineage.Suspect}, lineage.Output{Publication: lineage.Pending}, []string{"a -> c"}, lineage.Suspect, lineage.Forever},
		{lineage.Output{Publication: lineage.Rejected}, lineage.Output{Publication: lineage.Published}, []string{"b -> c"}, lineage.Published, lineage.Forever},
		{lineage.Output{Publication: lineage.RolledBack, Until: rolledBack}, lineage.Output{Publication: lineage.Published}, []string{"b -> c"}, lineage.Published, lineage.Forever},
		{lineage.Output{Publication: lineage.RolledBack, Until: rolledBack}, lineage.Output{Publication: lineage.RolledBack, Until: later}, []string{"a -> c", "b -> c"}, lineage.RolledBack, later},
	} {
		run := published(end)
		for i, decided := range []lineage.Output{test.upper, test.lower} {
			run.Outputs[i].Publication, run.Outputs[i].Until = decided.Publication, decided.Until
		}
		statements := run.Under(lower(t)).Statements()
		require.Len(t, statements, 1)
		require.Equal(t, test.edges, edges(statements))
		require.Equal(t, test.publication, statements[0].Publication)
		require.Equal(t, test.until, statements[0].Until)
	}
}

func TestInputOfAnOutputThatDoesNotCountIsNoSink(t *testing.T) {
	end := said(lineage.Complete, 0, "AB", "Cc")
	end.Columns = []lineage.Pairs{fed("C", "A"), fed("c", "B")}
	run := published(end)
	run.Outputs[1].Publication = lineage.Pending
	require.Equal(t, []string{"a -> c"}, edges(run.Under(lower(t)).Statements()))
}

func TestRawNameWithoutColumnLineageDoesNotBlurTheOthers(t *testing.T) {
	end := said(lineage.Complete, 0, "AB", "CcD")
	end.Columns = []lineage.Pairs{fed("C", "A"), fed("D", "B")}
	statements := published(end).Under(lower(t)).Statements()
	require.Equal(t, []string{"a -> c", "b -> d"}, edges(statements))
	require.Equal(t, lineage.ByColumnLineage, statements[0].Derivation)
}

// Whether names are folded in the events or in the run that they give is the same, as far as facets do not replace what
// others say.
func TestRunUnderRulesIsTheRunOfEventsUnderRules(t *testing.T) {
	rules := lower(t)
	rapid.Check(t, func(t *rapid.T) {
		letters := func(of, label string) string {
			return strings.Join(rapid.SliceOfN(rapid.SampledFrom(strings.Split(of, "")), 0, 3).Draw(t, label), "")
		}
		stream := rapid.Bool().Draw(t, "stream")
		var raw, folded []lineage.Contribution
		for minute := range rapid.IntRange(1, 5).Draw(t, "events") {
			c := said(lineage.Complete, minute, letters("ABab", "inputs"), letters("CDcd", "outputs"))
			if stream {
				c.Type, c.Mode = lineage.Running, lineage.Streaming
				if target := letters("CDcd", "target"); target != "" {
					c.Explicit = []lineage.Pairs{fed(target, letters("ABab", "sources"))}
				}
			}
			raw, folded = append(raw, c), append(folded, inLowerCase(c))
		}
		got, want := published(raw...).Under(rules).Statements(), published(folded...).Statements()
		require.Empty(t, cmp.Diff(want, got, cmp.Comparer(func(a, b *lineage.Flow) bool { return a.ID() == b.ID() })))
	})
}

// inLowerCase is the contribution of an event that names datasets in lower case.
func inLowerCase(c lineage.Contribution) lineage.Contribution {
	ids := func(raw []lineage.DatasetID) (lowered []lineage.DatasetID) {
		for _, id := range raw {
			lowered = append(lowered, named(strings.ToLower(id.Name))[0])
		}
		return lowered
	}
	c.Inputs, c.Outputs = ids(c.Inputs), ids(c.Outputs)
	explicit := c.Explicit
	c.Explicit = nil
	for _, pairs := range explicit {
		inputs := ""
		for _, input := range pairs.Inputs {
			inputs += strings.ToLower(input.Name)
		}
		c.Explicit = append(c.Explicit, fed(strings.ToLower(pairs.Target.Name), inputs))
	}
	return c
}

package lineage_test

import (
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/headwater-data/headwater/lineage"
)

// statesOf lets an event state a column map of an output, known by a letter.
func statesOf(output string, c lineage.Contribution, letter string, derivation lineage.Derivation) lineage.Contribution {
	c.Maps = append(slices.Clone(c.Maps), lineage.StatedMap{Output: named(output)[0], Map: lineage.HashOf(letter), Derivation: derivation})
	return c
}

// partsOf are the maps that a run under rules states of its only output, by hash; none where it states nothing of columns.
func partsOf(t *testing.T, run *lineage.Run) []lineage.Hash {
	t.Helper()
	statements := columnStatements(run.Under(lower(t)))
	if len(statements) == 0 {
		return nil
	}
	require.Len(t, statements, 1)
	if union, several := statements[0].Content.(*lineage.ColumnMapUnion); several {
		return union.Parts
	}
	return []lineage.Hash{statements[0].Content.ID()}
}

func TestColumnsAreTheUnionOfThoseOfTheVisibleRawOutputs(t *testing.T) {
	end := statesOf("C", said(lineage.Complete, 0, "A", "Cc"), "upper", lineage.ByColumnLineage)
	end = statesOf("c", end, "lower", lineage.ByColumnLineage)
	upper, lowered := lineage.HashOf("upper"), lineage.HashOf("lower")
	rolledBack := lineage.Output{Publication: lineage.RolledBack, Until: tenOClock.Add(time.Hour)}
	for _, test := range []struct {
		name         string
		upper, lower lineage.Output
		parts        []lineage.Hash
	}{
		{"both are published", lineage.Output{Publication: lineage.Published}, lineage.Output{Publication: lineage.Published}, []lineage.Hash{upper, lowered}},
		{"one is suspect", lineage.Output{Publication: lineage.Suspect}, lineage.Output{Publication: lineage.Published}, []lineage.Hash{upper, lowered}},
		{"one is rejected", lineage.Output{Publication: lineage.Published}, lineage.Output{Publication: lineage.Rejected}, []lineage.Hash{upper}},
		{"one is undecided", lineage.Output{Publication: lineage.Pending}, lineage.Output{Publication: lineage.Published}, []lineage.Hash{lowered}},
		{"one was rolled back", rolledBack, lineage.Output{Publication: lineage.Published}, []lineage.Hash{lowered}},
		{"both were rolled back", rolledBack, rolledBack, []lineage.Hash{upper, lowered}},
		{"none is visible", lineage.Output{Publication: lineage.Rejected}, lineage.Output{Publication: lineage.Pending}, nil},
	} {
		t.Run(test.name, func(t *testing.T) {
			run := published(end)
			for i, decided := range []lineage.Output{test.upper, test.lower} {
				run.Outputs[i].Publication, run.Outputs[i].Until = decided.Publication, decided.Until
			}
			require.ElementsMatch(t, test.parts, partsOf(t, run))
		})
	}
}

func TestMapThatAllRawOutputsStateIsNoUnion(t *testing.T) {
	end := statesOf("c", statesOf("C", said(lineage.Complete, 0, "A", "Cc"), "same", lineage.ByColumnLineage), "same", lineage.ByColumnLineage)
	require.Equal(t, []lineage.Hash{lineage.HashOf("same")}, partsOf(t, published(end)))
}

func TestEachRawOutputGivesTheUnionTheMapThatItStatedLast(t *testing.T) {
	first := statesOf("c", statesOf("C", said(lineage.Start, 0, "A", "Cc"), "old", lineage.ByColumnLineage), "lower", lineage.ByColumnLineage)
	last := statesOf("C", said(lineage.Complete, 5, "", ""), "new", lineage.ByColumnLineage)
	require.ElementsMatch(t, []lineage.Hash{lineage.HashOf("new"), lineage.HashOf("lower")}, partsOf(t, published(last, first)))
}

func TestLineageFacetOfOneRawOutputBeatsColumnLineageOfAnother(t *testing.T) {
	end := statesOf("c", statesOf("C", said(lineage.Complete, 0, "A", "Cc"), "facet", lineage.ByColumnLineage), "explicit", lineage.ExplicitPair)
	require.Equal(t, []lineage.Hash{lineage.HashOf("explicit")}, partsOf(t, published(end)))
}

func TestSchemaOfARawOutputThatIsNotVisibleIsNotStated(t *testing.T) {
	end := said(lineage.Complete, 0, "A", "Cc")
	end.Schemas = []lineage.StatedSchema{{Dataset: named("C")[0], Schema: lineage.HashOf("visible")}}
	late := said(lineage.Other, 1, "", "")
	late.Schemas = []lineage.StatedSchema{{Dataset: named("c")[0], Schema: lineage.HashOf("rejected")}}
	run := published(end, late)
	run.Outputs[1].Publication = lineage.Rejected
	for _, s := range run.Under(lower(t)).Statements() {
		if s.Content.Level() == lineage.SchemaLevel {
			require.Equal(t, lineage.HashOf("visible"), s.Content.ID())
		}
	}
}

func TestUnionIsTheSameInWhateverOrderItsPartsWereStated(t *testing.T) {
	rules := lower(t)
	rapid.Check(t, func(t *rapid.T) {
		letters := rapid.SliceOfN(rapid.SampledFrom([]string{"x", "y", "z"}), 2, 4).Draw(t, "maps")
		var events []lineage.Contribution
		for i, letter := range letters {
			c := said(lineage.Complete, i, "A", "")
			output := string("CcDd"[i])
			c.Outputs = named(output)
			events = append(events, statesOf(output, c, letter, lineage.ByColumnLineage))
		}
		want := columnStatements(published(events...).Under(rules))
		got := columnStatements(published(rapid.Permutation(events).Draw(t, "order")...).Under(rules))
		require.Equal(t, want, got)
	})
}

package lineage_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/headwater-data/headwater/lineage"
)

// states lets an event state a column map of output C, known by a letter.
func states(c lineage.Contribution, letter string, derivation lineage.Derivation) lineage.Contribution {
	c.Maps = append(c.Maps, lineage.StatedMap{Output: named("C")[0], Map: lineage.HashOf(letter), Derivation: derivation})
	return c
}

// columnStatements are the statements of columns.
func columnStatements(run *lineage.Run) []lineage.Statement {
	var list []lineage.Statement
	for _, s := range run.Statements() {
		if s.Content.Level() == lineage.ColumnLevel {
			list = append(list, s)
		}
	}
	return list
}

func TestRunStatesItsLastColumnMapAtItsEnd(t *testing.T) {
	start := states(said(lineage.Start, 0, "A", "C"), "first", lineage.ByColumnLineage)
	running := states(said(lineage.Running, 3, "", ""), "last", lineage.ByColumnLineage)
	late := states(said(lineage.Running, 1, "", ""), "between", lineage.ByColumnLineage)
	run := published(start, running, said(lineage.Complete, 5, "", ""), late)
	statements := columnStatements(run)
	require.Len(t, statements, 1)
	s := statements[0]
	require.Equal(t, lineage.HashOf("last"), s.Content.ID())
	require.Equal(t, lineage.ByColumnLineage, s.Derivation)
	require.Equal(t, tenOClock.Add(5*time.Minute), s.EffectiveAt)
	require.True(t, s.Speaks)
	require.Equal(t, lineage.Published, s.Publication)
	require.NotEqual(t, s.TimelineID(), run.Statements()[0].TimelineID(), "columns have a timeline of their own")
}

func TestLineageFacetBeatsColumnLineageOfTheOutput(t *testing.T) {
	explicit := states(said(lineage.Start, 0, "A", "C"), "explicit", lineage.ExplicitPair)
	facet := states(said(lineage.Complete, 5, "", ""), "facet", lineage.ByColumnLineage)
	for _, run := range []*lineage.Run{published(explicit, facet), published(facet, explicit)} {
		statements := columnStatements(run)
		require.Len(t, statements, 1)
		require.Equal(t, lineage.HashOf("explicit"), statements[0].Content.ID())
		require.Equal(t, lineage.ExplicitPair, statements[0].Derivation)
	}
}

func TestRunWithoutColumnLineageStatesNothingOfColumns(t *testing.T) {
	require.Empty(t, columnStatements(published(said(lineage.Complete, 5, "A", "C"))))
	failed := published(states(said(lineage.Fail, 5, "A", "C"), "x", lineage.ByColumnLineage))
	require.Empty(t, columnStatements(failed), "what is not visible states nothing")
}

func TestStreamStatesEachColumnMapOnce(t *testing.T) {
	run := published(
		states(streamed(0, "A", "C"), "x", lineage.ByColumnLineage), states(streamed(1, "", ""), "y", lineage.ByColumnLineage),
		states(streamed(2, "", ""), "x", lineage.ByColumnLineage), states(streamed(3, "", ""), "y", lineage.ByColumnLineage),
	)
	statements := columnStatements(run)
	require.Len(t, statements, 2)
	require.Equal(t, lineage.HashOf("x"), statements[0].Content.ID())
	require.Equal(t, tenOClock, statements[0].EffectiveAt)
	require.Equal(t, lineage.HashOf("y"), statements[1].Content.ID())
	require.Equal(t, tenOClock.Add(time.Minute), statements[1].EffectiveAt)
	require.Equal(t, "RUNNING10:01:00", statements[1].Sender.EventID)
}

func TestColumnMapsFollowNameRules(t *testing.T) {
	rules, err := lineage.NewNameRules(lineage.NameRuleSet{Namespaces: []lineage.NamespaceRule{{Namespace: "n", Case: lineage.CaseUpper}}})
	require.NoError(t, err)
	contribution, _ := contributed(t, withOutputFacets(t, `"columnLineage": {"fields": {"x": {"inputFields": [`+from("i", identity)+`]}}}`))
	contribution.NameMaps(rules)
	require.Equal(t, []string{"x <- A.I direct IDENTITY"}, mapped(onlyMap(t, contribution)))
}

func TestColumnsThatDifferOnlyInCaseAreOneWhereNamesAreFolded(t *testing.T) {
	facet := `"columnLineage": {"fields": {"Id": {"inputFields": [` + from("Key", identity) + `]}, "ID": {"inputFields": [` + from("key", identity) + `, ` + from("other", identity) + `]},
		"Lines._ELEMENT.` + "`Sum(x)`" + `": {"inputFields": []}}}`
	under := func(columns lineage.NameCase) []string {
		rules, err := lineage.NewNameRules(lineage.NameRuleSet{Namespaces: []lineage.NamespaceRule{{Namespace: "s3://lake", Columns: columns}, {Namespace: "n", Case: columns}}})
		require.NoError(t, err)
		contribution, _ := contributed(t, withOutputFacets(t, facet))
		contribution.NameMaps(rules)
		return mapped(onlyMap(t, contribution))
	}
	require.Equal(t, []string{"id <- a.key direct IDENTITY", "id <- a.other direct IDENTITY", "lines[].`sum(x)` <-"}, under(lineage.CaseLower))
	require.Equal(t, []string{"ID <- A.KEY direct IDENTITY", "ID <- A.OTHER direct IDENTITY", "LINES._ELEMENT.`SUM(X)` <-"}, under(lineage.CaseUpper))
	require.Len(t, under(lineage.CasePreserve), 4)
}

func TestDeclarationsStateColumnMaps(t *testing.T) {
	document := []byte(`{"eventTime": "2024-06-01T10:00:00Z", "job": {"namespace": "n", "name": "j"}, "inputs": [{"namespace": "n", "name": "a"}],
		"outputs": [{"namespace": "n", "name": "v", "facets": {"columnLineage": {"fields": {"x": {"inputFields": [` + from("i", identity) + `]}}}}}]}`)
	contribution, _ := contributed(t, document)
	statements := lineage.DeclaredStatements(lineage.JobID{Namespace: "n", Name: "j"}, contribution, nil)
	require.Len(t, statements, 2)
	require.Equal(t, onlyMap(t, contribution).ID(), statements[1].Content.ID())
	require.Equal(t, lineage.Declared, statements[1].Origin)
}

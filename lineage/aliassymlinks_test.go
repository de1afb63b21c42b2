package lineage_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/headwater-data/headwater/lineage"
)

var (
	drawnSymlink = rapid.Custom(func(t *rapid.T) lineage.Symlink {
		return lineage.Symlink{DatasetID: drawnDatasets.Draw(t, "identifier"), Location: rapid.Bool().Draw(t, "location")}
	})
	drawnSymlinks = rapid.SliceOfNDistinct(rapid.Custom(func(t *rapid.T) lineage.Symlinks {
		return lineage.Symlinks{DatasetID: drawnDatasets.Draw(t, "dataset"), Identifiers: rapid.SliceOfN(drawnSymlink, 0, 1).Draw(t, "symlinks")}
	}), 0, 2, func(s lineage.Symlinks) lineage.DatasetID { return s.DatasetID })
)

// symlinked is the facets member of a dataset with identifiers "namespace name type".
func symlinked(identifiers ...string) string {
	var list []string
	for _, identifier := range identifiers {
		words := strings.Fields(identifier)
		list = append(list, fmt.Sprintf(`{"namespace": %q, "name": %q, "type": %q}`, words[0], words[1], words[2]))
	}
	return `"symlinks": {"identifiers": [` + strings.Join(list, ",") + `]}`
}

// aliases writes what the statements of the alias level call datasets, as "from: name = of".
func aliases(statements []lineage.Statement) []string {
	var list []string
	for _, statement := range statements {
		names, ok := statement.Content.(*lineage.Names)
		if !ok {
			continue
		}
		said := []string{}
		for _, alias := range names.Aliases {
			said = append(said, fmt.Sprintf("%s %s = %s %s", alias.Name.Namespace, alias.Name.Name, alias.Of.Namespace, alias.Of.Name))
		}
		list = append(list, fmt.Sprintf("%s: %s", statement.EffectiveAt.Format("15:04"), strings.Join(said, ", ")))
	}
	return list
}

// called gives the statements of a run of events, each a minute after the one before, by their facets of the output.
func called(t testing.TB, eventType lineage.EventType, facets ...string) []string {
	t.Helper()
	run := lineage.Run{Key: loadOrdersRun}
	for i, facet := range facets {
		document := edited(t, string(withOutputFacets(t, facet)), `"COMPLETE"`, `"`+string(eventType)+`"`, "T10:00", fmt.Sprintf("T10:%02d", i))
		contribution, _ := contributed(t, document)
		run.Add(contribution)
	}
	return aliases(run.Statements())
}

func TestSymlinkCountsWhateverBecomesOfTheRun(t *testing.T) {
	for _, eventType := range []lineage.EventType{lineage.Start, lineage.Fail, lineage.Complete, lineage.Other} {
		require.Equal(t, []string{"10:00: hive://ms db.orders = s3://lake orders"}, called(t, eventType, symlinked("hive://ms db.orders TABLE")), eventType)
	}
}

func TestTableStandsForItsLocationWhicheverNamesTheOther(t *testing.T) {
	require.Equal(t, []string{"10:00: s3://lake orders = file /data/orders"}, called(t, lineage.Complete, symlinked("file /data/orders location")))
}

func TestRunSaysEachFacetOnce(t *testing.T) {
	table, other := symlinked("hive://ms a TABLE"), symlinked("hive://ms b TABLE")
	a, b := "hive://ms a = s3://lake orders", "hive://ms b = s3://lake orders"
	require.Equal(t, []string{"10:00: " + a}, called(t, lineage.Running, table, table, table))
	require.Equal(t, []string{"10:00: " + a}, called(t, lineage.Running, table, "", `"symlinks": {"identifiers": []}`), "an empty facet says nothing")
	require.Equal(t, []string{"10:00: " + a, "10:01: " + b}, called(t, lineage.Running, table, other))
}

func TestIdentifierThatNamesNothingCostsItselfAndAWarning(t *testing.T) {
	contribution, warnings := contributed(t, withOutputFacets(t,
		`"symlinks": {"identifiers": [{"namespace": "", "name": "x", "type": "TABLE"}, {"namespace": "hive://ms", "name": "x"}]}`))
	require.Equal(t, []lineage.Symlinks{{DatasetID: ordersLake, Identifiers: []lineage.Symlink{{DatasetID: lineage.DatasetID{Namespace: "hive://ms", Name: "x"}}}}}, contribution.Symlinks)
	require.Len(t, warnings, 1)
	require.Equal(t, "outputs[0].facets.symlinks", warnings[0].Path)
}

func TestDatasetCannotBeGivenNamesWithoutEnd(t *testing.T) {
	var many []string
	for i := range 101 {
		many = append(many, fmt.Sprintf("hive://ms t%03d TABLE", i))
	}
	contribution, warnings := contributed(t, withOutputFacets(t, symlinked(many...)))
	require.Len(t, contribution.Symlinks[0].Identifiers, 100)
	require.Equal(t, "too_many_symlinks", warnings[0].Code)
}

func TestSymlinksOfADatasetEventFollowThoseOfRuns(t *testing.T) {
	declared := declare(t, []byte(`{"eventTime": "2024-06-01T11:00:00Z", "dataset": {"namespace": "s3://lake", "name": "orders",
		"facets": {`+symlinked("hive://ms db.orders TABLE")+`}}}`), "1")
	require.Equal(t, []string{"11:00: hive://ms db.orders = s3://lake orders"}, aliases(declared))
	contribution, _ := contributed(t, withOutputFacets(t, symlinked("hive://ms db.orders TABLE")))
	of := func(statements []lineage.Statement) *lineage.Statement { return &statements[len(statements)-1] }
	observed := of(folded(contribution).Statements())
	require.Equal(t, of(declared).TimelineID(), observed.TimelineID())
	require.Equal(t, of(declared).Content.ID(), observed.Content.ID())
}

func TestSymlinksOfARunAreTheSameInAnyOrder(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		contributions := drawnContributions.Draw(t, "contributions")
		want := folded(contributions...).Statements()
		require.Equal(t, aliases(want), aliases(folded(rapid.Permutation(contributions).Draw(t, "order")...).Statements()))
	})
}

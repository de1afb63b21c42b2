package lineage_test

import (
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/headwater-data/headwater/lineage"
)

var drawnRenames = rapid.Custom(func(t *rapid.T) lineage.StatedRename {
	return lineage.StatedRename{Dataset: drawnDatasets.Draw(t, "dataset"), Previous: drawnDatasets.Draw(t, "previous")}
})

const renamed = `"lifecycleStateChange": {"lifecycleStateChange": "RENAME", "previousIdentifier": {"namespace": "s3://lake", "name": "orders_old"}}`

func TestRenamingCountsOnceItsRunDoes(t *testing.T) {
	contribution, warnings := contributed(t, withOutputFacets(t, renamed))
	require.Empty(t, warnings)
	require.Empty(t, aliases(folded(contribution).Statements()), "nothing is decided yet")
	require.Equal(t, []string{"10:00: s3://lake orders_old = s3://lake orders"}, aliases(published(contribution).Statements()))
	contribution.Type = lineage.Fail
	require.Empty(t, aliases(folded(contribution).Statements()), "a renaming that failed")
}

func TestRenamingInADatasetEventCountsAtOnce(t *testing.T) {
	require.Equal(t, []string{"11:00: s3://lake orders_old = s3://lake orders"}, aliases(declare(t, []byte(
		`{"eventTime": "2024-06-01T11:00:00Z", "dataset": {"namespace": "s3://lake", "name": "orders", "facets": {`+renamed+`}}}`), "1")))
}

func TestRenamingFromNowhereCostsItselfAndAWarning(t *testing.T) {
	contribution, warnings := contributed(t, withOutputFacets(t, `"lifecycleStateChange": {"lifecycleStateChange": "RENAME"}`))
	require.Empty(t, contribution.Renames)
	require.Len(t, warnings, 1)
	require.Equal(t, "outputs[0].facets.lifecycleStateChange", warnings[0].Path)
}

func TestRulesHoldInWhatDatasetsAreCalled(t *testing.T) {
	rename := said(lineage.Complete, 0, "", "C")
	rename.Renames = []lineage.StatedRename{{Dataset: lineage.DatasetID{Namespace: "n", Name: "C"}, Previous: lineage.DatasetID{Namespace: "n", Name: "B"}}}
	rename.Symlinks = []lineage.Symlinks{{
		DatasetID:   lineage.DatasetID{Namespace: "n", Name: "C"},
		Identifiers: []lineage.Symlink{{DatasetID: lineage.DatasetID{Namespace: "n", Name: "D"}}},
	}}
	require.ElementsMatch(t, []string{"10:00: n b = n c", "10:00: n d = n c"}, aliases(published(rename).Under(lower(t)).Statements()))
}

func TestRunThatOnlyRenamesWritesNothing(t *testing.T) {
	flows := func(document []byte) (flows int) {
		contribution, _ := contributed(t, document)
		for _, statement := range published(contribution).Statements() {
			if statement.Flow() != nil {
				flows++
			}
		}
		return flows
	}
	renaming := withOutputFacets(t, renamed)
	require.Equal(t, 1, flows(renaming), "what it makes of its inputs it writes")
	require.Zero(t, flows(edited(t, string(renaming), inputsMember+",", "")))
}

package lineage_test

import (
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/headwater-data/headwater/lineage"
)

// changing is the run of some minutes after ten that says a change of the existence of its input.
func changing(t *testing.T, eventType, minutes, change string) lineage.Contribution {
	t.Helper()
	c, warnings := contributed(t, edited(t, completeRun, `"COMPLETE"`, `"`+eventType+`"`, "10:00:00Z", "10:"+minutes+":00Z",
		inputsMember, `"inputs": [{"namespace": "gs://bucket", "name": "staging", "facets": {"lifecycleStateChange": {"lifecycleStateChange": "`+change+`"}}}]`))
	require.Empty(t, warnings)
	return c
}

// lives are what statements say of the existence of datasets, as "time name life".
func lives(statements []lineage.Statement) []string {
	var list []string
	for _, s := range ofLevel(statements, lineage.LifeLevel) {
		list = append(list, s.EffectiveAt.Format("15:04")+" "+s.Output.Name+" "+string(s.Content.(lineage.Life)))
	}
	return list
}

func TestRunThatCompletesDropsAndCreatesItsInputs(t *testing.T) {
	dropping := folded(changing(t, "START", "01", "drop"), changing(t, "COMPLETE", "04", "OVERWRITE")).Statements()
	require.Equal(t, []string{"10:04 staging DROP"}, lives(dropping), "whatever becomes of its outputs")
	schema := ofLevel(dropping, lineage.SchemaLevel)
	require.Len(t, schema, 1)
	require.Zero(t, schema[0].Content.ID())
	require.Equal(t, []string{"10:01 staging CREATE"}, lives(folded(changing(t, "COMPLETE", "01", "CREATE")).Statements()))
}

func TestRunThatDidNotCompleteDropsNoInput(t *testing.T) {
	for _, eventType := range []string{"START", "RUNNING", "FAIL", "ABORT", "OTHER"} {
		require.Empty(t, lives(folded(changing(t, eventType, "01", "DROP")).Statements()), eventType)
	}
	failing := folded(changing(t, "COMPLETE", "01", "DROP"), changing(t, "FAIL", "02", "DROP"))
	require.Empty(t, lives(failing.Statements()), "as its end has it that holds")
}

func TestWhatARunSaidLastOfTheExistenceOfAnInputHoldsInAnyOrder(t *testing.T) {
	events := []lineage.Contribution{changing(t, "START", "01", "DROP"), changing(t, "RUNNING", "02", "CREATE"), changing(t, "COMPLETE", "03", "DROP")}
	rapid.Check(t, func(t *rapid.T) {
		run := folded(rapid.Permutation(events).Draw(t, "order")...)
		require.Equal(t, []string{"10:03 staging DROP"}, lives(run.Statements()))
	})
}

func TestExistenceOfAnInputThatIsAnOutputTooFollowsTheOutput(t *testing.T) {
	c := changing(t, "COMPLETE", "01", "DROP")
	c.Outputs = append(c.Outputs, c.Inputs...)
	require.Empty(t, lives(published(c).Statements()))
}

func TestRenamingOfAnInputSaysNothingButAWarning(t *testing.T) {
	contribution, warnings := contributed(t, edited(t, completeRun,
		inputsMember, `"inputs": [{"namespace": "s3://lake", "name": "orders", "facets": {`+renamed+`}}]`))
	require.Empty(t, contribution.Renames)
	require.Empty(t, contribution.InputLives)
	require.Len(t, warnings, 1)
	require.Equal(t, "inputs[0].facets.lifecycleStateChange", warnings[0].Path)
}

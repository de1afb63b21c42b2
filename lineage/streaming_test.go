package lineage_test

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/headwater-data/headwater/lineage"
)

// streamed is what an event of a streaming run says.
func streamed(minutes int, inputs, outputs string) lineage.Contribution {
	c := said(lineage.Running, minutes, inputs, outputs)
	c.Mode = lineage.Streaming
	return c
}

func TestStreamMakesAStatementForEachDistinctContent(t *testing.T) {
	statements := published(streamed(0, "A", "C"), streamed(1, "", "C"), streamed(2, "A", "C"), streamed(3, "B", "C"), streamed(4, "AB", "C")).Statements()
	require.Len(t, statements, 2)
	require.Equal(t, []string{"A -> C"}, edges(statements[:1]))
	require.Equal(t, tenOClock, statements[0].EffectiveAt)
	require.Equal(t, "RUNNING10:00:00", statements[0].Sender.EventID)
	require.Equal(t, []string{"A -> C", "B -> C"}, edges(statements[1:]))
	require.Equal(t, tenOClock.Add(3*time.Minute), statements[1].EffectiveAt)
	require.Equal(t, "RUNNING10:03:00", statements[1].Sender.EventID)
}

func TestRepeatedEventsOfAStreamChangeNoStatement(t *testing.T) {
	first := streamed(0, "A", "C")
	first.Columns, first.Explicit = []lineage.Pairs{fed("C", "A")}, []lineage.Pairs{fed("D", "A")}
	run := published(first)
	want := run.Statements()
	for minute := 1; minute < 100; minute++ {
		again := streamed(minute, "A", "C")
		again.Columns, again.Explicit = first.Columns, first.Explicit
		run.Add(again)
		publish(run)
	}
	require.Empty(t, cmp.Diff(want, run.Statements(), cmp.AllowUnexported(lineage.Flow{}, lineage.Names{})))
	require.Len(t, run.Witnesses, 1, "a run of any length keeps few events")
}

func TestFacetsOfAStreamAddUp(t *testing.T) {
	first, second := streamed(0, "AB", "C"), streamed(5, "", "")
	first.Columns, second.Columns = []lineage.Pairs{fed("C", "A")}, []lineage.Pairs{fed("C", "X")}
	statements := published(second, first).Statements()
	require.Len(t, statements, 2)
	require.Equal(t, []string{"A -> C", "B -> C"}, edges(statements[:1]))
	require.Equal(t, []string{"A -> C", "B -> C", "X -> C"}, edges(statements[1:]))
}

func TestStreamSaysLaterThatAnOutputHasNoInputs(t *testing.T) {
	first, second := streamed(0, "", "C"), streamed(5, "", "")
	second.Explicit = []lineage.Pairs{fed("C", "")}
	statements := published(first, second).Statements()
	require.Len(t, statements, 2, "the same inputs, none, but now on purpose")
	require.False(t, statements[0].Speaks)
	require.True(t, statements[1].Speaks)
}

func TestEndOfAStreamTakesNothingBack(t *testing.T) {
	failed := said(lineage.Fail, 9, "", "")
	require.Equal(t, []string{"A -> C"}, edges(published(streamed(0, "A", "C"), failed).Statements()))
}

func TestStreamThatWritesLaterWasNoSinkBefore(t *testing.T) {
	require.Equal(t, []string{"A -> [shop.load_orders]"}, edges(published(streamed(0, "A", "")).Statements()))
	require.Equal(t, []string{"A -> C"}, edges(published(streamed(0, "A", ""), streamed(1, "", "C")).Statements()))
}

func TestWhatAStreamSaysLaterChangesNothingOfWhatItSaidBefore(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		contributions := drawnContributions.Draw(t, "contributions")
		for i := range contributions {
			contributions[i].Mode = lineage.Streaming
			contributions[i].JobVersion = ""
		}
		until := drawnTimes.Draw(t, "until")
		var early []lineage.Contribution
		for _, c := range contributions {
			if !c.EffectiveAt.After(until) {
				early = append(early, c)
			}
		}
		want := onDatasets(published(early...).Statements(), until)
		got := onDatasets(published(contributions...).Statements(), until)
		require.Empty(t, cmp.Diff(want, got, cmp.AllowUnexported(lineage.Flow{}, lineage.Names{})))
	})
}

// onDatasets leaves out the statements that end in a job or were made after a time.
func onDatasets(statements []lineage.Statement, until time.Time) []lineage.Statement {
	var kept []lineage.Statement
	for _, statement := range statements {
		if statement.Output.Kind == lineage.NodeDataset && !statement.EffectiveAt.After(until) {
			kept = append(kept, statement)
		}
	}
	return kept
}

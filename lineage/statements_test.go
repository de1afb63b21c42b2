package lineage_test

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/headwater-data/headwater/lineage"
)

// said is what an event says, by minutes after ten, of inputs and outputs in namespace n.
func said(eventType lineage.EventType, minutes int, inputs, outputs string) lineage.Contribution {
	at := tenOClock.Add(time.Duration(minutes) * time.Minute)
	id := string(eventType) + at.Format(time.TimeOnly)
	return lineage.Contribution{
		Type: eventType, EventTime: at, Moment: lineage.Moment{EffectiveAt: at, Key: lineage.HashOf(id)},
		Sender: lineage.Sender{Producer: "p", EventID: id}, Inputs: named(inputs), Outputs: named(outputs),
	}
}

// named gives a dataset for each letter.
func named(letters string) []lineage.DatasetID {
	var ids []lineage.DatasetID
	for _, letter := range letters {
		ids = append(ids, lineage.DatasetID{Namespace: "n", Name: string(letter)})
	}
	return ids
}

// fed says that a dataset is fed by others.
func fed(target, inputs string) lineage.Pairs {
	pairs := lineage.Pairs{Target: named(target)[0].Node()}
	for _, input := range named(inputs) {
		pairs.Inputs = append(pairs.Inputs, input.Node())
	}
	return pairs
}

// published is the run that contributions give, with every output decided as without gates.
func published(contributions ...lineage.Contribution) *lineage.Run {
	run := folded(contributions...)
	publish(run)
	return run
}

func TestEndedRunMakesOneStatementAnOutputAtItsEnd(t *testing.T) {
	run := published(said(lineage.Start, 0, "A", ""), said(lineage.Complete, 5, "B", "CD"), said(lineage.Other, 9, "", ""))
	run.JobVersion.Value = "v1"
	statements := run.Statements()
	require.Len(t, statements, 2)
	require.Same(t, statements[0].Flow(), statements[1].Flow())
	require.Empty(t, cmp.Diff(lineage.Statement{
		EffectiveAt: tenOClock.Add(5 * time.Minute),
		Key:         loadOrdersRun.Hash(),
		Until:       lineage.Forever,
		Job:         loadOrders,
		Content:     lineage.NewFlow(loadOrders, fed("C", "AB").Inputs),
		Output:      named("C")[0].Node(),
		Speaks:      true,
		Origin:      lineage.Observed,
		Publication: lineage.Published,
		Derivation:  lineage.InputsTimesOutputs,
		JobVersion:  "v1",
		Sender:      lineage.Sender{Producer: "p", EventID: "COMPLETE10:05:00"},
		RunID:       loadOrdersRun.RunID,
	}, statements[0], cmp.Comparer(func(a, b *lineage.Flow) bool { return a.ID() == b.ID() })))
}

func TestOnlyVisibleOutputsMakeStatements(t *testing.T) {
	require.Empty(t, published(said(lineage.Start, 0, "A", "C")).Statements(), "the run is open")
	require.Empty(t, published(said(lineage.Fail, 0, "A", "C")).Statements())
	require.Empty(t, published(said(lineage.Abort, 0, "A", "")).Statements(), "an aborted run is no sink either")
	require.Empty(t, folded(said(lineage.Complete, 0, "A", "C")).Statements(), "pending")

	run := published(said(lineage.Fail, 0, "A", "CD"))
	run.Output(named("C")[0]).Publication = lineage.Suspect
	require.Equal(t, []string{"A -> C"}, edges(run.Statements()))
	require.Equal(t, lineage.Suspect, run.Statements()[0].Publication)
}

func TestExplicitPairsRuleTheirOutputs(t *testing.T) {
	end := said(lineage.Complete, 0, "ABK", "CDE")
	end.Explicit = []lineage.Pairs{fed("C", "A"), fed("D", "B"), fed("E", "")}
	end.Columns = []lineage.Pairs{fed("C", "B")}
	statements := published(end).Statements()
	require.Equal(t, []string{"A -> C", "B -> D", "K -> [shop.load_orders]"}, edges(statements))
	for _, statement := range statements[:3] {
		require.Equal(t, lineage.ExplicitPair, statement.Derivation)
		require.True(t, statement.Speaks)
	}
}

func TestBesideALineageFacetInputsDoNotFeedWhatItDoesNotDescribe(t *testing.T) {
	end := said(lineage.Complete, 0, "ABK", "CDF")
	end.Explicit, end.Columns = []lineage.Pairs{fed("C", "A")}, []lineage.Pairs{fed("F", "B")}
	statements := published(end).Statements()
	require.Equal(t, []string{"A -> C", "B -> F", "K -> [shop.load_orders]"}, edges(statements))
	require.Equal(t, "D", statements[1].Output.Name)
	require.False(t, statements[1].Speaks, "the job is known to write it, and no more")
}

func TestLineageFacetOfJobsAloneLeavesInputsToTheJob(t *testing.T) {
	end := said(lineage.Complete, 0, "A", "C")
	end.Explicit = []lineage.Pairs{{Target: loadOrders.Node(), Inputs: []lineage.Node{lineage.JobID{Namespace: "airflow", Name: "up"}.Node()}}}
	require.Equal(t, []string{"A -> [shop.load_orders]", "[up] -> [shop.load_orders]"}, edges(published(end).Statements()))
}

func TestDeletedLineageFacetGivesInputsBackToEveryOutput(t *testing.T) {
	start, end := said(lineage.Start, 0, "AB", "CD"), said(lineage.Complete, 5, "", "")
	start.Explicit = []lineage.Pairs{fed("C", "A")}
	end.Deleted.Job = []string{"lineage"}
	require.Equal(t, []string{"A -> C", "A -> D", "B -> C", "B -> D"}, edges(published(start, end).Statements()))
}

func TestExplicitTargetIsAnOutput(t *testing.T) {
	end := said(lineage.Complete, 0, "", "")
	end.Explicit = []lineage.Pairs{fed("C", "A")}
	require.Equal(t, []string{"A -> C"}, edges(published(end).Statements()))
}

func TestColumnLineageGivesNoFalsePairs(t *testing.T) {
	end := said(lineage.Complete, 0, "AB", "CD")
	end.Columns = []lineage.Pairs{fed("C", "A"), fed("D", "B")}
	statements := published(end).Statements()
	require.Equal(t, []string{"A -> C", "B -> D"}, edges(statements))
	require.Equal(t, lineage.ByColumnLineage, statements[0].Derivation)
	require.NotEqual(t, statements[0].Flow().ID(), statements[1].Flow().ID())
}

func TestInputThatNoColumnLineageNamesFeedsEveryOutput(t *testing.T) {
	end := said(lineage.Complete, 0, "ABX", "CD")
	end.Columns = []lineage.Pairs{fed("C", "A"), fed("D", "BZ")}
	require.Equal(t, []string{"A -> C", "B -> D", "X -> C", "X -> D", "Z -> D"}, edges(published(end).Statements()))
}

func TestOutputWithoutColumnLineageIsFedByAllInputs(t *testing.T) {
	end := said(lineage.Complete, 0, "AB", "CD")
	end.Columns = []lineage.Pairs{fed("C", "AB")}
	statements := published(end).Statements()
	require.Equal(t, []string{"A -> C", "A -> D", "B -> C", "B -> D"}, edges(statements))
	require.Equal(t, lineage.InputsTimesOutputs, statements[1].Derivation)
}

func TestLaterFacetsReplaceEarlierOnesInARunThatEnds(t *testing.T) {
	start, end := said(lineage.Start, 0, "AB", "C"), said(lineage.Complete, 5, "", "")
	start.Columns, end.Columns = []lineage.Pairs{fed("C", "A")}, []lineage.Pairs{fed("C", "AB")}
	require.Equal(t, []string{"A -> C", "B -> C"}, edges(published(end, start).Statements()))
	start.Explicit, end.Explicit = []lineage.Pairs{fed("C", "AB")}, []lineage.Pairs{fed("C", "B")}
	require.Contains(t, edges(published(end, start).Statements()), "B -> C")
	require.NotContains(t, edges(published(end, start).Statements()), "A -> C")
}

func TestGeneratorWritesWithoutSpeakingOfInputs(t *testing.T) {
	statements := published(said(lineage.Complete, 0, "", "C")).Statements()
	require.Len(t, statements, 1)
	require.Empty(t, statements[0].Flow().Inputs)
	require.False(t, statements[0].Speaks)
}

func TestSinkEndsInItsJob(t *testing.T) {
	statements := published(said(lineage.Complete, 0, "AB", "")).Statements()
	require.Equal(t, []string{"A -> [shop.load_orders]", "B -> [shop.load_orders]"}, edges(statements))
	require.Equal(t, lineage.NotPublishable, statements[0].Publication)
}

func TestJobFeedsAJob(t *testing.T) {
	upstream := lineage.JobID{Namespace: "airflow", Name: "up"}.Node()
	downstream := lineage.JobID{Namespace: "airflow", Name: "down"}.Node()
	end := said(lineage.Complete, 0, "A", "")
	end.Explicit = []lineage.Pairs{
		{Target: loadOrders.Node(), Inputs: []lineage.Node{upstream}},
		{Target: downstream, Inputs: []lineage.Node{loadOrders.Node()}},
	}
	require.Equal(t, []string{"A -> [shop.load_orders]", "[shop.load_orders] -> [down]", "[up] -> [shop.load_orders]"},
		edges(published(end).Statements()), "an input that feeds nothing else ends in the job beside what it is told to read")
}

func TestSelfLoopIsAnEdge(t *testing.T) {
	require.Equal(t, []string{"A -> C", "C -> C"}, edges(published(said(lineage.Complete, 0, "AC", "C")).Statements()))
}

func TestStatementsAreTheSameForAnyOrderOfEvents(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		contributions := drawnContributions.Draw(t, "contributions")
		want := published(contributions...).Statements()
		got := published(rapid.Permutation(contributions).Draw(t, "order")...).Statements()
		require.Empty(t, cmp.Diff(want, got, cmp.AllowUnexported(lineage.Flow{}, lineage.Names{})))
		moments := map[[3]any]bool{}
		for _, statement := range got {
			key := [3]any{statement.TimelineID(), statement.EffectiveAt, statement.Key}
			require.False(t, moments[key], "two statements in one place")
			moments[key] = true
		}
	})
}

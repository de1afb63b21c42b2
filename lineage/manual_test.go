package lineage_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/headwater-data/headwater/lineage"
)

func readEdge(t *testing.T, edge lineage.ManualEdge) (lineage.Event, error) {
	t.Helper()
	payload, err := lineage.EncodeFact(edge, lineage.Attribution{EventTime: tenOClock, By: "ines", Reason: "from the runbook"})
	require.NoError(t, err)
	return lineage.Decode(lineage.FormatPlatform, payload, lineage.DefaultLimits())
}

var ordersToReport = lineage.ManualEdge{
	From: lineage.DatasetID{Namespace: "n", Name: "orders"}, To: lineage.DatasetID{Namespace: "n", Name: "report"},
}

// statedAt gives what is stated of an edge some minutes after ten.
func statedAt(edge lineage.ManualEdge, minutes int) lineage.Statement {
	at := lineage.Moment{EffectiveAt: tenOClock.Add(time.Duration(minutes) * time.Minute), Key: lineage.HashOf("e")}
	return edge.Statements(at, lineage.Sender{Producer: "ines", EventID: "1"}, nil)[0]
}

func TestEdgeStatedByAPersonIsManual(t *testing.T) {
	event, err := readEdge(t, ordersToReport)
	require.NoError(t, err)
	require.Equal(t, ordersToReport, event.Fact)
	statement := statedAt(ordersToReport, 0)
	require.Equal(t, lineage.Manual, statement.Origin)
	require.Equal(t, lineage.ExplicitPair, statement.Derivation)
	require.Equal(t, "orders", statement.Flow().Inputs[0].Name)
	require.Equal(t, "report", statement.Output.Name)
}

func TestEndOfAnEdgeStandsInTheTimelineOfTheEdge(t *testing.T) {
	ended := ordersToReport
	ended.Ended = true
	stated, end := statedAt(ordersToReport, 0), statedAt(ended, 5)
	require.Equal(t, stated.TimelineID(), end.TimelineID())
	require.Zero(t, end.Content.ID())
}

func TestEdgesIntoOneDatasetStandBesideEachOther(t *testing.T) {
	other := ordersToReport
	other.From.Name = "customers"
	one, two := statedAt(ordersToReport, 0), statedAt(other, 5)
	require.NotEqual(t, one.TimelineID(), two.TimelineID())
}

func TestEdgeNeedsBothEnds(t *testing.T) {
	half := ordersToReport
	half.To.Name = ""
	_, err := readEdge(t, half)
	require.ErrorContains(t, err, "fact.to.name")
	nameless := ordersToReport
	nameless.Job.Namespace = "airflow"
	_, err = readEdge(t, nameless)
	require.ErrorContains(t, err, "fact.job.name")
}

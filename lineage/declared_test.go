package lineage_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/headwater-data/headwater/lineage"
)

// declare gives what a document declares.
func declare(t testing.TB, document []byte, eventID string) []lineage.Statement {
	t.Helper()
	event := decode(t, document)
	said, _ := lineage.NewContribution(event, arrivalOf(t, document, eventID))
	return lineage.DeclaredStatements(event.Job, said, nil)
}

func TestJobEventDeclaresAtItsEventTime(t *testing.T) {
	document := edited(t, completeRun, runMember+",", "")
	statements := declare(t, document, "1")
	require.Equal(t, []string{"public.orders -> orders"}, edges(statements))
	declared := statements[0]
	require.Equal(t, tenOClock, declared.EffectiveAt)
	require.Equal(t, lineage.Declared, declared.Origin)
	require.Equal(t, lineage.NotPublishable, declared.Publication)
	require.Equal(t, "producer", declared.Scope)
	require.Equal(t, lineage.Sender{Producer: "producer", EventID: "1"}, declared.Sender)
	require.Zero(t, declared.RunID)
}

func TestDeclarationsOfOneContentUnderTwoIDsStandBesideEachOther(t *testing.T) {
	document := edited(t, completeRun, runMember+",", "")
	first, second := declare(t, document, "1")[0], declare(t, document, "2")[0]
	require.Equal(t, first.TimelineID(), second.TimelineID())
	require.NotEqual(t, first.Key, second.Key)
	require.Equal(t, first.Flow().ID(), second.Flow().ID())
}

func TestDeclaredAndObservedKeepTimelinesOfTheirOwn(t *testing.T) {
	declared := declare(t, edited(t, completeRun, runMember+",", ""), "1")[0]
	contribution, _ := lineage.NewContribution(decode(t, []byte(completeRun)), arrivalOf(t, []byte(completeRun), "2"))
	observed := published(contribution).Statements()[0]
	require.Equal(t, declared.Flow().ID(), observed.Flow().ID())
	require.NotEqual(t, declared.TimelineID(), observed.TimelineID())
}

func TestJobEventHasTheSamePairsAsARun(t *testing.T) {
	entries := `{"lineage": {"entries": [{"namespace": "s3://lake", "name": "orders", "type": "DATASET", "inputs": [
		{"namespace": "n", "name": "a", "type": "DATASET"}]}]}}`
	document := edited(t, completeRun, runMember+",", "", `load_orders", "facets": {}`, `load_orders", "facets": `+entries)
	require.Equal(t, []string{"a -> orders", "public.orders -> [shop.load_orders]"}, edges(declare(t, document, "1")))
}

func TestEventWithoutLineageDeclaresNone(t *testing.T) {
	require.Empty(t, declare(t, edited(t, completeRun, runMember+",", "", inputsMember+",", "", outputsMember, `"x": 1`), "1"))
	dataset := `{"eventTime": "2024-06-01T10:00:00Z", "dataset": {"namespace": "n", "name": "v", "facets": {"schema": {}}}}`
	require.Empty(t, declare(t, []byte(dataset), "1"))
}

func TestViewNeedsNoJob(t *testing.T) {
	view := `{"eventTime": "2024-06-01T10:00:00Z", "dataset": {"namespace": "n", "name": "v", "facets": {"lineage": {"inputs": [
		{"namespace": "n", "name": "a", "type": "DATASET"}, {"type": "JOB"}]}}}}`
	statements := declare(t, []byte(view), "1")
	require.Equal(t, []string{"a -> v"}, edges(statements))
	require.Zero(t, statements[0].Job)
}

package projection_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/headwater-data/headwater/projection"
)

// throughStaging tells of a table that is made of orders, feeds a report, and is dropped.
func throughStaging(t *testing.T) *bundle {
	t.Helper()
	b := setup(t)
	b.write(written{run: "load", output: "staging", minute: 1, inputs: []string{"orders"}})
	b.write(written{run: "report", output: "report", minute: 3, inputs: []string{"staging"}})
	b.write(written{run: "drop", output: "staging", minute: 5, change: "DROP"})
	b.fold(b.active, 1)
	return b
}

// droppedNodes are those of an answer that are marked, with when they were dropped.
func droppedNodes(answer projection.TraverseAnswer) map[string]time.Time {
	dropped := map[string]time.Time{}
	for _, node := range answer.Nodes {
		if !node.DroppedAt.IsZero() {
			dropped[node.Name] = node.DroppedAt
		}
	}
	return dropped
}

func TestWhatWasDerivedThroughADroppedDatasetStaysDerived(t *testing.T) {
	b := throughStaging(t)
	for _, minute := range []int{4, 30} {
		require.Equal(t, []string{"orders→staging", "staging→report"}, b.upstreamAt(minute, "report"), "at minute %d", minute)
	}
}

func TestDroppedDatasetAndTheEdgesIntoItAreMarkedFromThenOn(t *testing.T) {
	b := throughStaging(t)
	r := request(dataset("report"), projection.Upstream)
	r.ValidAt = at(4)
	require.Empty(t, droppedNodes(b.traverse(r)))
	r.ValidAt = at(30)
	answer := b.traverse(r)
	require.Equal(t, map[string]time.Time{"staging": at(5)}, droppedNodes(answer))
	for _, edge := range answer.Edges {
		require.Equal(t, edge.To.Name == "staging", edge.Dropped, "%s -> %s", edge.From.Name, edge.To.Name)
	}
	r = request(dataset("staging"), projection.Downstream)
	r.ValidAt = at(30)
	require.Equal(t, map[string]time.Time{"staging": at(5)}, droppedNodes(b.traverse(r)), "as a start too")
}

func TestStatementsFromBeforeADropEndWithItOnceTheDatasetIsMadeAgain(t *testing.T) {
	b := throughStaging(t)
	b.write(written{run: "reload", output: "staging", minute: 20, inputs: []string{"orders_v2"}})
	b.fold(b.active, 1)
	require.Equal(t, []string{"orders→staging", "staging→report"}, b.upstreamAt(10, "report"))
	require.Equal(t, []string{"orders_v2→staging", "orders→staging?", "staging→report"}, b.upstreamAt(30, "report"))
	r := request(dataset("report"), projection.Upstream)
	r.ValidAt, r.Lookback = at(30), 0
	answer := b.traverse(r)
	require.Equal(t, []string{"orders_v2→staging", "staging→report"}, pairs(answer))
	require.Empty(t, droppedNodes(answer))
}

func TestCreationMakesADroppedDatasetExist(t *testing.T) {
	b := throughStaging(t)
	b.write(written{run: "create", output: "staging", minute: 20, change: "CREATE"})
	b.fold(b.active, 1)
	r := request(dataset("staging"), projection.Upstream)
	r.ValidAt, r.Lookback = at(30), 0
	answer := b.traverse(r)
	require.Empty(t, droppedNodes(answer))
	require.NotContains(t, pairs(answer), "orders→staging")
}

func TestTruncateEndsNothing(t *testing.T) {
	b := setup(t)
	b.write(written{run: "load", output: "staging", minute: 1, inputs: []string{"orders"}, columns: []string{"id"}})
	b.write(written{run: "truncate", output: "staging", minute: 5, change: "TRUNCATE"})
	b.fold(b.active, 1)
	require.Contains(t, b.upstreamAt(30, "staging"), "orders→staging")
	require.Equal(t, []string{"id"}, b.columnsAt("staging", 30))
}

func TestDropByAJobThatTheCallerMayNotSeeIsNone(t *testing.T) {
	b := throughStaging(t)
	r := request(dataset("report"), projection.Upstream)
	r.ValidAt, r.Show = at(30), hiding("job drop")
	require.Empty(t, droppedNodes(b.traverse(r)))
	b.write(written{run: "reload", output: "staging", minute: 20, inputs: []string{"orders"}})
	b.fold(b.active, 1)
	r.Show = hiding("job reload")
	require.Equal(t, map[string]time.Time{"staging": at(5)}, droppedNodes(b.traverse(r)), "nor does a hidden job make it exist again")
}

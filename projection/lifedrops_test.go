package projection_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/headwater-data/headwater/lineage"
	"github.com/headwater-data/headwater/projection"
)

// droppedAt is since when a dataset has been dropped at some minute; zero where it exists.
func (b *bundle) droppedAt(name string, minute int, change ...func(*projection.NodeRequest)) time.Time {
	b.t.Helper()
	answer, err := b.node(name, minute, change...)
	require.NoError(b.t, err)
	return answer.DroppedAt
}

func TestDatasetThatIsDroppedAgainHasBeenSinceTheFirst(t *testing.T) {
	b := throughStaging(t) // dropped at minute 5
	b.write(written{run: "drop again", output: "staging", minute: 8, change: "DROP"})
	b.write(written{run: "and again", output: "staging", minute: 9, change: "DROP"})
	b.fold(b.active, 1)
	require.Equal(t, at(5), b.droppedAt("staging", 30))
	b.write(written{run: "write", output: "staging", minute: 20, inputs: []string{"orders"}})
	b.write(written{run: "later drop", output: "staging", minute: 22, change: "DROP"})
	b.write(written{run: "once more", output: "staging", minute: 25, change: "DROP"})
	b.fold(b.active, 1)
	require.Equal(t, at(5), b.droppedAt("staging", 10))
	require.Zero(t, b.droppedAt("staging", 21))
	require.Equal(t, at(22), b.droppedAt("staging", 30), "it was written in between")
	require.Equal(t, at(5), b.droppedAt("staging", 30, func(r *projection.NodeRequest) { r.Show = hiding("job write") }), "nobody writes it whom the caller may see")
	b.write(written{run: "create", output: "staging", minute: 40, change: "CREATE"})
	b.write(written{run: "a last time", output: "staging", minute: 45, change: "DROP"})
	b.fold(b.active, 1)
	require.Zero(t, b.droppedAt("staging", 42))
	require.Equal(t, at(45), b.droppedAt("staging", 50))
	b.write(written{run: "create again", output: "staging", minute: 55, change: "CREATE"})
	b.fold(b.active, 1)
	require.Zero(t, b.droppedAt("staging", 60))
}

func TestEdgesOfADatasetThatWasDroppedTwiceEndWithTheFirst(t *testing.T) {
	b := throughStaging(t)
	b.write(written{run: "drop again", output: "staging", minute: 8, change: "DROP"})
	b.write(written{run: "reload", output: "staging", minute: 20, inputs: []string{"orders_v2"}})
	b.fold(b.active, 1)
	r := request(dataset("staging"), projection.Upstream)
	r.ValidAt = at(30)
	for _, edge := range b.traverse(r).Edges {
		if edge.From.Name == "orders" {
			require.Equal(t, at(5), edge.ValidTo)
			return
		}
	}
	t.Fatal("no edge from orders shows")
}

// remove logs a run that reads a dataset and says that it dropped it.
func (b *bundle) remove(kind lineage.EventType, run, input string, minute int) {
	b.tell(story{
		run: run, job: "delete", kind: kind, minute: minute, inputs: []string{input},
		outputFacets: map[string]map[string]any{input: {"lifecycleStateChange": map[string]any{"lifecycleStateChange": "DROP"}}},
	})
}

func TestInputThatARunDropsIsDroppedWhereTheRunCompletes(t *testing.T) {
	b := setup(t)
	b.write(written{run: "load", output: "staging", minute: 1, inputs: []string{"orders"}, columns: []string{"id"}})
	b.remove(lineage.Fail, "failing", "staging", 3)
	b.remove(lineage.Start, "removing", "staging", 5)
	b.remove(lineage.Complete, "removing", "staging", 6)
	b.fold(b.active, 1)
	require.Zero(t, b.droppedAt("staging", 4), "a run that fails drops nothing")
	require.Equal(t, at(6), b.droppedAt("staging", 9))
	require.Nil(t, b.columnsAt("staging", 9))
	require.Zero(t, b.droppedAt("staging", 9, func(r *projection.NodeRequest) { r.Show = hiding("delete") }))
	require.Zero(t, b.droppedAt("staging", 9, func(r *projection.NodeRequest) { r.RecordedAt = 4 }), "before the run completed")
	b.write(written{run: "reload", output: "staging", minute: 12, inputs: []string{"orders"}})
	b.fold(b.active, 1)
	require.Zero(t, b.droppedAt("staging", 15))
}

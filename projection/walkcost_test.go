package projection_test

import (
	"context"
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/headwater-data/headwater/lineage"
	"github.com/headwater-data/headwater/projection"
)

// fan publishes hub→middle→leaf, width times, each step by a job of its own.
func fan(b *bundle, width int) {
	for i := range width {
		middle, leaf := fmt.Sprintf("middle%04d", i), fmt.Sprintf("leaf%04d", i)
		b.complete(story{run: fmt.Sprint("m", i), job: fmt.Sprint("to-middle", i), minute: 1, inputs: []string{"hub"}, outputs: []string{middle}})
		b.complete(story{run: fmt.Sprint("l", i), job: fmt.Sprint("to-leaf", i), minute: 2, inputs: []string{middle}, outputs: []string{leaf}})
	}
	b.fold(b.active, 1000)
}

func TestWalkExaminesLittleBeyondASpentBudget(t *testing.T) {
	const width = 600
	b := setup(t)
	fan(b, width)
	examined := func(nodeBudget, edgeBudget int) int {
		count := 0
		r := request(dataset("hub"), projection.Downstream)
		r.NodeBudget, r.EdgeBudget = nodeBudget, edgeBudget
		r.Show = func(ctx context.Context, nodes []lineage.Node) ([]bool, error) {
			count += len(nodes)
			return everything(ctx, nodes)
		}
		answer := b.traverse(r)
		require.LessOrEqual(t, len(answer.Nodes), nodeBudget)
		require.LessOrEqual(t, len(answer.Edges), edgeBudget)
		return count
	}
	const hop = 2 * width // nodes, and the jobs that lead to them
	require.Equal(t, 1+2*hop, examined(10_000, 50_000), "with room for all")
	require.LessOrEqual(t, examined(100, 50_000), 1+hop, "the first hop spends the nodes")
	require.LessOrEqual(t, examined(10_000, 100), 1+hop, "the first hop spends the edges")
	require.Less(t, examined(width+100, 50_000), 1+hop+hop/2, "a part of the second hop spends the nodes")
}

func TestNodesGoByDepthAndNameHoweverAHopIsRead(t *testing.T) {
	const width = 600
	b := setup(t)
	fan(b, width)
	answer := b.traverse(request(dataset("hub"), projection.Downstream))
	require.Len(t, answer.Nodes, 1+2*width)
	for i := range width {
		require.Equal(t, fmt.Sprintf("middle%04d", i), answer.Nodes[1+i].Name)
		require.Equal(t, fmt.Sprintf("leaf%04d", i), answer.Nodes[1+width+i].Name)
	}
}

package projection_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/headwater-data/headwater/lineage"
	"github.com/headwater-data/headwater/projection"
)

// chain publishes a→b→c→d, a job for each step.
func chain(b *bundle) {
	for i, pair := range []string{"ab", "bc", "cd"} {
		b.complete(story{
			run: fmt.Sprint("r", i), job: "step" + pair, minute: i + 1,
			inputs: []string{pair[:1]}, outputs: []string{pair[1:]},
		})
	}
	b.fold(b.active, 100)
}

func TestTraverseGoesEitherWay(t *testing.T) {
	b := setup(t)
	chain(b)
	up := b.traverse(request(dataset("c"), projection.Upstream))
	require.Equal(t, []string{"a→b", "b→c"}, pairs(up))
	require.Equal(t, []projection.AnswerNode{
		{Node: dataset("c"), Depth: 0},
		{Node: dataset("b"), Depth: 1},
		{Node: dataset("a"), Depth: 2},
	}, up.Nodes)
	require.Equal(t, []string{"c→d"}, pairs(b.traverse(request(dataset("c"), projection.Downstream))))
	both := request(dataset("c"), projection.Upstream)
	both.Directions = []projection.Direction{projection.Upstream, projection.Downstream}
	require.Equal(t, []string{"a→b", "b→c", "c→d"}, pairs(b.traverse(both)))
}

func TestTraverseFromAJob(t *testing.T) {
	b := setup(t)
	chain(b)
	job := lineage.JobID{Namespace: "scheduler", Name: "stepbc"}.Node()
	require.Equal(t, []string{"a→b", "b→stepbc"}, pairs(b.traverse(request(job, projection.Upstream))))
	require.Equal(t, []string{"c→d", "stepbc→c"}, pairs(b.traverse(request(job, projection.Downstream))))
}

func TestWhatAJobReadsForHiddenOutputsIsHidden(t *testing.T) {
	b := setup(t)
	b.complete(story{run: "r1", job: "split", minute: 1, inputs: []string{"a"}, outputs: []string{"shown"}})
	b.complete(story{run: "r2", job: "split", minute: 2, inputs: []string{"a", "b"}, outputs: []string{"secret"}})
	b.fold(b.active, 100)
	ask := request(lineage.JobID{Namespace: "scheduler", Name: "split"}.Node(), projection.Upstream)
	require.Equal(t, []string{"a→split", "b→split"}, pairs(b.traverse(ask)))
	ask.Show = hiding("secret")
	hidden := b.traverse(ask)
	require.Equal(t, []string{"a→split"}, pairs(hidden))
	require.Equal(t, "r1", hidden.Edges[0].RunID, "nor does the edge come from the run that wrote it")
}

func TestSinkAndSelfLoopAreEdges(t *testing.T) {
	b := setup(t)
	b.complete(story{run: "r1", job: "merge", minute: 1, inputs: []string{"a", "target"}, outputs: []string{"target"}})
	b.complete(story{run: "r2", job: "export", minute: 2, inputs: []string{"target"}})
	b.fold(b.active, 100)
	require.Equal(t, []string{"a→target", "target→export", "target→target"},
		pairs(b.traverse(request(dataset("a"), projection.Downstream))))
}

func TestLimitsAreToldInTheAnswer(t *testing.T) {
	b := setup(t)
	chain(b)
	shallow := request(dataset("d"), projection.Upstream)
	shallow.Depth = 2
	answer := b.traverse(shallow)
	require.Equal(t, []string{"b→c", "c→d"}, pairs(answer))
	require.Equal(t, []projection.Incompleteness{projection.DepthReached}, answer.Incomplete)
	shallow.Depth = 3
	require.Empty(t, b.traverse(shallow).Incomplete, "nothing lies behind the third hop")

	few := request(dataset("d"), projection.Upstream)
	few.NodeBudget = 2
	answer = b.traverse(few)
	require.Equal(t, []string{"c→d"}, pairs(answer))
	require.Equal(t, []projection.Incompleteness{projection.NodeBudgetSpent}, answer.Incomplete)

	thin := request(dataset("d"), projection.Upstream)
	thin.EdgeBudget = 1
	answer = b.traverse(thin)
	require.Equal(t, []string{"c→d"}, pairs(answer))
	require.Contains(t, answer.Incomplete, projection.EdgeBudgetSpent)

	beyond := request(dataset("d"), projection.Upstream)
	beyond.RecordedAt = 1_000
	require.Equal(t, []projection.Incompleteness{projection.BeyondCursor}, b.traverse(beyond).Incomplete)

	hasty := request(dataset("d"), projection.Upstream)
	hasty.TimeBudget = time.Nanosecond
	_, err := b.store.Traverse(b.ctx, hasty)
	require.Error(t, err)
}

func TestHiddenNodeCutsThePath(t *testing.T) {
	b := setup(t)
	chain(b)
	r := request(dataset("d"), projection.Upstream)
	r.Show = hiding("b")
	answer := b.traverse(r)
	require.Equal(t, []string{"c→d"}, pairs(answer))
	require.Empty(t, answer.Incomplete)

	r.Show = hiding("stepbc")
	require.Equal(t, []string{"c→d"}, pairs(b.traverse(r)))

	r.Show = hiding("d")
	_, err := b.store.Traverse(b.ctx, r)
	require.ErrorIs(t, err, projection.ErrNotFound)
	_, err = b.store.Traverse(b.ctx, request(dataset("nowhere"), projection.Upstream))
	require.ErrorIs(t, err, projection.ErrNotFound)
}

// TestAnswerIsThatOfTheGraphWithoutHiddenNodes is the law of visibility, against a search of the whole graph in memory.
func TestAnswerIsThatOfTheGraphWithoutHiddenNodes(t *testing.T) {
	b := setup(t)
	random := rand.New(rand.NewPCG(11, 4))
	names := []string{"n0", "n1", "n2", "n3", "n4", "n5", "n6", "n7", "n8", "n9"}
	for i := range 14 {
		from, to := names[random.IntN(len(names))], names[random.IntN(len(names))]
		b.complete(story{run: fmt.Sprint("r", i), job: fmt.Sprint("job", i), minute: i, inputs: []string{from}, outputs: []string{to}})
	}
	b.fold(b.active, 100)
	var whole []projection.Edge
	for _, name := range names {
		r := request(dataset(name), projection.Upstream)
		answer, err := b.store.Traverse(b.ctx, r)
		if err == nil {
			whole = append(whole, answer.Edges...)
		}
	}
	require.NotEmpty(t, whole)
	for range 40 {
		hidden := []string{names[random.IntN(10)], names[random.IntN(10)], fmt.Sprint("job", random.IntN(14))}
		start := names[random.IntN(10)]
		r := request(dataset(start), projection.Upstream)
		r.Show = hiding(hidden...)
		answer, err := b.store.Traverse(b.ctx, r)
		if err != nil {
			require.ErrorIs(t, err, projection.ErrNotFound)
			continue
		}
		require.Equal(t, reachable(whole, start, hidden), pairs(answer), "from %s without %v", start, hidden)
	}
}

// reachable lists the edges upstream of start in the graph without the hidden nodes and jobs.
func reachable(edges []projection.Edge, start string, hidden []string) []string {
	found, frontier := map[string]bool{}, []string{start}
	visited := map[string]bool{start: true}
	for len(frontier) > 0 {
		var next []string
		for _, edge := range edges {
			if slices.Contains(hidden, edge.From.Name) || slices.Contains(hidden, edge.Job.Name) || !slices.Contains(frontier, edge.To.Name) {
				continue
			}
			found[fmt.Sprintf("%s→%s via %s", edge.From.Name, edge.To.Name, edge.Job.Name)] = true
			if !visited[edge.From.Name] {
				visited[edge.From.Name] = true
				next = append(next, edge.From.Name)
			}
		}
		frontier = next
	}
	list := []string{}
	for edge := range found {
		pair, _, _ := strings.Cut(edge, " via ")
		list = append(list, pair)
	}
	slices.Sort(list)
	return list
}

func TestReadersSwitchOnlyToAProjectionThatCaughtUp(t *testing.T) {
	b := setup(t)
	chain(b)
	shadow, err := b.store.Create(b.ctx, "shadow", nil)
	require.NoError(t, err)
	_, err = b.store.Create(b.ctx, "shadow", nil)
	require.ErrorIs(t, err, projection.ErrExists)
	require.ErrorIs(t, b.store.Switch(b.ctx, shadow.ID), projection.ErrBehind)
	b.fold(shadow.ID, 3)
	require.NoError(t, b.store.Switch(b.ctx, shadow.ID))
	require.NoError(t, b.store.Switch(b.ctx, shadow.ID), "switching to the active one does nothing")
	active, err := b.store.Active(b.ctx)
	require.NoError(t, err)
	require.Equal(t, "shadow", active.Name)
	answer := b.traverse(request(dataset("d"), projection.Upstream))
	require.Equal(t, "shadow", answer.View.Name)
	require.Equal(t, []string{"a→b", "b→c", "c→d"}, pairs(answer))
	old, err := b.store.Get(b.ctx, "main")
	require.NoError(t, err)
	require.Equal(t, projection.Retired, old.Status)
	require.ErrorIs(t, b.store.Switch(b.ctx, 999), projection.ErrNotFound)
}

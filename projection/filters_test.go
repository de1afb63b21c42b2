package projection_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/headwater-data/headwater/lineage"
	"github.com/headwater-data/headwater/projection"
)

// filtered asks for all upstream of a dataset under filters.
func (b *bundle) filtered(name string, filters projection.Filters) []string {
	r := request(dataset(name), projection.Upstream)
	r.Filters = filters
	return pairs(b.traverse(r))
}

func TestWalkDoesNotPassWhatItsFiltersLeaveOut(t *testing.T) {
	b := setup(t)
	b.complete(story{run: "1", job: "ab", inputs: []string{"a"}, outputs: []string{"b"}})
	suspect := story{run: "2", job: "bc", kind: lineage.Complete, inputs: []string{"b"}, outputs: []string{"c"}}
	b.tell(suspect)
	b.decide(suspect, "c", lineage.Complete, lineage.Suspect)
	b.jobEvent(1, "xc", []string{"x"}, []string{"c"})
	b.stateEdge(2, lineage.ManualEdge{From: inWarehouse("m"), To: inWarehouse("c")})
	b.fold(b.active, 1)

	require.Equal(t, []string{"a→b", "b→c", "m→c", "x→c"}, b.filtered("c", projection.Filters{}))
	require.Equal(t, []string{"a→b", "b→c"}, b.filtered("c", projection.Filters{Origins: []lineage.Origin{lineage.Observed}}))
	require.Equal(t, []string{"m→c", "x→c"}, b.filtered("c", projection.Filters{Origins: []lineage.Origin{lineage.Declared, lineage.Manual}}))
	require.Equal(t, []string{"m→c", "x→c"}, b.filtered("c", projection.Filters{Publications: []lineage.Publication{lineage.Published}}),
		"behind what is suspect nothing is found, and what is declared has no publication")
	require.Equal(t, []string{"b→c", "m→c", "x→c"}, b.filtered("c", projection.Filters{Publications: []lineage.Publication{lineage.Suspect}}))
}

func TestFiltersChooseAmongAllThatAJobReads(t *testing.T) {
	b := setup(t)
	b.jobEvent(1, "load", []string{"a"}, []string{"b"})
	b.complete(story{run: "1", job: "load", minute: 5, inputs: []string{"a"}, outputs: []string{"b"}})
	b.fold(b.active, 1)
	r := request(lineage.JobID{Namespace: "scheduler", Name: "load"}.Node(), projection.Upstream)
	r.Origins = []lineage.Origin{lineage.Declared}
	answer := b.traverse(r)
	require.Equal(t, []string{"a→load"}, pairs(answer))
	require.Equal(t, lineage.Declared, answer.Edges[0].Origin, "that it was also seen to do so hides nothing")
}

func TestWalkStaysWithinAnEnvironment(t *testing.T) {
	b := setup(t)
	b.complete(story{run: "1", job: "ab", inputs: []string{"a"}, outputs: []string{"b"}})
	b.complete(story{run: "2", job: "generate", outputs: []string{"a"}})
	b.stateEdge(1, lineage.ManualEdge{From: lineage.DatasetID{Namespace: "test", Name: "t"}, To: inWarehouse("b")})
	b.stateEdge(2, lineage.ManualEdge{From: inWarehouse("z"), To: lineage.DatasetID{Namespace: "test", Name: "t"}})
	rules, err := lineage.NewNameRules(lineage.NameRuleSet{Environment: "prod", Namespaces: []lineage.NamespaceRule{{Namespace: "test", Environment: "test"}}})
	require.NoError(t, err)
	b.replay("environments", rules, 1)
	require.Equal(t, []string{"a→b", "generate→a", "t→b", "z→t"}, b.filtered("b", projection.Filters{}))
	require.Equal(t, []string{"a→b", "generate→a"}, b.filtered("b", projection.Filters{Environment: "prod"}))
	require.Empty(t, b.filtered("b", projection.Filters{Environment: "test"}))
}

func TestWalkLeavesOutWhatIsDropped(t *testing.T) {
	b := throughStaging(t)
	require.Contains(t, b.filtered("report", projection.Filters{}), "staging→report")
	require.NotContains(t, b.filtered("report", projection.Filters{WithoutDropped: true}), "staging→report")
	r := request(dataset("report"), projection.Upstream)
	r.ValidAt, r.WithoutDropped = at(3), true
	require.Contains(t, pairs(b.traverse(r)), "staging→report", "it was not dropped yet")
}

func TestFiltersTellNothingOfWhatTheyLeaveOut(t *testing.T) {
	b := setup(t)
	b.jobEvent(1, "load", []string{"a"}, []string{"b"})
	b.complete(story{run: "1", job: "other", minute: 5, inputs: []string{"c"}, outputs: []string{"b"}})
	b.fold(b.active, 1)
	r := request(dataset("b"), projection.Upstream)
	r.Origins = []lineage.Origin{lineage.Declared}
	for _, gap := range b.traverse(r).Gaps {
		require.NotEqual(t, projection.DeclaredOnly, gap.Kind, "a run was seen to write it")
	}
}

func TestFieldWalkGoesAlongTheColumnMapsThatItsFiltersKeep(t *testing.T) {
	b := setup(t)
	suspect := story{
		run: "1", job: "ab", kind: lineage.Complete, inputs: []string{"a"}, outputs: []string{"b"},
		outputFacets: map[string]map[string]any{"b": columns("x<-a.i")},
	}
	b.tell(suspect)
	b.decide(suspect, "b", lineage.Complete, lineage.Suspect)
	b.fold(b.active, 1)
	r := request(field("b.x"), projection.Upstream)
	require.Equal(t, []string{"a.i→b.x IDENTITY"}, links(b.traverse(r).Edges))
	r.Publications = []lineage.Publication{lineage.Published}
	answer := b.traverse(r)
	require.Empty(t, answer.Edges)
	require.Empty(t, answer.TableEdges)
	require.Empty(t, columnGaps(answer))
}

// TestFilteredAnswerIsWhatCanBeReachedOverTheEdgesThatFiltersKeep is the law of filters, against a search of the whole graph
// in memory.
func TestFilteredAnswerIsWhatCanBeReachedOverTheEdgesThatFiltersKeep(t *testing.T) {
	b := setup(t)
	random := rand.New(rand.NewPCG(7, 3))
	name := func() string { return fmt.Sprint("n", random.IntN(8)) }
	for i := range 30 {
		s := story{run: fmt.Sprint("r", i), job: fmt.Sprint("job", i), kind: lineage.Complete, minute: i, inputs: []string{name()}, outputs: []string{name()}}
		if random.IntN(3) == 0 {
			b.jobEvent(i, s.job, s.inputs, s.outputs)
			continue
		}
		b.tell(s)
		b.decide(s, s.outputs[0], lineage.Complete, []lineage.Publication{lineage.Published, lineage.Suspect}[random.IntN(2)])
	}
	b.fold(b.active, 100)
	var whole []projection.Edge
	for i := range 8 {
		if answer, err := b.store.Traverse(b.ctx, request(dataset(fmt.Sprint("n", i)), projection.Upstream)); err == nil {
			whole = append(whole, answer.Edges...)
		}
	}
	for range 30 {
		filters := projection.Filters{
			Origins:      [][]lineage.Origin{nil, {lineage.Declared}, {lineage.Observed}}[random.IntN(3)],
			Publications: [][]lineage.Publication{nil, {lineage.Published}, {lineage.Suspect}}[random.IntN(3)],
		}
		kept := slices.DeleteFunc(slices.Clone(whole), func(e projection.Edge) bool {
			return len(filters.Origins) > 0 && !slices.Contains(filters.Origins, e.Origin) ||
				len(filters.Publications) > 0 && e.Origin == lineage.Observed && !slices.Contains(filters.Publications, e.Publication)
		})
		start := name()
		require.Equal(t, reachable(kept, start, nil), b.filtered(start, filters), "from %s under %+v", start, filters)
	}
}

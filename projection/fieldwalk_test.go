package projection_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/headwater-data/headwater/internal/testenv"
	"github.com/headwater-data/headwater/lineage"
	"github.com/headwater-data/headwater/projection"
)

func field(name string) lineage.Node {
	table, path, _ := strings.Cut(name, ".")
	return lineage.DatasetID{Namespace: "warehouse", Name: table}.Field(lineage.FieldPath(path))
}

// links writes edges as "a.x→b.y IDENTITY", indirect ones with a tilde, lapsed ones with a question mark.
func links(edges []projection.Edge) []string {
	list := []string{}
	for _, edge := range edges {
		link := nodeName(edge.From) + "→" + nodeName(edge.To)
		for _, t := range edge.Transformations {
			link += map[lineage.TransformationKind]string{lineage.Direct: " ", lineage.Indirect: " ~"}[t.Kind] + t.Subtype
		}
		if edge.Lapsed {
			link += "?"
		}
		list = append(list, link)
	}
	slices.Sort(list)
	return list
}

func nodeName(node lineage.Node) string {
	if node.Kind == lineage.NodeField {
		return node.Name + "." + string(node.Path)
	}
	return node.Name
}

// columnChain makes b of a, with a join key, and c of b.
func columnChain(b *bundle) {
	b.mapped("r1", "ab", 1, "a", "b", "x<-a.i", "y<-a.j", "*<-a.key JOIN")
	b.mapped("r2", "bc", 2, "b", "c", "x<-b.x", "n<-b.x COUNT", "m<-b.y")
	b.fold(b.active, 100)
}

func TestFieldsAreFollowedEitherWay(t *testing.T) {
	b := setup(t)
	columnChain(b)
	up := b.traverse(request(field("c.x"), projection.Upstream))
	require.Equal(t, []string{"a.i→b.x IDENTITY", "a.key→b ~JOIN", "b.x→c.x IDENTITY"}, links(up.Edges))
	require.Equal(t, []projection.AnswerNode{
		{Node: field("c.x")},
		{Node: dataset("b"), Depth: 1},
		{Node: field("b.x"), Depth: 1},
		{Node: field("a.i"), Depth: 2},
		{Node: field("a.key"), Depth: 2},
	}, up.Nodes)
	require.Empty(t, up.Incomplete)
	require.Empty(t, up.TableEdges)
	require.Equal(t, "ab", up.Edges[1].Job.Name)
	require.Equal(t, lineage.ByColumnLineage, up.Edges[0].Derivation)

	require.Equal(t, []string{"a.i→b.x IDENTITY", "b.x→c.n ~COUNT", "b.x→c.x IDENTITY"},
		links(b.traverse(request(field("a.i"), projection.Downstream)).Edges))
}

func TestWhatInfluencesAWholeDatasetReachesAllOfItsFields(t *testing.T) {
	b := setup(t)
	columnChain(b)
	require.Equal(t, []string{"a.key→b ~JOIN", "b.x→c.n ~COUNT", "b.x→c.x IDENTITY", "b.y→c.m IDENTITY"},
		links(b.traverse(request(field("a.key"), projection.Downstream)).Edges))
	require.Equal(t, []string{"a.key→b ~JOIN"}, links(b.traverse(request(field("b.never_named"), projection.Upstream)).Edges))
}

func TestDirectAndIndirectCanBeAskedForApart(t *testing.T) {
	b := setup(t)
	columnChain(b)
	r := request(field("c.x"), projection.Upstream)
	r.Transformations = []lineage.TransformationKind{lineage.Direct}
	require.Equal(t, []string{"a.i→b.x IDENTITY", "b.x→c.x IDENTITY"}, links(b.traverse(r).Edges))
	r.Start, r.Transformations = field("b.x"), []lineage.TransformationKind{lineage.Indirect}
	require.Equal(t, []string{"a.key→b ~JOIN"}, links(b.traverse(r).Edges))
}

func TestOneInputInTwoWaysIsOneEdge(t *testing.T) {
	b := setup(t)
	b.mapped("r1", "ab", 1, "a", "b", "x<-a.i", "x<-a.i FILTER", "y<-a.j")
	b.fold(b.active, 100)
	require.Equal(t, []string{"a.i→b.x IDENTITY ~FILTER"}, links(b.traverse(request(field("b.x"), projection.Upstream)).Edges))
}

func TestFieldsMeetWhatIsSaidOfTheirWholesAndParts(t *testing.T) {
	b := setup(t)
	b.mapped("r1", "ab", 1, "a", "b", "s<-a.all", "s.p[].q<-a.i", "other<-a.j")
	b.mapped("r2", "bc", 2, "b", "c", "x<-b.s.p", "y<-b.s.p[].q", "z<-b.s.r")
	b.fold(b.active, 100)
	require.Equal(t, []string{"a.all→b.s IDENTITY", "a.i→b.s.p[].q IDENTITY"},
		links(b.traverse(request(field("b.s.p"), projection.Upstream)).Edges))
	require.Equal(t, []string{"a.all→b.s IDENTITY"}, links(b.traverse(request(field("b.s.r"), projection.Upstream)).Edges))
	require.Equal(t, []string{"a.i→b.s.p[].q IDENTITY", "b.s.p[].q→c.y IDENTITY", "b.s.p→c.x IDENTITY"},
		links(b.traverse(request(field("a.i"), projection.Downstream)).Edges))
}

func TestSourceOfUnknownFieldAndFieldMadeByTheJob(t *testing.T) {
	b := setup(t)
	b.mapped("r1", "za", 1, "z", "a", "i<-z.i")
	explicit := map[string]any{"lineage": map[string]any{"entries": []any{map[string]any{
		"namespace": "warehouse", "name": "b", "type": "DATASET", "fields": map[string]any{
			"x":   map[string]any{"inputs": []any{map[string]any{"namespace": "warehouse", "name": "a", "type": "DATASET"}}},
			"now": map[string]any{"inputs": []any{map[string]any{"type": "JOB"}}},
		},
	}}}}
	b.complete(story{run: "r2", job: "ab", minute: 2, inputs: []string{"a"}, outputs: []string{"b"}, jobFacets: explicit})
	b.fold(b.active, 100)
	require.Equal(t, []string{"a→b.x ", "z.i→a.i IDENTITY"}, links(b.traverse(request(field("b.x"), projection.Upstream)).Edges))
	require.Equal(t, []string{"ab→b.now "}, links(b.traverse(request(field("b.now"), projection.Upstream)).Edges))
	require.Equal(t, []string{"a→b.x ", "z.i→a.i IDENTITY"}, links(b.traverse(request(field("z.i"), projection.Downstream)).Edges))
}

// columnGaps writes the gaps of column lineage of an answer.
func columnGaps(answer projection.TraverseAnswer) []string {
	var list []string
	for _, gap := range answer.Gaps {
		switch {
		case gap.Kind == projection.NoColumnLineage && gap.Stated:
			list = append(list, gap.Job.Name+" says that there are no columns of "+gap.Node.Name)
		case gap.Kind == projection.NoColumnLineage:
			list = append(list, gap.Job.Name+" tells no columns of "+gap.Node.Name)
		case gap.Kind == projection.ColumnLineageOutdated:
			list = append(list, gap.Job.Name+" told columns of "+gap.Node.Name+" last at "+gap.Since.Format(time.TimeOnly))
		default:
		}
	}
	return list
}

func TestJobWithoutColumnLineageIsAGapAndItsTablesAreOfferedApart(t *testing.T) {
	b := setup(t)
	columnChain(b)
	b.complete(story{run: "r3", job: "za", minute: 1, inputs: []string{"z"}, outputs: []string{"a"}})
	b.complete(story{run: "r4", job: "cd", minute: 3, inputs: []string{"c", "k"}, outputs: []string{"d"}})
	b.fold(b.active, 100)

	up := b.traverse(request(field("c.x"), projection.Upstream))
	require.Equal(t, []string{"a.i→b.x IDENTITY", "a.key→b ~JOIN", "b.x→c.x IDENTITY"}, links(up.Edges), "no table stands among the fields")
	require.Equal(t, []string{"z→a"}, links(up.TableEdges))
	require.Equal(t, []string{"za tells no columns of a"}, columnGaps(up))

	down := b.traverse(request(field("b.x"), projection.Downstream))
	require.Equal(t, []string{"c→d"}, links(down.TableEdges))
	require.Equal(t, []string{"cd tells no columns of d"}, columnGaps(down))

	near := request(field("c.x"), projection.Upstream)
	near.Depth = 2
	require.Equal(t, []projection.Incompleteness{projection.DepthReached}, b.traverse(near).Incomplete, "the tables lead on")
	require.Empty(t, b.traverse(near).TableEdges)
}

func TestInputThatNoColumnLineageNamesIsAGap(t *testing.T) {
	b := setup(t)
	b.mapped("r1", "ab", 1, "a k", "b", "x<-a.i")
	b.fold(b.active, 100)
	up := b.traverse(request(field("b.x"), projection.Upstream))
	require.Equal(t, []string{"a.i→b.x IDENTITY"}, links(up.Edges))
	require.Equal(t, []string{"k→b"}, links(up.TableEdges))
	require.Equal(t, []string{"ab tells no columns of b"}, columnGaps(up))
}

func TestNoColumnLineageOnPurposeIsToldApartFromSilence(t *testing.T) {
	b := setup(t)
	b.mapped("r1", "ab", 1, "a", "b", "x<-a.i")
	b.mapped("r2", "ab", 2, "a", "b")
	b.fold(b.active, 100)
	r := request(field("b.x"), projection.Upstream)
	up := b.traverse(r)
	require.Equal(t, []string{"a.i→b.x IDENTITY?"}, links(up.Edges), "the map has ended")
	require.Equal(t, []string{"ab says that there are no columns of b"}, columnGaps(up))
	require.Equal(t, []string{"a→b"}, links(up.TableEdges))
}

func TestRunWithoutColumnLineageReplacesNothing(t *testing.T) {
	b := setup(t)
	b.mapped("r1", "ab", 1, "a", "b", "x<-a.i")
	b.complete(story{run: "r2", job: "ab", minute: 5, inputs: []string{"a"}, outputs: []string{"b"}})
	b.fold(b.active, 100)
	up := b.traverse(request(field("b.x"), projection.Upstream))
	require.Equal(t, []string{"a.i→b.x IDENTITY"}, links(up.Edges))
	require.Equal(t, []string{"ab told columns of b last at 12:01:00"}, columnGaps(up))
	require.Empty(t, up.TableEdges)
}

func TestReplacedColumnsShowAsLapsed(t *testing.T) {
	b := setup(t)
	b.mapped("r1", "ab", 1, "a", "b", "x<-a.old", "y<-a.j")
	b.mapped("r2", "ab", 5, "a", "b", "x<-a.new", "y<-a.j")
	b.fold(b.active, 100)
	r := request(field("b.x"), projection.Upstream)
	require.Equal(t, []string{"a.new→b.x IDENTITY", "a.old→b.x IDENTITY?"}, links(b.traverse(r).Edges))
	r.Lookback = 0
	require.Equal(t, []string{"a.new→b.x IDENTITY"}, links(b.traverse(r).Edges))
	r.ValidAt = at(3)
	require.Equal(t, []string{"a.old→b.x IDENTITY"}, links(b.traverse(r).Edges), "as it was then")
	r.ValidAt, r.RecordedAt = at(24*60), 2
	require.Equal(t, []string{"a.old→b.x IDENTITY"}, links(b.traverse(r).Edges), "as it was known then")
}

func TestRolledBackColumnsDoNotShow(t *testing.T) {
	b := setup(t)
	failed := story{
		run: "r1", job: "ab", kind: lineage.Fail, minute: 1, inputs: []string{"a"}, outputs: []string{"b"},
		outputFacets: map[string]map[string]any{"b": columns("x<-a.i")},
	}
	b.tell(failed)
	b.decide(failed, "b", lineage.Fail, lineage.Diagnostic)
	b.fold(b.active, 100)
	answer := b.traverse(request(field("b.x"), projection.Upstream))
	require.Empty(t, answer.Edges)
	require.Empty(t, answer.TableEdges)
	require.Empty(t, columnGaps(answer))
}

func TestHiddenDatasetHidesItsFieldsAndHiddenJobCuts(t *testing.T) {
	b := setup(t)
	columnChain(b)
	b.complete(story{run: "r3", job: "za", minute: 1, inputs: []string{"z"}, outputs: []string{"a"}})
	b.fold(b.active, 100)
	r := request(field("c.x"), projection.Upstream)
	r.Show = hiding("a")
	require.Equal(t, []string{"b.x→c.x IDENTITY"}, links(b.traverse(r).Edges))
	require.Empty(t, columnGaps(b.traverse(r)))
	r.Show = hiding("ab")
	require.Equal(t, []string{"b.x→c.x IDENTITY"}, links(b.traverse(r).Edges))
	require.Empty(t, columnGaps(b.traverse(r)), "a hidden job leaves no gap either")
	r.Show = hiding("c")
	_, err := b.store.Traverse(b.ctx, r)
	require.ErrorIs(t, err, projection.ErrNotFound)
	r.Show = hiding("z")
	require.Empty(t, b.traverse(r).TableEdges)
	_, err = b.store.Traverse(b.ctx, request(field("nowhere.x"), projection.Upstream))
	require.ErrorIs(t, err, projection.ErrNotFound)
}

func TestBudgetsCountFields(t *testing.T) {
	b := setup(t)
	columnChain(b)
	r := request(field("c.x"), projection.Upstream)
	r.NodeBudget = 2
	answer := b.traverse(r)
	require.Equal(t, []string{"b.x→c.x IDENTITY"}, links(answer.Edges))
	require.Equal(t, []projection.Incompleteness{projection.NodeBudgetSpent}, answer.Incomplete)
	r.NodeBudget, r.EdgeBudget = 100, 1
	require.Contains(t, b.traverse(r).Incomplete, projection.EdgeBudgetSpent)
}

// TestFieldAnswerIsThatOfTheGraphWithoutHiddenNodes is the law of visibility over fields: an answer equals the one of a log
// in which nobody has ever mentioned what is hidden.
func TestFieldAnswerIsThatOfTheGraphWithoutHiddenNodes(t *testing.T) {
	b := setup(t)
	random := rand.New(rand.NewPCG(5, 8))
	tables := []string{"t0", "t1", "t2", "t3", "t4"}
	hidden := []string{"t3", "job2", "job5"}
	var all, visible []story
	for i := range 16 {
		from, to := tables[random.IntN(len(tables))], tables[random.IntN(len(tables))]
		var lines []string
		for range random.IntN(4) {
			line := fmt.Sprintf("f%d<-%s.f%d", random.IntN(3), from, random.IntN(3))
			if random.IntN(3) == 0 {
				line = fmt.Sprintf("*<-%s.f%d JOIN", from, random.IntN(3))
			}
			lines = append(lines, line)
		}
		s := story{run: fmt.Sprint("r", i), job: fmt.Sprint("job", i), minute: i, inputs: []string{from}, outputs: []string{to}}
		if len(lines) > 0 {
			s.outputFacets = map[string]map[string]any{to: columns(lines...)}
		}
		all = append(all, s)
		if !slices.Contains(hidden, from) && !slices.Contains(hidden, to) && !slices.Contains(hidden, s.job) {
			visible = append(visible, s)
		}
	}
	without := &bundle{t: t, ctx: b.ctx, pool: testenv.Database(t)}
	without.store = projection.NewStore(without.pool)
	active, err := without.store.Active(b.ctx)
	require.NoError(t, err)
	without.active = active.ID
	for of, stories := range map[*bundle][]story{b: all, without: visible} {
		for _, s := range stories {
			of.complete(s)
		}
		of.fold(of.active, 100)
	}
	compared := 0
	for _, table := range tables {
		for f := range 3 {
			for _, direction := range []projection.Direction{projection.Upstream, projection.Downstream} {
				r := request(field(fmt.Sprintf("%s.f%d", table, f)), direction)
				want, errWant := without.store.Traverse(without.ctx, r)
				r.Show = hiding(hidden...)
				got, errGot := b.store.Traverse(b.ctx, r)
				require.ErrorIs(t, errGot, errWant)
				require.Equal(t, links(want.Edges), links(got.Edges))
				require.Equal(t, links(want.TableEdges), links(got.TableEdges))
				require.Equal(t, columnGaps(want), columnGaps(got))
				require.Equal(t, want.Nodes, got.Nodes)
				require.Equal(t, want.Incomplete, got.Incomplete)
				compared += len(want.Edges)
			}
		}
	}
	require.Positive(t, compared)
}

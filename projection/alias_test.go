package projection_test

import (
	"encoding/json/v2"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/headwater-data/headwater/lineage"
	"github.com/headwater-data/headwater/projection"
)

// symlinks are what a story calls its datasets: names by dataset.
type symlinks map[string][]string

// withSymlinks is a story's document in which datasets have other names.
func withSymlinks(s story, names symlinks) []byte {
	var document map[string]any
	if err := json.Unmarshal(s.document(), &document); err != nil {
		panic(err)
	}
	for _, role := range []string{"inputs", "outputs"} {
		for _, entry := range document[role].([]any) {
			mentioned := entry.(map[string]any)
			if named := names[mentioned["name"].(string)]; named != nil {
				mentioned["facets"] = symlinksFacet(named)
			}
		}
	}
	encoded, err := json.Marshal(document, json.Deterministic(true))
	if err != nil {
		panic(err)
	}
	return encoded
}

func symlinksFacet(names []string) map[string]any {
	identifiers := []any{}
	for _, name := range names {
		identifiers = append(identifiers, map[string]any{"namespace": "warehouse", "name": name, "type": "TABLE"})
	}
	return map[string]any{"symlinks": map[string]any{"identifiers": identifiers}}
}

// completeNamed tells of a whole run that is published and calls its datasets by other names.
func (b *bundle) completeNamed(s story, names symlinks) {
	s.kind = lineage.Complete
	b.logged(lineage.FormatOpenLineage, withSymlinks(s, names))
	for _, output := range s.outputs {
		b.decide(s, output, lineage.Complete, lineage.Published)
	}
}

// symlink tells, outside of any run, what a dataset is called.
func (b *bundle) symlink(minute int, dataset string, names ...string) {
	document, err := json.Marshal(map[string]any{
		"eventTime": at(minute).Format(time.RFC3339),
		"dataset":   map[string]any{"namespace": "warehouse", "name": dataset, "facets": symlinksFacet(names)},
	}, json.Deterministic(true))
	require.NoError(b.t, err)
	b.logged(lineage.FormatOpenLineage, document)
}

// state logs what a person states some minutes after noon.
func (b *bundle) state(minute int, fact lineage.Fact) {
	payload, err := lineage.EncodeFact(fact, lineage.Attribution{EventTime: at(minute), By: "ann", Reason: "looked it up"})
	require.NoError(b.t, err)
	b.logged(lineage.FormatPlatform, payload)
}

func registered(name, of string) lineage.AliasRegistration {
	return lineage.AliasRegistration{Alias: table(name), Of: table(of)}
}

func table(name string) lineage.DatasetID {
	return lineage.DatasetID{Namespace: "warehouse", Name: name}
}

// below asks for what is made of a table at a minute.
func (b *bundle) below(table string, minute int) projection.TraverseAnswer {
	b.t.Helper()
	r := request(dataset(table), projection.Downstream)
	r.ValidAt = at(minute)
	return b.traverse(r)
}

func TestLateSymlinkJoinsTheGraphs(t *testing.T) {
	b := setup(t)
	b.complete(story{run: "r1", job: "write", minute: 1, inputs: []string{"src"}, outputs: []string{"path"}})
	b.complete(story{run: "r2", job: "query", minute: 2, inputs: []string{"table"}, outputs: []string{"report"}})
	b.fold(b.active, 100)
	require.Equal(t, []string{"src→path"}, pairs(b.below("src", 10)))

	b.symlink(0, "path", "table") // it was so before both runs, and comes after them
	b.fold(b.active, 100)
	require.Equal(t, []string{"path→report", "src→path"}, pairs(b.below("src", 10)))
	require.Equal(t, []string{"path→report"}, pairs(b.below("table", 10)), "asked by another name it is the same dataset")
	up := b.traverse(request(dataset("report"), projection.Upstream))
	require.Equal(t, []string{"path→report", "src→path"}, pairs(up))
	require.Equal(t, "path", up.Nodes[1].Name)
	require.Len(t, up.Nodes[1].Aliases, 1)
	alias := up.Nodes[1].Aliases[0]
	require.Equal(t, lineage.Alias{Name: table("table"), Of: table("path"), Source: lineage.BySymlink}, alias.Alias)
	require.Equal(t, at(0), alias.From)
	require.Equal(t, lineage.Forever, alias.To)
	require.Equal(t, "test", alias.Producer)

	before := request(dataset("src"), projection.Downstream)
	before.RecordedAt = 4
	require.Equal(t, []string{"src→path"}, pairs(b.traverse(before)), "it was not known then")
}

func TestSymlinkOfAFailedRunCounts(t *testing.T) {
	b := setup(t)
	b.complete(story{run: "r1", job: "write", minute: 1, inputs: []string{"src"}, outputs: []string{"path"}})
	b.complete(story{run: "r2", job: "query", minute: 2, inputs: []string{"table"}, outputs: []string{"report"}})
	b.logged(lineage.FormatOpenLineage, withSymlinks(
		story{run: "r3", job: "other", kind: lineage.Fail, minute: 3, outputs: []string{"path"}}, symlinks{"path": {"table"}}))
	b.fold(b.active, 100)
	require.Equal(t, []string{"path→report", "src→path"}, pairs(b.below("src", 10)))
}

func TestTableThatIsPointedToANewLocationLeavesTheOldOne(t *testing.T) {
	b := setup(t)
	b.completeNamed(story{run: "r1", job: "v1", minute: 1, inputs: []string{"a"}, outputs: []string{"old"}}, symlinks{"old": {"table"}})
	b.complete(story{run: "r2", job: "query", minute: 2, inputs: []string{"table"}, outputs: []string{"report"}})
	b.completeNamed(story{run: "r3", job: "v2", minute: 5, inputs: []string{"b"}, outputs: []string{"new"}}, symlinks{"new": {"table"}})
	b.fold(b.active, 100)
	require.Equal(t, []string{"a→old", "old→report"}, pairs(b.below("a", 4)))
	require.Equal(t, []string{"a→old"}, pairs(b.below("a", 6)))
	require.Equal(t, []string{"b→new", "new→report"}, pairs(b.below("b", 6)))

	b.symlink(8, "old", "table") // and back
	b.fold(b.active, 100)
	require.Equal(t, []string{"a→old", "old→report"}, pairs(b.below("a", 9)))
	require.Equal(t, []string{"b→new"}, pairs(b.below("b", 9)))
	require.Equal(t, []string{"b→new", "new→report"}, pairs(b.below("b", 6)), "what was so then stays so")
}

func TestSymlinkCountsUntilALaterFacetLeavesItOut(t *testing.T) {
	b := setup(t)
	b.complete(story{run: "r1", job: "write", minute: 1, inputs: []string{"src"}, outputs: []string{"path"}})
	b.complete(story{run: "r2", job: "query", minute: 1, inputs: []string{"table"}, outputs: []string{"report"}})
	b.symlink(2, "path", "table")
	b.symlink(3, "path") // an empty one says nothing
	b.symlink(4, "path", "view")
	b.fold(b.active, 1)
	require.Equal(t, []string{"src→path"}, pairs(b.below("src", 1)))
	require.Equal(t, []string{"path→report", "src→path"}, pairs(b.below("src", 3)))
	require.Equal(t, []string{"src→path"}, pairs(b.below("src", 5)))
}

func TestAliasIsTakenBack(t *testing.T) {
	b := setup(t)
	b.complete(story{run: "r1", job: "write", minute: 1, inputs: []string{"src"}, outputs: []string{"path"}})
	b.complete(story{run: "r2", job: "query", minute: 2, inputs: []string{"table"}, outputs: []string{"report"}})
	b.state(10, registered("table", "path"))
	b.fold(b.active, 100)
	known := lineage.Offset(len(b.log))
	require.Equal(t, []string{"path→report", "src→path"}, pairs(b.below("src", 3)), "it has always been so")

	b.state(11, lineage.AliasEnd{Alias: table("table"), Of: table("path"), ValidTo: at(5)})
	b.fold(b.active, 100)
	require.Equal(t, []string{"path→report", "src→path"}, pairs(b.below("src", 3)))
	require.Equal(t, []string{"src→path"}, pairs(b.below("src", 6)))

	b.state(12, lineage.AliasEnd{Alias: table("table"), Of: table("path")})
	b.fold(b.active, 100)
	require.Equal(t, []string{"src→path"}, pairs(b.below("src", 3)), "it was never so")
	then := request(dataset("src"), projection.Downstream)
	then.RecordedAt = known
	require.Equal(t, []string{"path→report", "src→path"}, pairs(b.traverse(then)), "what was believed then is not forgotten")
}

// listed writes what is claimed as "name=of", with a dash before what does not hold and the conflicts behind.
func (b *bundle) listed(r projection.AliasRequest) ([]string, lineage.DatasetID) {
	b.t.Helper()
	if r.Show == nil {
		r.Show = everything
	}
	answer, err := b.store.ListAliases(b.ctx, r)
	require.NoError(b.t, err)
	var list []string
	for _, alias := range answer.Aliases {
		line := alias.Name.Name + "=" + alias.Of.Name
		if !alias.Holds {
			line = "-" + line
		}
		for _, conflict := range alias.Conflicts {
			line += " not " + conflict.Name
		}
		list = append(list, line)
	}
	return list, answer.Next
}

func TestConflictsAreKeptApartByDateAndShown(t *testing.T) {
	b := setup(t)
	b.symlink(1, "old", "table")
	b.symlink(5, "new", "table")
	b.state(0, registered("view", "old"))
	b.fold(b.active, 100)
	old, fresh := table("old"), table("new")
	list, _ := b.listed(projection.AliasRequest{Of: &old, ValidAt: at(3)})
	require.ElementsMatch(t, []string{"table=old not new", "view=old"}, list)
	list, _ = b.listed(projection.AliasRequest{Of: &old, ValidAt: at(9)})
	require.ElementsMatch(t, []string{"-table=old not new", "table=new not old", "view=old"}, list)
	list, _ = b.listed(projection.AliasRequest{Of: &fresh, ValidAt: at(9)})
	require.ElementsMatch(t, []string{"-table=old not new", "table=new not old"}, list)

	answer, err := b.store.ListAliases(b.ctx, projection.AliasRequest{Of: &old, ValidAt: at(9), Show: hiding("new")})
	require.NoError(t, err)
	for _, alias := range answer.Aliases {
		require.True(t, alias.Holds)
		require.Empty(t, alias.Conflicts, "nothing tells of a hidden name")
		require.Equal(t, lineage.Forever, alias.To)
	}
	_, err = b.store.ListAliases(b.ctx, projection.AliasRequest{Of: &old, Show: hiding("old")})
	require.ErrorIs(t, err, projection.ErrNotFound)
}

func TestListOfAliasesHasPagesInWhichHiddenNamesTakeNoRoom(t *testing.T) {
	b := setup(t)
	for _, name := range []string{"a", "b", "c", "d"} {
		b.symlink(1, "dataset", name)
		b.symlink(2, "dataset of "+name, name)
	}
	b.fold(b.active, 100)
	ask := projection.AliasRequest{Limit: 2, ValidAt: at(9), Show: hiding("b", "dataset")}
	list, next := b.listed(ask)
	require.Equal(t, []string{"a=dataset of a", "c=dataset of c"}, list)
	ask.After = next
	list, next = b.listed(ask)
	require.Equal(t, []string{"d=dataset of d"}, list)
	require.Zero(t, next)
}

func TestOfTwoRegistrationsTheOneStatedLastRules(t *testing.T) {
	for _, second := range []string{"one", "two"} {
		t.Run(second, func(t *testing.T) {
			b := setup(t)
			first := map[string]string{"one": "two", "two": "one"}[second]
			b.state(2, registered("alias", second))
			b.state(1, registered("alias", first))
			b.fold(b.active, 100)
			of := table(second)
			list, _ := b.listed(projection.AliasRequest{Of: &of, ValidAt: at(9)})
			require.ElementsMatch(t, []string{"alias=" + second + " not " + first, "-alias=" + first + " not " + second}, list)
		})
	}
}

func TestWithdrawnSymlinkJoinsNothing(t *testing.T) {
	b := setup(t)
	b.complete(story{run: "r1", job: "write", minute: 1, inputs: []string{"src"}, outputs: []string{"path"}})
	b.complete(story{run: "r2", job: "query", minute: 2, inputs: []string{"table"}, outputs: []string{"report"}})
	b.symlink(0, "path", "table")
	declared := b.log[len(b.log)-1]
	b.logged(lineage.FormatOpenLineage, withSymlinks(story{run: "r3", job: "look", kind: lineage.Running, minute: 3, inputs: []string{"path"}}, symlinks{"path": {"table"}}))
	observed := b.log[len(b.log)-1]
	b.fold(b.active, 100)
	withdraw := func(minute int, entry lineage.Entry) {
		b.state(minute, lineage.Withdrawal{Event: lineage.Sender{Producer: entry.Producer, EventID: entry.EventID}})
		b.fold(b.active, 100)
	}
	withdraw(4, declared)
	require.Equal(t, []string{"path→report", "src→path"}, pairs(b.below("src", 10)), "the run said so too")
	require.Equal(t, []string{"src→path"}, pairs(b.below("src", 2)), "but later")
	withdraw(5, observed)
	require.Equal(t, []string{"src→path"}, pairs(b.below("src", 10)))
}

func TestClassShowsUnderTheNameThatAPersonChose(t *testing.T) {
	b := setup(t)
	b.complete(story{run: "r1", job: "write", minute: 1, inputs: []string{"src"}, outputs: []string{"a"}})
	b.symlink(0, "a", "b")
	canonical := registered("c", "b")
	canonical.Canonical = true
	b.state(0, canonical)
	b.fold(b.active, 100)
	answer := b.below("src", 10)
	require.Equal(t, []string{"src→c"}, pairs(answer))
	require.Len(t, answer.Nodes[1].Aliases, 2)
	require.Equal(t, []string{"src→c"}, pairs(b.traverse(request(dataset("a"), projection.Upstream))))
}

func TestOfTwoNamesOfAnOutputTheOneWrittenLastRules(t *testing.T) {
	b := setup(t)
	b.complete(story{run: "r1", job: "load", minute: 1, inputs: []string{"a"}, outputs: []string{"path"}})
	b.complete(story{run: "r2", job: "load", minute: 2, inputs: []string{"b"}, outputs: []string{"table"}})
	b.symlink(0, "path", "table")
	b.fold(b.active, 100)
	require.Equal(t, []string{"a→path?", "b→path"}, pairs(b.traverse(request(dataset("path"), projection.Upstream))))
	require.Equal(t, []string{"a→path?"}, pairs(b.below("a", 10)), "downstream too")
	require.Equal(t, []string{"b→path"}, pairs(b.below("b", 10)))
	lapsed := b.below("a", 10).Edges[0]
	require.Equal(t, at(2), lapsed.ValidTo)
	strict := request(dataset("a"), projection.Downstream)
	strict.Lookback = 0
	require.Empty(t, b.traverse(strict).Edges)

	b.complete(story{run: "r3", job: "load", minute: 3, inputs: []string{"a"}, outputs: []string{"path"}})
	b.fold(b.active, 100)
	require.Equal(t, []string{"a→path", "b→path?"}, pairs(b.traverse(request(dataset("table"), projection.Upstream))))
	require.Equal(t, at(3), b.below("b", 10).Edges[0].ValidTo)
}

func TestOneEdgeShowsOnceUnderAllNames(t *testing.T) {
	b := setup(t)
	b.complete(story{run: "r1", job: "load", minute: 1, inputs: []string{"a", "a table"}, outputs: []string{"path", "table"}})
	b.symlink(0, "path", "table")
	b.symlink(0, "a", "a table")
	b.fold(b.active, 100)
	require.Equal(t, []string{"a→path"}, pairs(b.below("a", 10)))
	require.Equal(t, []string{"a→path"}, pairs(b.traverse(request(dataset("table"), projection.Upstream))))
}

func TestSilentWriteUnderAnotherNameHidesNothing(t *testing.T) {
	b := setup(t)
	b.complete(story{run: "r1", job: "load", minute: 1, inputs: []string{"a"}, outputs: []string{"path"}})
	b.complete(story{run: "r2", job: "load", minute: 2, outputs: []string{"table"}})
	b.symlink(0, "path", "table")
	b.fold(b.active, 100)
	require.Equal(t, []string{"a→path"}, pairs(b.traverse(request(dataset("path"), projection.Upstream))))
}

// change tells that a table was created, or renamed from another name.
func (b *bundle) change(minute int, table, change, from string) {
	facet := map[string]any{"lifecycleStateChange": change}
	if from != "" {
		facet["previousIdentifier"] = map[string]any{"namespace": "warehouse", "name": from}
	}
	document, err := json.Marshal(map[string]any{
		"eventTime": at(minute).Format(time.RFC3339),
		"dataset":   map[string]any{"namespace": "warehouse", "name": table, "facets": map[string]any{"lifecycleStateChange": facet}},
	}, json.Deterministic(true))
	require.NoError(b.t, err)
	b.logged(lineage.FormatOpenLineage, document)
}

func TestRenamedTableGoesOnUnderItsNewName(t *testing.T) {
	b := setup(t)
	b.complete(story{run: "r1", job: "write", minute: 1, inputs: []string{"src"}, outputs: []string{"old"}})
	b.complete(story{run: "r2", job: "query", minute: 7, inputs: []string{"new"}, outputs: []string{"report"}})
	b.change(5, "new", "RENAME", "old")
	b.fold(b.active, 100)
	require.Equal(t, []string{"src→old"}, pairs(b.below("src", 4)))
	require.Equal(t, []string{"new→report", "src→new"}, pairs(b.below("src", 8)))

	b.change(9, "old", "CREATE", "")
	b.fold(b.active, 100)
	require.Equal(t, []string{"new→report", "src→new"}, pairs(b.below("src", 8)))
	require.Equal(t, []string{"new→report", "src→new"}, pairs(b.below("src", 10)), "the old name is that of another table now")
	for _, minute := range []int{8, 10} {
		require.Equal(t, at(9), b.below("src", minute).Nodes[1].Aliases[0].To)
	}
}

// TestTablesThatSwapNames builds the next version of a table under another name, moves the old one away and the new one in.
func TestTablesThatSwapNames(t *testing.T) {
	b := setup(t)
	for day := range 2 {
		minute := day * 20
		b.change(minute, "build", "CREATE", "")
		b.complete(story{run: fmt.Sprint("r", day), job: "build", minute: minute + 1, inputs: []string{"src"}, outputs: []string{"build"}})
		b.change(minute+2, "table_old", "RENAME", "table")
		b.change(minute+4, "table", "RENAME", "build")
	}
	b.fold(b.active, 3)
	for day := range 2 {
		minute := day * 20
		require.Equal(t, [][]string{{"src→build"}, {"src→build", "src→table"}}[day], pairs(b.below("src", minute+1)), "while the next is built, the table has its sources")
		require.Len(t, b.below("table", minute+3).Nodes[0].Aliases, 1+day, "between the two renamings the table has its old name, and has had the one that it was built under")
		require.Equal(t, "table", b.below("table_old", minute+3).Nodes[0].Name)
		joined := b.below("src", minute+5)
		require.Equal(t, [][]string{{"src→build"}, {"src→build", "src→table_old"}}[day], pairs(joined), "the old one has its own")
		require.Equal(t, []lineage.DatasetID{table("build"), table("table")}, []lineage.DatasetID{joined.Nodes[1].Aliases[0].Name, joined.Nodes[1].Aliases[0].Of})
		require.Equal(t, at(minute+4), b.below("table_old", minute+5).Nodes[0].Aliases[0].To)
	}
}

func TestHiddenNameJoinsAndPartsNothing(t *testing.T) {
	b := setup(t)
	b.complete(story{run: "r1", job: "write", minute: 1, inputs: []string{"src"}, outputs: []string{"path"}})
	b.complete(story{run: "r2", job: "query", minute: 2, inputs: []string{"table"}, outputs: []string{"report"}})
	b.symlink(0, "secret", "path", "table")
	b.fold(b.active, 100)
	require.Equal(t, []string{"path→report", "src→path"}, pairs(b.below("src", 10)))
	ask := request(dataset("src"), projection.Downstream)
	ask.Show = hiding("secret")
	require.Equal(t, []string{"src→path"}, pairs(b.traverse(ask)), "only the hidden name joins them")
	require.Empty(t, b.traverse(ask).Nodes[1].Aliases)

	b.symlink(1, "path", "table")
	b.symlink(3, "secret", "table") // gives it away, as those see who may
	b.fold(b.active, 100)
	require.Equal(t, []string{"path→report", "src→path"}, pairs(b.traverse(ask)))
	require.Equal(t, []string{"src→path"}, pairs(b.below("src", 10)))
}

// TestAnswerIsThatOfTheGraphWithoutTheHiddenNames draws symlinks and hides a name: to those who may not see it, it is as if
// nothing had ever been said of it.
func TestAnswerIsThatOfTheGraphWithoutTheHiddenNames(t *testing.T) {
	b := setup(t)
	random := rand.New(rand.NewPCG(11, 4))
	const hidden = "n0"
	name := func() string { return fmt.Sprint("n", random.IntN(5)) }
	without := &bundle{t: t, ctx: b.ctx, pool: b.pool, store: b.store}
	shadow, err := b.store.Create(b.ctx, "without", nil)
	require.NoError(t, err)
	for minute := range 40 {
		if random.IntN(3) > 0 {
			of, called := name(), []string{"n1", name()}
			b.symlink(minute, of, called...)
			if of == hidden {
				without.symlink(minute, "elsewhere", "nowhere") // so that both logs are of one length
				continue
			}
			without.symlink(minute, of, slices.DeleteFunc(called, func(name string) bool { return name == hidden })...)
			continue
		}
		s := story{run: fmt.Sprint("r", minute), job: fmt.Sprint("job", random.IntN(2)), minute: minute, inputs: []string{name()}, outputs: []string{name()}}
		if s.inputs[0] == hidden || s.outputs[0] == hidden {
			continue // a statement with a hidden end is another law's matter
		}
		b.complete(s)
		without.complete(s)
	}
	b.fold(b.active, 7)
	without.fold(shadow.ID, 7)
	type question struct {
		start     string
		minute    int
		direction projection.Direction
	}
	ask := func(b *bundle, q question) ([]string, error) {
		r := request(dataset(q.start), q.direction)
		r.ValidAt, r.Show = at(q.minute), hiding(hidden)
		answer, err := b.store.Traverse(b.ctx, r)
		list := pairs(answer)
		for _, node := range answer.Nodes {
			for _, alias := range node.Aliases {
				list = append(list, fmt.Sprint(node.Name, ": ", alias.Name.Name, "=", alias.Of.Name, " from ", alias.From, " to ", alias.To))
			}
		}
		slices.Sort(list)
		return list, err
	}
	got := map[question][]string{}
	for minute := range 40 {
		for n := range 4 {
			q := question{fmt.Sprint("n", n+1), minute, []projection.Direction{projection.Upstream, projection.Downstream}[minute%2]}
			got[q], _ = ask(b, q)
		}
	}
	require.NoError(t, b.store.Switch(b.ctx, shadow.ID))
	joined := 0
	for q, answer := range got {
		want, _ := ask(without, q)
		require.Equal(t, want, answer, "%v", q)
		joined += len(answer)
	}
	require.Positive(t, joined)
}

package projection_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/headwater-data/headwater/lineage"
	"github.com/headwater-data/headwater/projection"
)

// blueGreen tells of a table that is renamed away at minute 5, and made anew of something else from minute 9 on.
func blueGreen(t *testing.T) *bundle {
	t.Helper()
	b := setup(t)
	b.complete(story{run: "r1", job: "write", minute: 1, inputs: []string{"src"}, outputs: []string{"old"}})
	b.change(5, "new", "RENAME", "old")
	b.change(9, "old", "CREATE", "")
	b.complete(story{run: "r2", job: "write", minute: 10, inputs: []string{"other"}, outputs: []string{"old"}})
	b.fold(b.active, 3)
	return b
}

func TestRenamedTableKeepsItsSourcesOnceItsOldNameIsTaken(t *testing.T) {
	b := blueGreen(t)
	require.Equal(t, []string{"src→new"}, b.upstreamAt(8, "new"))
	require.Equal(t, []string{"src→new"}, b.upstreamAt(9, "new"))
	require.Equal(t, []string{"src→new"}, b.upstreamAt(30, "new"))
	require.Equal(t, []string{"src→new"}, pairs(b.below("src", 30)))
	require.Empty(t, b.upstreamAt(9, "old"))
	require.Equal(t, []string{"other→old"}, b.upstreamAt(30, "old"))
	require.Equal(t, []string{"other→old"}, pairs(b.below("other", 30)))
	edge := b.below("src", 30).Edges[0]
	require.Equal(t, at(1), edge.ValidFrom)
	require.Equal(t, at(1), edge.LastObservedAt)
	require.Equal(t, lineage.Forever, edge.ValidTo)
	require.Equal(t, []string{"src→new"}, pairs(b.traverse(request(dataset("new"), projection.Upstream))))
}

func TestSchemaGoesWithARenamedTable(t *testing.T) {
	b := setup(t)
	b.write(written{run: "first", output: "old", minute: 1, inputs: []string{"src"}, columns: []string{"id", "name"}})
	b.change(5, "new", "RENAME", "old")
	b.change(9, "old", "CREATE", "")
	b.fold(b.active, 3)
	require.Equal(t, []string{"id", "name"}, b.columnsAt("new", 8))
	require.Equal(t, []string{"id", "name"}, b.columnsAt("new", 30))
	require.Nil(t, b.columnsAt("old", 30))
	b.write(written{run: "second", output: "old", minute: 12, columns: []string{"id", "name"}})
	b.write(written{run: "third", output: "new", minute: 14, columns: []string{"id"}})
	b.fold(b.active, 3)
	require.Equal(t, []string{"id", "name"}, b.columnsAt("old", 30))
	require.Equal(t, []string{"id"}, b.columnsAt("new", 30))
}

func TestFieldsOfARenamedTableKeepTheirSources(t *testing.T) {
	b := setup(t)
	b.mapped("r1", "write", 1, "a", "old", "x<-a.i", "*<-a.key JOIN")
	b.change(5, "new", "RENAME", "old")
	b.mapped("r2", "read", 6, "new", "report", "x<-new.x")
	b.change(9, "old", "CREATE", "")
	b.mapped("r3", "write", 10, "c", "old", "x<-c.k")
	b.fold(b.active, 3)
	up := b.traverse(request(field("report.x"), projection.Upstream))
	require.Equal(t, []string{"a.i→new.x IDENTITY", "a.key→new ~JOIN", "new.x→report.x IDENTITY"}, links(up.Edges))
	require.Empty(t, up.TableEdges, "the table is accounted for by what was stated of its old name")
	require.Equal(t, []string{"a.i→new.x IDENTITY", "new.x→report.x IDENTITY"}, links(b.traverse(request(field("a.i"), projection.Downstream)).Edges))
	require.Equal(t, []string{"c.k→old.x IDENTITY"}, links(b.traverse(request(field("old.x"), projection.Upstream)).Edges))
	require.Equal(t, []string{"c.k→old.x IDENTITY"}, links(b.traverse(request(field("c.k"), projection.Downstream)).Edges))
}

func TestJobShowsWithWhatItWroteUnderAFormerName(t *testing.T) {
	b := blueGreen(t)
	b.complete(story{run: "r3", job: "once", minute: 3, inputs: []string{"seed"}, outputs: []string{"old"}})
	b.fold(b.active, 3)
	job := lineage.JobID{Namespace: "scheduler", Name: "once"}.Node()
	require.Equal(t, []string{"once→new"}, pairs(b.traverse(request(job, projection.Downstream))))
	require.Equal(t, []string{"seed→once"}, pairs(b.traverse(request(job, projection.Upstream))))
	require.Equal(t, []string{"seed→new", "src→new"}, b.upstreamAt(30, "new"))
}

func TestWriteUnderTheNewNameReplacesWhatItsJobWroteUnderTheFormer(t *testing.T) {
	b := blueGreen(t)
	b.complete(story{run: "r3", job: "write", minute: 20, inputs: []string{"third"}, outputs: []string{"new"}})
	b.fold(b.active, 3)
	require.Equal(t, []string{"src→new?", "third→new"}, b.upstreamAt(30, "new"))
	require.Equal(t, []string{"src→new?"}, pairs(b.below("src", 30)))
	require.Equal(t, at(20), b.below("src", 30).Edges[0].ValidTo)
	require.Equal(t, []string{"src→new"}, b.upstreamAt(15, "new"))
	require.Equal(t, []string{"other→old"}, b.upstreamAt(30, "old"))
}

func TestWhatIsDeclaredOfANameStaysWithIt(t *testing.T) {
	b := setup(t)
	b.stateEdge(2, edge("upload", "old"))
	b.change(5, "new", "RENAME", "old")
	b.change(9, "old", "CREATE", "")
	b.fold(b.active, 3)
	require.Equal(t, []string{"upload→old"}, b.upstreamAt(30, "old"))
	require.Empty(t, b.upstreamAt(30, "new"))
}

func TestTableThatIsGivenTheNameOfADroppedOneExists(t *testing.T) {
	b := setup(t)
	b.complete(story{run: "r1", job: "first", minute: 1, inputs: []string{"a"}, outputs: []string{"table"}})
	b.complete(story{run: "r2", job: "second", minute: 2, inputs: []string{"b"}, outputs: []string{"build"}})
	b.change(5, "table", "DROP", "")
	b.change(6, "table", "RENAME", "build")
	b.fold(b.active, 3)
	require.Equal(t, at(5), b.droppedAt("table", 5))
	require.Zero(t, b.droppedAt("table", 30))
	require.Equal(t, []string{"b→build"}, b.upstreamAt(30, "table"))
	b.change(9, "build", "CREATE", "")
	b.fold(b.active, 3)
	require.Zero(t, b.droppedAt("table", 30))
	require.Equal(t, []string{"b→table"}, b.upstreamAt(30, "table"))
}

func TestCreationByAJobThatTheCallerMayNotSeeEndsNoRenaming(t *testing.T) {
	b := setup(t)
	b.complete(story{run: "r1", job: "write", minute: 1, inputs: []string{"src"}, outputs: []string{"old"}})
	b.change(5, "new", "RENAME", "old")
	b.write(written{run: "create", output: "old", minute: 9, change: "CREATE"})
	b.fold(b.active, 3)
	r := request(dataset("src"), projection.Downstream)
	require.Equal(t, at(9), b.traverse(r).Nodes[1].Aliases[0].To)
	r.Show = hiding("job create")
	require.Equal(t, lineage.Forever, b.traverse(r).Nodes[1].Aliases[0].To)
}

func TestWhatWasRolledBackIsNotCarriedOver(t *testing.T) {
	b := blueGreen(t)
	b.rollBack(story{run: "r1", job: "write"}, "old", 20)
	b.fold(b.active, 3)
	require.Equal(t, []string{"src→new"}, b.upstreamAt(19, "new"))
	require.Empty(t, b.upstreamAt(30, "new"))
	require.Equal(t, []string{"other→old"}, b.upstreamAt(30, "old"))
}

func TestAllNamesOfARenamedTableAreFormerOnes(t *testing.T) {
	b := setup(t)
	b.symlink(0, "old", "path")
	b.complete(story{run: "r1", job: "write", minute: 1, inputs: []string{"src"}, outputs: []string{"path"}})
	b.change(5, "new", "RENAME", "old")
	b.change(9, "old", "CREATE", "")
	b.complete(story{run: "r2", job: "write", minute: 10, inputs: []string{"other"}, outputs: []string{"path"}})
	b.fold(b.active, 3)
	require.Equal(t, []string{"src→new"}, b.upstreamAt(8, "new"))
	require.Equal(t, []string{"src→new"}, b.upstreamAt(30, "new"))
	require.Equal(t, []string{"src→new"}, pairs(b.below("src", 30)))
	for _, name := range []string{"old", "path"} {
		require.Equal(t, []string{"other→old"}, b.upstreamAt(30, name))
		require.Empty(t, b.upstreamAt(9, name))
	}
}

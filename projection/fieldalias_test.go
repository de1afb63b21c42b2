package projection_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/headwater-data/headwater/projection"
)

func TestFieldsOfOneTableWithTwoNamesAreOne(t *testing.T) {
	b := setup(t)
	b.mapped("r1", "ab", 1, "a", "path", "x<-a.i", "*<-a.key JOIN")
	b.mapped("r2", "bc", 2, "table", "c", "x<-table.x")
	b.symlink(3, "path", "table")
	b.fold(b.active, 100)
	up := b.traverse(request(field("c.x"), projection.Upstream))
	shown := up.Nodes[1].Name
	require.Contains(t, []string{"path", "table"}, shown)
	want := []string{"a.i→" + shown + ".x IDENTITY", "a.key→" + shown + " ~JOIN", shown + ".x→c.x IDENTITY"}
	require.ElementsMatch(t, want, links(up.Edges))
	require.Empty(t, up.TableEdges, "the tables are accounted for under either name")
	require.ElementsMatch(t, []string{want[0], want[2]}, links(b.traverse(request(field("a.i"), projection.Downstream)).Edges))
	for _, name := range []string{"path.x", "table.x"} {
		require.ElementsMatch(t, want[:2], links(b.traverse(request(field(name), projection.Upstream)).Edges), name)
	}
	r := request(field("c.x"), projection.Upstream)
	r.Show = hiding("path")
	require.Equal(t, []string{"table.x→c.x IDENTITY"}, links(b.traverse(r).Edges), "a hidden name joins nothing")
}

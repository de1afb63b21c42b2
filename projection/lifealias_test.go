package projection_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/headwater-data/headwater/lineage"
	"github.com/headwater-data/headwater/projection"
)

// droppedUnderAnotherName tells of a table that is written by its path, and dropped by the name that a metastore has for it.
func droppedUnderAnotherName(t *testing.T) *bundle {
	t.Helper()
	b := setup(t)
	path := story{
		run: "load", job: "load", minute: 1, inputs: []string{"orders"}, outputs: []string{"path"},
		outputFacets: map[string]map[string]any{"path": {
			"symlinks": symlinksFacet([]string{"table"})["symlinks"],
			"schema":   map[string]any{"fields": []any{map[string]any{"name": "id"}}},
		}},
	}
	b.complete(path)
	b.write(written{run: "drop", output: "table", minute: 5, change: "DROP"})
	b.fold(b.active, 1)
	return b
}

func TestDatasetThatIsDroppedUnderOneOfItsNamesIsDropped(t *testing.T) {
	b := droppedUnderAnotherName(t)
	r := request(dataset("orders"), projection.Downstream)
	r.ValidAt = at(4)
	require.Empty(t, droppedNodes(b.traverse(r)))
	r.ValidAt = at(30)
	require.Equal(t, map[string]time.Time{"path": at(5)}, droppedNodes(b.traverse(r)))
	answer, err := b.store.GetNode(b.ctx, projection.NodeRequest{Node: dataset("table"), ValidAt: at(30), Show: everything})
	require.NoError(t, err)
	require.Equal(t, at(5), answer.DroppedAt)
	require.Nil(t, answer.Schemas.At(at(30)))
	require.Equal(t, []lineage.DatasetID{{Namespace: "warehouse", Name: "table"}}, answer.Aliases)
}

func TestDatasetThatIsMadeAgainUnderAnotherOfItsNamesHasBegunAnew(t *testing.T) {
	b := droppedUnderAnotherName(t)
	b.write(written{run: "reload", output: "path", minute: 20, inputs: []string{"orders_v2"}})
	b.fold(b.active, 1)
	require.Equal(t, []string{"orders_v2→path", "orders→path?"}, b.upstreamAt(30, "table"))
	r := request(dataset("table"), projection.Upstream)
	r.ValidAt = at(30)
	require.Empty(t, droppedNodes(b.traverse(r)))
}

package projection

import (
	"encoding/binary"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/headwater-data/headwater/lineage"
)

func numbered(n int) (id lineage.NodeID) {
	binary.BigEndian.PutUint64(id[:], uint64(n))
	return id
}

func TestNodeCacheKeepsProjectionsApart(t *testing.T) {
	var cache nodeCache
	orders := nodeRecord{Node: lineage.DatasetID{Namespace: "warehouse", Name: "orders"}.Node(), recordedFrom: 7}
	cache.add(1, map[lineage.NodeID]nodeRecord{numbered(1): orders})

	found, missing := cache.get(1, []lineage.NodeID{numbered(1), numbered(2)})
	require.Equal(t, map[lineage.NodeID]nodeRecord{numbered(1): orders}, found)
	require.Equal(t, []lineage.Hash{lineage.Hash(numbered(2))}, missing)
	found, missing = cache.get(2, []lineage.NodeID{numbered(1)})
	require.Empty(t, found)
	require.Len(t, missing, 1)
}

func TestNodeCacheForgetsWhatIsNotAskedFor(t *testing.T) {
	var cache nodeCache
	for n := range 5 * nodesPerGeneration {
		cache.add(1, map[lineage.NodeID]nodeRecord{numbered(n): {recordedFrom: lineage.Offset(n)}})
		if n%1000 == 0 {
			found, _ := cache.get(1, []lineage.NodeID{numbered(0)})
			require.Len(t, found, 1, "node 0 is asked for all the time")
		}
	}
	require.LessOrEqual(t, len(cache.recent)+len(cache.older), 2*nodesPerGeneration)
	found, _ := cache.get(1, []lineage.NodeID{numbered(1), numbered(5*nodesPerGeneration - 1)})
	require.Len(t, found, 1, "node 1 was not")
}

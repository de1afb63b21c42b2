package projection

import (
	"sync"

	"github.com/headwater-data/headwater/lineage"
)

// nodeRecord is a row of table node, without its key.
type nodeRecord struct {
	lineage.Node
	recordedFrom lineage.Offset
}

// nodeCache remembers nodes. A row of table node never changes, so it needs no invalidation. It is safe for concurrent
// use.
type nodeCache struct {
	mutex sync.Mutex
	// recent are the nodes asked for of late. When they are as many as fit, they become the older ones, and the older
	// ones are forgotten.
	recent, older map[nodeCacheKey]nodeRecord
}

type nodeCacheKey struct {
	projection ID
	node       lineage.NodeID
}

// nodesPerGeneration is half of how many nodes are remembered. A node takes some 250 bytes.
const nodesPerGeneration = 1 << 16

// get gives those of the nodes that are remembered, and lists the others.
func (c *nodeCache) get(projection ID, ids []lineage.NodeID) (found map[lineage.NodeID]nodeRecord, missing []lineage.Hash) {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	found = make(map[lineage.NodeID]nodeRecord, len(ids))
	for _, id := range ids {
		key := nodeCacheKey{projection, id}
		record, ok := c.recent[key]
		if !ok {
			if record, ok = c.older[key]; ok {
				c.put(key, record)
			}
		}
		if ok {
			found[id] = record
		} else {
			missing = append(missing, lineage.Hash(id))
		}
	}
	return found, missing
}

// add remembers nodes.
func (c *nodeCache) add(projection ID, nodes map[lineage.NodeID]nodeRecord) {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	for id, record := range nodes {
		c.put(nodeCacheKey{projection, id}, record)
	}
}

func (c *nodeCache) put(key nodeCacheKey, record nodeRecord) {
	if c.recent == nil || len(c.recent) >= nodesPerGeneration {
		c.recent, c.older = map[nodeCacheKey]nodeRecord{}, c.recent
	}
	c.recent[key] = record
}

package policy

import (
	"sync"

	"github.com/headwater-data/headwater/lineage"
)

// maxRemembered bounds what one set remembers, at some 200 bytes a node. Beyond it, everything is forgotten.
const maxRemembered = 200_000

// memory keeps what a set has decided about nodes, by caller: deciding costs a hundred times as much. It lasts as long
// as the set, since another revision may decide otherwise. It is safe for concurrent use.
type memory struct {
	mutex sync.RWMutex
	shown map[sighting]bool
}

// sighting is a node as one caller asks about it.
type sighting struct {
	// caller is all that the policy is told of who asks.
	caller string
	node   lineage.Node
}

// recall adds to shown what is remembered of nodes, and returns those of which nothing is, each once.
func (m *memory) recall(caller string, nodes []lineage.Node, shown map[lineage.Node]bool) (unknown []lineage.Node) {
	m.mutex.RLock()
	defer m.mutex.RUnlock()
	asked := map[lineage.Node]bool{}
	for _, node := range nodes {
		if _, known := shown[node]; known || asked[node] {
			continue
		}
		if show, known := m.shown[sighting{caller, node}]; known {
			shown[node] = show
			continue
		}
		asked[node] = true
		unknown = append(unknown, node)
	}
	return unknown
}

// remember keeps what was decided about nodes.
func (m *memory) remember(caller string, nodes []lineage.Node, shown map[lineage.Node]bool) {
	m.mutex.Lock()
	defer m.mutex.Unlock()
	if m.shown == nil || len(m.shown)+len(nodes) > maxRemembered {
		m.shown = map[sighting]bool{}
	}
	for _, node := range nodes {
		m.shown[sighting{caller, node}] = shown[node]
	}
}

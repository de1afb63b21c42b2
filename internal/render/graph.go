package render

import (
	"cmp"
	"slices"

	headwaterv1 "github.com/headwater-data/headwater/gen/headwater/v1"
)

// graph is a traversal as seen from its start.
type graph struct {
	start *headwaterv1.Node
	nodes map[string]*headwaterv1.Node
	// steps lead from a node to those one hop farther, by name.
	steps map[string][]step
	gaps  map[string][]*headwaterv1.Gap
}

// step is one hop, and all the edges that make it.
type step struct {
	to    *headwaterv1.Node
	edges []*headwaterv1.Edge
	// note says what to is to the node before it where no edge does.
	note string
}

func newGraph(answer *headwaterv1.TraverseResponse, direction headwaterv1.Direction) graph {
	g := graph{
		nodes: map[string]*headwaterv1.Node{},
		steps: map[string][]step{},
		gaps:  map[string][]*headwaterv1.Gap{},
	}
	for i, node := range answer.GetNodes() {
		if i == 0 {
			g.start = node
		}
		g.nodes[node.GetId()] = node
	}
	for _, edge := range answer.GetEdges() {
		near, far := edge.GetTo(), edge.GetFrom()
		if direction == headwaterv1.Direction_DIRECTION_DOWNSTREAM {
			near, far = far, near
		}
		g.addEdge(near, far, edge)
	}
	for _, steps := range g.steps {
		slices.SortStableFunc(steps, func(a, b step) int { return cmp.Compare(name(a.to), name(b.to)) })
	}
	g.linkParts(answer.GetNodes())
	for _, gap := range answer.GetGaps() {
		if isColumnGap(gap) {
			continue
		}
		g.gaps[gap.GetNode()] = append(g.gaps[gap.GetNode()], gap)
	}
	return g
}

func (g graph) addEdge(near, far string, edge *headwaterv1.Edge) {
	to, ok := g.nodes[far]
	if !ok {
		return // an answer that names no such node cannot be drawn
	}
	steps := g.steps[near]
	for i := range steps {
		if steps[i].to == to {
			steps[i].edges = append(steps[i].edges, edge)
			return
		}
	}
	g.steps[near] = append(steps, step{to: to, edges: []*headwaterv1.Edge{edge}})
}

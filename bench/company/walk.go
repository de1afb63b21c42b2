package company

// Around is what lies within some hops of a node.
type Around struct {
	// Depth holds the distance of each node, the start at 0.
	Depth map[Node]int
	Edges map[Edge]bool
	// More reports whether edges lie behind the last hop.
	More bool
}

// Upstream is what feeds a node, over up to that many hops.
func (g *Graph) Upstream(start Node, hops int) Around {
	return walk(start, hops, g.Into, func(e Edge) Node { return Node{Number: int32(e.From)} })
}

// Downstream is what a node feeds, over up to that many hops.
func (g *Graph) Downstream(start Node, hops int) Around {
	return walk(start, hops, g.OutOf, func(e Edge) Node { return e.To })
}

func walk(start Node, hops int, edges func(Node) []Edge, far func(Edge) Node) Around {
	around := Around{Depth: map[Node]int{start: 0}, Edges: map[Edge]bool{}}
	frontier := []Node{start}
	for hop := 1; hop <= hops; hop++ {
		var next []Node
		for _, node := range frontier {
			for _, edge := range edges(node) {
				around.Edges[edge] = true
				if end := far(edge); !around.has(end) {
					around.Depth[end] = hop
					next = append(next, end)
				}
			}
		}
		frontier = next
	}
	for _, node := range frontier {
		around.More = around.More || len(edges(node)) > 0
	}
	return around
}

func (a Around) has(node Node) bool {
	_, ok := a.Depth[node]
	return ok
}

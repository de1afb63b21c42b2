package projection

import "github.com/headwater-data/headwater/lineage"

// jobEnds are the jobs at which a walk one way ends, unless something else leads on: those that only stand for inputs which are
// not known, or that only read what they pass on to nothing. That a job does both says not that the one feeds the other.
type jobEnds map[lineage.NodeID]bool

// note takes in the steps of a hop, before the nodes that they reach are visited. A job that a step feeds, or that feeds one by
// what a lineage facet says, is no end.
func (e jobEnds) note(steps []step, direction Direction, visited map[lineage.NodeID]bool) {
	leads := map[lineage.NodeID]bool{}
	for _, s := range steps {
		far := s.far(direction)
		leads[far] = leads[far] || !s.ends(direction)
	}
	for far, leads := range leads {
		_, noted := e[far]
		switch {
		case leads:
			e[far] = false
		case !noted && !visited[far]:
			e[far] = true
		}
	}
}

// passes reports whether a step crosses a job that is an end.
func (e jobEnds) passes(s step, direction Direction) bool {
	if direction == Upstream {
		return e[s.to] && s.ends(Downstream)
	}
	return e[s.from] && s.ends(Upstream)
}

// ends reports whether a step one way reaches a job of which it does not tell what lies behind.
func (s step) ends(direction Direction) bool {
	if direction == Upstream {
		return s.standIn
	}
	return s.passage.job != nil && s.to == *s.passage.job && s.passage.derivation == lineage.InputsTimesOutputs
}

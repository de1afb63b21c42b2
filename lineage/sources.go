package lineage

// Sources are the inputs that facets name for one target. A facet replaces what earlier ones said in a run that
// ends. In a continuous run, where each facet speaks of what happened since, they add up.
type Sources struct {
	// Last is what the last facet names.
	Last Latest[[]Node] `json:"last"`
	// Since is the moment of the first facet, whatever it names.
	Since Moment `json:"since"`
	// Named is all that any facet names, sorted.
	Named []Source `json:"named,omitempty"`
}

// Source is an input with the earliest moment at which a facet named it.
type Source struct {
	Node
	Since Moment `json:"since"`
}

func newSources(at Moment, inputs []Node) Sources {
	s := Sources{Last: Latest[[]Node]{at, inputs}, Since: at}
	for _, input := range inputs {
		s.Named = append(s.Named, Source{input, at})
	}
	return s
}

// said reports whether any facet spoke.
func (s *Sources) said() bool { return s.Last.said() }

func (s *Sources) join(other Sources) {
	switch {
	case !other.said():
		return
	case !s.said():
		*s = other
		return
	}
	s.Last.offer(other.Last.Moment, other.Last.Value)
	s.Since = earlier(s.Since, other.Since)
	s.Named = unite(s.Named, other.Named, compareSources, (*Source).join)
}

// appendFirsts adds the moments at which something was said for the first time.
func (s *Sources) appendFirsts(moments []Moment) []Moment {
	if !s.said() {
		return moments
	}
	moments = append(moments, s.Since)
	for _, source := range s.Named {
		moments = append(moments, source.Since)
	}
	return moments
}

func compareSources(a, b Source) int { return a.Node.Compare(b.Node) }

func (s *Source) join(other Source) { s.Since = earlier(s.Since, other.Since) }

package lineage

import (
	"iter"
	"slices"
	"time"
)

// sameOutputs gives the outputs name by name. Only name rules unite several.
func sameOutputs(sorted []Output) iter.Seq[[]Output] {
	return func(yield func([]Output) bool) {
		for len(sorted) > 0 {
			of := 1
			for of < len(sorted) && sorted[of].DatasetID == sorted[0].DatasetID {
				of++
			}
			if !yield(sorted[:of:of]) {
				return
			}
			sorted = sorted[of:]
		}
	}
}

// counting are those of the raw names of one output of which the run states something: the visible ones, or else those
// that were visible until a roll-back. Only name rules give an output several.
func (v *view) counting(same []Output) []Output {
	stated := those(same, func(o *Output) bool { return v.writes(o) && o.statedAt(v.until) })
	if visible := those(stated, func(o *Output) bool { return o.Publication.Visible() }); len(visible) > 0 {
		return visible
	}
	return stated
}

// those are the outputs that hold, which mostly are all: a wide run copies none of them.
func those(outputs []Output, hold func(*Output) bool) []Output {
	for i := range outputs {
		if !hold(&outputs[i]) {
			return slices.DeleteFunc(slices.Clone(outputs), func(o Output) bool { return !hold(&o) })
		}
	}
	return outputs
}

// stated is the union of what a view shows of the raw names of one output, one at least.
func (v *view) stated(same []Output) Statement {
	s := v.statement(&same[0])
	for i := range same[1:] {
		s = v.united(s, v.statement(&same[1+i]))
	}
	return s
}

// statement is what a view shows of one raw output.
func (v *view) statement(output *Output) Statement {
	flow, derivation := v.feeding(output)
	return Statement{
		Output: output.Node(), Publication: output.Publication, Content: flow, Derivation: derivation, Until: output.Until,
	}
}

// united is suspect if one of the two is, and holds as long as any. What is derived from facets is not blurred by a raw
// name that has none.
func (v *view) united(a, b Statement) Statement {
	switch {
	case a.Derivation == b.Derivation:
		a.Content = v.flows.over(slices.Concat(a.Flow().Inputs, b.Flow().Inputs))
	case b.Derivation < a.Derivation:
		a.Content, a.Derivation = b.Content, b.Derivation
	}
	if b.Publication == Suspect {
		a.Publication = Suspect
	}
	switch {
	case a.Until.IsZero() || b.Until.IsZero():
		a.Until = time.Time{}
	case b.Until.After(a.Until):
		a.Until = b.Until
	}
	return a
}

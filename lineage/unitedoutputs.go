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

// stated is the statement that a view shows of one output, which has several raw names where name rules unite them: the
// union of the visible ones, or else of those that were visible until a roll-back. ok is false where there is none.
func (v *view) stated(same []Output) (s Statement, ok bool) {
	counts := func(o *Output) bool { return o.statedAt(v.until) && v.writes(o) }
	if slices.ContainsFunc(same, func(o Output) bool { return counts(&o) && o.Publication.Visible() }) {
		counts = func(o *Output) bool { return o.Publication.Visible() && v.writes(o) }
	}
	for i := range same {
		if !counts(&same[i]) {
			continue
		}
		one := v.statement(&same[i])
		if ok {
			one = v.united(s, one)
		}
		s, ok = one, true
	}
	return s, ok
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

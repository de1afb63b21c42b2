package lineage

import (
	"slices"
	"time"
)

// view is what a run says of its inputs and outputs. A run that ends is seen whole, a continuous one as far as it
// had got by some time.
type view struct {
	run   *Run
	until time.Time
	flows flowSet
	// listedInputs and listedOutputs are what a continuous run had last listed by then as the whole of a window.
	listedInputs, listedOutputs map[DatasetID]bool
	// replaced are the inputs that the last listing leaves out.
	replaced nodeSet
	// inputs are the run's inputs, sorted. all is the flow over those that feed every output of which nothing else is known, and
	// unnamed are those that no column lineage of the run names. Beside a lineage facet there are none of either.
	inputs  []Node
	all     *Flow
	unnamed []Node
}

func newView(run *Run, until time.Time, flows flowSet) *view {
	v := &view{run: run, until: until, flows: flows, replaced: nodeSet{}}
	if run.Continuous() {
		v.listedInputs, v.listedOutputs = run.InputListings.at(until), run.OutputListings.at(until)
	}
	for _, input := range run.Inputs {
		if v.reads(&input) {
			v.inputs = append(v.inputs, input.Node())
		} else if v.knows(input.Since) {
			v.replaced[input.Node()] = true
		}
	}
	v.all = flows.over(v.inputs)
	named := nodeSet{}
	for i := range run.Outputs {
		inputs, _ := v.sources(&run.Outputs[i].Columns, run.Outputs[i].ColumnsDeleted)
		for _, input := range inputs {
			named[input] = true
		}
	}
	v.unnamed = slices.DeleteFunc(slices.Clone(v.inputs), func(n Node) bool { return named[n] })
	if v.explicit() {
		v.all, v.unnamed = flows.over(nil), nil
	}
	return v
}

// explicit reports whether a lineage facet says what feeds some target. Then it says all that the run makes of its inputs: an
// output that it does not describe is written by the job, and no more is known, as an input that it does not name is read.
// Source: OpenLineage's documentation of the lineage job facet, which allows no product of inputs and outputs beside it.
func (v *view) explicit() bool {
	return slices.ContainsFunc(v.run.Explicit, func(t Target) bool {
		_, said := v.told(&t)
		return said
	})
}

// reads and writes report whether an input or an output counts: it was named, and no later listing has replaced it.
func (v *view) reads(input *Input) bool {
	return v.knows(input.Since) && !input.Replaced && (!input.Listed || !v.run.Continuous() || v.listedInputs[input.DatasetID])
}

func (v *view) writes(output *Output) bool {
	return v.knows(output.Since) && !output.Replaced && (!output.Listed || !v.run.Continuous() || v.listedOutputs[output.DatasetID])
}

// knows reports whether something said first at that moment can be seen.
func (v *view) knows(since Moment) bool {
	return !v.run.Continuous() || !since.EffectiveAt.After(v.until)
}

// sources are the inputs that facets name for a target. said is false where none spoke, or none after the facet was deleted.
// In a continuous run facets add up, and a deletion takes nothing away.
func (v *view) sources(s *Sources, deleted Moment) (inputs []Node, said bool) {
	switch {
	case !s.said() || !v.knows(s.Since):
		return nil, false
	case !v.run.Continuous() && s.Last.Compare(deleted) < 0:
		return nil, false
	case !v.run.Continuous():
		return s.Last.Value, true
	}
	for _, source := range s.Named {
		if v.knows(source.Since) && !v.replaced[source.Node] {
			inputs = append(inputs, source.Node)
		}
	}
	return inputs, true
}

// told are the inputs that lineage facets name for a target.
func (v *view) told(t *Target) (inputs []Node, said bool) {
	return v.sources(&t.Inputs, later(v.run.LineageDeleted, t.Deleted))
}

// feeding finds what feeds an output: as a lineage facet names it; else as its column lineage does, with the inputs
// that no column lineage names; else all inputs. Beside a lineage facet, column lineage stands alone, or nothing does.
func (v *view) feeding(output *Output) (*Flow, Derivation) {
	if target := v.run.target(output.Node()); target != nil {
		if inputs, said := v.told(target); said {
			return v.flows.over(inputs), ExplicitPair
		}
	}
	if inputs, said := v.sources(&output.Columns, output.ColumnsDeleted); said {
		return v.flows.over(slices.Concat(inputs, v.unnamed)), ByColumnLineage
	}
	return v.all, InputsTimesOutputs
}

// sunk are the inputs that feed no output, visible or not, and no other job.
func (v *view) sunk() nodeSet {
	sunk := nodeSet{}
	for _, input := range v.inputs {
		sunk[input] = true
	}
	seen := map[*Flow]bool{}
	for i := range v.run.Outputs {
		flow, _ := v.feeding(&v.run.Outputs[i])
		if seen[flow] {
			continue
		}
		seen[flow] = true
		for _, input := range flow.Inputs {
			delete(sunk, input)
		}
	}
	for i := range v.run.Explicit {
		inputs, _ := v.told(&v.run.Explicit[i])
		for _, input := range inputs {
			delete(sunk, input)
		}
	}
	return sunk
}

func (r *Run) target(node Node) *Target {
	i, found := slices.BinarySearchFunc(r.Explicit, node, func(t Target, n Node) int { return t.Node.Compare(n) })
	if !found {
		return nil
	}
	return &r.Explicit[i]
}

package lineage

import "slices"

// Under is the run as name rules have it. Inputs, sources and targets that they unite are one. Outputs that they unite
// stand one after the other under the same name, each with its own publication. Key and markers stay raw.
func (r *Run) Under(names *NameRules) *Run {
	if names == nil {
		return r
	}
	named, node := *r, names.remembered()
	inputs, outputs, targets := slices.Clone(r.Inputs), slices.Clone(r.Outputs), slices.Clone(r.Explicit)
	for i := range inputs {
		inputs[i].DatasetID = names.Dataset(inputs[i].DatasetID)
	}
	for i := range outputs {
		outputs[i].Raw = outputs[i].DatasetID
		outputs[i].DatasetID = names.Dataset(outputs[i].DatasetID)
		outputs[i].Columns = outputs[i].Columns.under(node)
		outputs[i].Renames = renamesUnder(names, outputs[i].Renames)
	}
	for i := range targets {
		targets[i].Node, targets[i].Inputs = node(targets[i].Node), targets[i].Inputs.under(node)
	}
	slices.SortStableFunc(outputs, compareOutputs)
	named.Inputs = unite(nil, inputs, compareInputs, (*Input).join)
	named.Outputs = outputs
	named.Symlinks = symlinksUnder(names, r.Symlinks)
	named.InputListings, named.OutputListings = r.InputListings.under(names), r.OutputListings.under(names)
	named.Explicit = unite(nil, targets, compareTargets, (*Target).add)
	return &named
}

// remembered resolves each node once: the outputs of a wide run name the same sources over and over.
func (r *NameRules) remembered() func(Node) Node {
	known := map[Node]Node{}
	return func(raw Node) Node {
		node, ok := known[raw]
		if !ok {
			node = r.Node(raw)
			known[raw] = node
		}
		return node
	}
}

// under is what the sources are once rules unite some of them.
func (s Sources) under(node func(Node) Node) Sources {
	s.Last.Value = slices.Clone(s.Last.Value)
	for i, raw := range s.Last.Value {
		s.Last.Value[i] = node(raw)
	}
	named := slices.Clone(s.Named)
	for i := range named {
		named[i].Node = node(named[i].Node)
	}
	s.Named = unite(nil, named, compareSources, (*Source).join)
	return s
}

// add takes in another raw name of the same target.
func (t *Target) add(other Target) {
	t.Inputs.add(other.Inputs)
	t.Deleted = later(t.Deleted, other.Deleted)
}

// add takes in the sources of another raw name of the same target: unlike a later facet, they replace nothing.
func (s *Sources) add(other Sources) {
	last := slices.Concat(s.Last.Value, other.Last.Value)
	s.join(other)
	s.Last.Value = last
}

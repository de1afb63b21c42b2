package lineage

import "slices"

// addDatasets unites the inputs and outputs that one event names with those of the run. A missing or empty list
// removes nothing.
func (r *Run) addDatasets(c Contribution) {
	for _, id := range c.Inputs {
		r.addInput(id, c)
	}
	for _, id := range c.Outputs {
		r.addOutput(id, c)
	}
	for _, pairs := range c.Columns {
		output := r.addOutput(DatasetID{pairs.Target.Namespace, pairs.Target.Name}, c)
		output.Columns.offer(c.EffectiveAt, c.Content, pairs.Inputs)
	}
	for _, pairs := range c.Explicit {
		if pairs.Target.Kind == NodeDataset {
			r.addOutput(DatasetID{pairs.Target.Namespace, pairs.Target.Name}, c)
		}
		target := r.addTarget(pairs.Target, c)
		target.Inputs.offer(c.EffectiveAt, c.Content, pairs.Inputs)
	}
}

func (r *Run) addInput(id DatasetID, c Contribution) {
	i, found := slices.BinarySearchFunc(r.Inputs, id, func(in Input, id DatasetID) int { return in.Compare(id) })
	if !found {
		r.Inputs = slices.Insert(r.Inputs, i, Input{DatasetID: id, Since: c.EffectiveAt})
	} else if c.EffectiveAt.Before(r.Inputs[i].Since) {
		r.Inputs[i].Since = c.EffectiveAt
	}
}

func (r *Run) addOutput(id DatasetID, c Contribution) *Output {
	i, found := slices.BinarySearchFunc(r.Outputs, id, func(o Output, id DatasetID) int { return o.Compare(id) })
	if !found {
		r.Outputs = slices.Insert(r.Outputs, i, Output{DatasetID: id, Since: c.EffectiveAt, Publication: Pending})
	} else if c.EffectiveAt.Before(r.Outputs[i].Since) {
		r.Outputs[i].Since = c.EffectiveAt
	}
	return &r.Outputs[i]
}

func (r *Run) addTarget(node Node, c Contribution) *Target {
	i, found := slices.BinarySearchFunc(r.Explicit, node, func(t Target, n Node) int { return t.Node.Compare(n) })
	if !found {
		r.Explicit = slices.Insert(r.Explicit, i, Target{Node: node, Since: c.EffectiveAt})
	} else if c.EffectiveAt.Before(r.Explicit[i].Since) {
		r.Explicit[i].Since = c.EffectiveAt
	}
	return &r.Explicit[i]
}

package lineage

import (
	"slices"
	"time"
)

// Input is a dataset that the run reads.
type Input struct {
	DatasetID
	// Since is the earliest moment at which the run named it.
	Since Moment `json:"since"`
	// Statistics are those that the last event to report any reports.
	Statistics Latest[Statistics] `json:"statistics,omitzero"`
	// Subset is the last condition under which only a part of it was meant.
	Subset Latest[Subset] `json:"subset,omitzero"`
	// Lives are what was said of its existence, sorted. They count where the run completes.
	Lives []RunLife `json:"lives,omitempty"`
	// Listed tells that only events named it that list the whole of their windows.
	Listed bool `json:"listed,omitzero"`
	// Replaced tells that a later listing leaves it out: of a run that ends, it is no input any more.
	Replaced bool `json:"replaced,omitzero"`
}

// Output is a dataset that the run writes.
type Output struct {
	DatasetID
	// Raw is the name that the run gives it, set where name rules gave it another: see Under.
	Raw DatasetID `json:"-"`
	// Since is the earliest moment at which the run named it.
	Since Moment `json:"since"`
	// Columns are the datasets that its column lineage names.
	Columns Sources `json:"columns,omitzero"`
	// ColumnsDeleted is when its column lineage was last deleted.
	ColumnsDeleted Moment `json:"columnsDeleted,omitzero"`
	// Statistics are those that the last event to report any reports.
	Statistics Latest[Statistics] `json:"statistics,omitzero"`
	// Subset is the last condition under which only a part of it was meant.
	Subset Latest[Subset] `json:"subset,omitzero"`
	// Maps are the column maps that it was stated to have, sorted by derivation and hash.
	Maps []OutputMap `json:"maps,omitempty"`
	// Schemas are those that it was stated to have, sorted by hash.
	Schemas []OutputSchema `json:"schemas,omitempty"`
	// Lives are what was said of its existence, sorted.
	Lives []RunLife `json:"lives,omitempty"`
	// Renames are the names that it had before, sorted.
	Renames []OutputRename `json:"renames,omitempty"`
	// Listed and Replaced are as those of an Input.
	Listed   bool `json:"listed,omitzero"`
	Replaced bool `json:"replaced,omitzero"`
	// Publication is the decision that rules, else Pending; NotPublishable where the output was Replaced.
	Publication Publication `json:"publication"`
	// Until is when a roll-back ended what had been visible; zero unless one did.
	Until time.Time `json:"until,omitzero"`
}

// statedAt reports whether the run states at a time what it has of the output.
func (o *Output) statedAt(at time.Time) bool { return o.Publication.Visible() || at.Before(o.Until) }

// Target is a dataset or job whose inputs a lineage facet names.
type Target struct {
	Node
	Inputs Sources `json:"inputs"`
	// Deleted is when the facet of the output was last deleted.
	Deleted Moment `json:"deleted,omitzero"`
}

// addDatasets unites what one event names with what the run has named. A missing or empty list removes nothing.
func (r *Run) addDatasets(c Contribution) {
	var inputs []Input
	for _, id := range c.Inputs {
		inputs = append(inputs, Input{DatasetID: id, Since: c.Moment})
	}
	for _, part := range c.InputSubsets {
		inputs = append(inputs, Input{DatasetID: part.Dataset, Since: c.Moment, Subset: Latest[Subset]{c.Moment, part.Subset}})
	}
	for _, reported := range c.InputStatistics {
		inputs = append(inputs, Input{DatasetID: reported.Dataset, Since: c.Moment, Statistics: Latest[Statistics]{c.Moment, reported.Statistics}})
	}
	for _, s := range c.InputLives {
		inputs = append(inputs, Input{DatasetID: s.Dataset, Since: c.Moment, Lives: []RunLife{{s.Life, c.Moment, c.Moment}}})
	}
	var outputs []Output
	for _, id := range c.Outputs {
		outputs = append(outputs, Output{DatasetID: id, Since: c.Moment, Publication: Pending})
	}
	for _, pairs := range c.Columns {
		id := DatasetID{pairs.Target.Namespace, pairs.Target.Name}
		outputs = append(outputs, Output{DatasetID: id, Since: c.Moment, Columns: newSources(c.Moment, pairs.Inputs), Publication: Pending})
	}
	for _, m := range c.Maps {
		stated := OutputMap{Map: m.Map, Derivation: m.Derivation, First: c.Moment, Last: c.Moment}
		outputs = append(outputs, Output{DatasetID: m.Output, Since: c.Moment, Maps: []OutputMap{stated}, Publication: Pending})
	}
	for _, s := range c.Schemas {
		if !s.Read {
			stated := OutputSchema{Schema: s.Schema, First: c.Moment, Last: c.Moment}
			outputs = append(outputs, Output{DatasetID: s.Dataset, Since: c.Moment, Schemas: []OutputSchema{stated}, Publication: Pending})
		}
	}
	for _, s := range c.Lives {
		outputs = append(outputs, Output{DatasetID: s.Dataset, Since: c.Moment, Lives: []RunLife{{s.Life, c.Moment, c.Moment}}, Publication: Pending})
	}
	for _, s := range c.Renames {
		renames := []OutputRename{{s.Previous, c.Moment}}
		outputs = append(outputs, Output{DatasetID: s.Dataset, Since: c.Moment, Renames: renames, Publication: Pending})
	}
	for _, part := range c.OutputSubsets {
		outputs = append(outputs, Output{DatasetID: part.Dataset, Since: c.Moment, Subset: Latest[Subset]{c.Moment, part.Subset}, Publication: Pending})
	}
	for _, reported := range c.OutputStatistics {
		statistics := Latest[Statistics]{c.Moment, reported.Statistics}
		outputs = append(outputs, Output{DatasetID: reported.Dataset, Since: c.Moment, Statistics: statistics, Publication: Pending})
	}
	for _, id := range c.Deleted.Columns {
		outputs = append(outputs, Output{DatasetID: id, Since: c.Moment, ColumnsDeleted: c.Moment, Publication: Pending})
	}
	var targets []Target
	for _, pairs := range c.Explicit {
		if pairs.Target.Kind == NodeDataset {
			id := DatasetID{pairs.Target.Namespace, pairs.Target.Name}
			outputs = append(outputs, Output{DatasetID: id, Since: c.Moment, Publication: Pending})
		}
		targets = append(targets, Target{Node: pairs.Target, Inputs: newSources(c.Moment, pairs.Inputs)})
	}
	for _, id := range c.Deleted.Lineage {
		targets = append(targets, Target{Node: id.Node(), Deleted: c.Moment})
	}
	for i := range inputs {
		inputs[i].Listed = c.Whole
	}
	for i := range outputs {
		outputs[i].Listed = c.Whole
	}
	r.Inputs = unite(r.Inputs, inputs, compareInputs, (*Input).join)
	r.Outputs = unite(r.Outputs, outputs, compareOutputs, (*Output).join)
	r.Explicit = unite(r.Explicit, targets, compareTargets, (*Target).join)
	r.addListings(c)
	r.addWitness(Witness{c.Moment, c.Sender})
}

// addWitness notes who sent an event, and forgets the events that turned out not to be the first to name anything.
func (r *Run) addWitness(witness Witness) {
	first := map[Hash]bool{}
	for _, moment := range r.firsts() {
		first[moment.Key] = true
	}
	known := unite(r.Witnesses, []Witness{witness}, compareWitnesses, func(*Witness, Witness) {})
	r.Witnesses = nil
	for _, w := range known {
		if first[w.Key] {
			r.Witnesses = append(r.Witnesses, w)
		}
	}
}

// firsts are the moments at which the run named something for the first time, in no order.
func (r *Run) firsts() []Moment {
	var moments []Moment
	for _, input := range r.Inputs {
		moments = append(moments, input.Since)
	}
	for i := range r.Outputs {
		moments = append(moments, r.Outputs[i].Since)
		moments = r.Outputs[i].Columns.appendFirsts(moments)
		for _, m := range r.Outputs[i].Maps {
			moments = append(moments, m.First)
		}
		for _, s := range r.Outputs[i].Schemas {
			moments = append(moments, s.First)
		}
		for _, life := range r.Outputs[i].Lives {
			moments = append(moments, life.First)
		}
		for _, rename := range r.Outputs[i].Renames {
			moments = append(moments, rename.First)
		}
	}
	for _, listing := range slices.Concat(r.InputListings, r.OutputListings) {
		moments = append(moments, listing.First)
	}
	for i := range r.Explicit {
		moments = r.Explicit[i].Inputs.appendFirsts(moments)
	}
	return moments
}

func compareInputs(a, b Input) int      { return a.DatasetID.Compare(b.DatasetID) }
func compareOutputs(a, b Output) int    { return a.DatasetID.Compare(b.DatasetID) }
func compareTargets(a, b Target) int    { return a.Node.Compare(b.Node) }
func compareWitnesses(a, b Witness) int { return a.Moment.Compare(b.Moment) }

func (i *Input) join(other Input) {
	i.Since = earlier(i.Since, other.Since)
	i.Statistics.join(other.Statistics)
	i.Subset.join(other.Subset)
	i.Lives = unite(i.Lives, other.Lives, compareRunLives, (*RunLife).join)
	i.Listed, i.Replaced = i.Listed && other.Listed, i.Replaced && other.Replaced
}

func (o *Output) join(other Output) {
	o.Since = earlier(o.Since, other.Since)
	o.Columns.join(other.Columns)
	o.ColumnsDeleted = later(o.ColumnsDeleted, other.ColumnsDeleted)
	o.Statistics.join(other.Statistics)
	o.Subset.join(other.Subset)
	o.Listed, o.Replaced = o.Listed && other.Listed, o.Replaced && other.Replaced
	o.Maps = unite(o.Maps, other.Maps, compareOutputMaps, (*OutputMap).join)
	o.Schemas = unite(o.Schemas, other.Schemas, compareOutputSchemas, (*OutputSchema).join)
	o.Lives = unite(o.Lives, other.Lives, compareRunLives, (*RunLife).join)
	o.Renames = unite(o.Renames, other.Renames, compareOutputRenames, (*OutputRename).join)
}

func (t *Target) join(other Target) {
	t.Inputs.join(other.Inputs)
	t.Deleted = later(t.Deleted, other.Deleted)
}

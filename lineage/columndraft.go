package lineage

import "slices"

// Influence is an input with the transformation that it goes through. The input is a field, a dataset of which the field
// is not known, or a job.
type Influence struct {
	Input Node
	Transformation
}

func (i Influence) compare(other Influence) int {
	if c := i.Transformation.Compare(other.Transformation); c != 0 {
		return c
	}
	return i.Input.Compare(other.Input)
}

// influencePool keeps each influence once: facets of many megabytes repeat a few of them for each field.
type influencePool struct {
	numbers map[Influence]int32
	list    []Influence
}

// number is what an influence is referred to by.
func (p *influencePool) number(influence Influence) int32 {
	if p.numbers == nil {
		p.numbers = map[Influence]int32{}
	}
	number, known := p.numbers[influence]
	if !known {
		number = int32(len(p.list))
		p.numbers[influence] = number
		p.list = append(p.list, influence)
	}
	return number
}

func (p *influencePool) refer(influences []Influence) []int32 {
	numbers := make([]int32, len(influences))
	for i, influence := range influences {
		numbers[i] = p.number(influence)
	}
	return numbers
}

// columnDraft is what a facet says of the columns of one output, by numbers of a pool.
type columnDraft struct {
	// speaks is false where the facet says nothing of columns, not even that there is no lineage of them.
	speaks bool
	whole  []int32
	fields map[FieldPath][]int32
}

// add adds what feeds a field, be it nothing.
func (d *columnDraft) add(path FieldPath, numbers []int32) {
	if d.fields == nil {
		d.fields = map[FieldPath][]int32{}
	}
	d.fields[path] = append(d.fields[path], numbers...)
}

// keep leaves out what comes from other datasets than some, and tells how many inputs that were. A draft of which nothing
// remains says nothing.
func (d *columnDraft) keep(pool *influencePool, datasets []Node) (left int) {
	dropped := make(map[int32]bool)
	for number, influence := range pool.list {
		whole := influence.Input.Whole()
		if _, found := slices.BinarySearchFunc(datasets, whole, Node.Compare); !found && whole.Kind == NodeDataset {
			dropped[int32(number)] = true
		}
	}
	drop := func(number int32) bool { return dropped[number] }
	d.whole = slices.DeleteFunc(d.whole, drop)
	for path, numbers := range d.fields {
		if kept := slices.DeleteFunc(numbers, drop); len(kept) > 0 || len(numbers) == 0 {
			d.fields[path] = kept
		} else {
			delete(d.fields, path)
		}
	}
	d.speaks = d.speaks && (len(dropped) == 0 || len(d.whole)+len(d.fields) > 0)
	return len(dropped)
}

// absorb adds what another entry says of the same output.
func (d *columnDraft) absorb(other columnDraft) {
	d.speaks = d.speaks || other.speaks
	d.whole = append(d.whole, other.whole...)
	for path, numbers := range other.fields {
		d.add(path, numbers)
	}
}

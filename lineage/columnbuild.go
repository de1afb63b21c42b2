package lineage

import (
	"encoding/binary"
	"maps"
	"slices"
)

// mapBuilder builds column maps of the influences of one pool, which is full by then. It refers to an influence by its
// place among all of them in order.
type mapBuilder struct {
	influences []Influence
	// places has the place of each number of the pool.
	places []int32
	// sets are those built so far, by the places in them.
	sets map[string]*InputSet
}

func newMapBuilder(pool *influencePool) *mapBuilder {
	numbers := make([]int32, len(pool.list))
	for i := range numbers {
		numbers[i] = int32(i)
	}
	slices.SortFunc(numbers, func(a, b int32) int { return pool.list[a].compare(pool.list[b]) })
	b := &mapBuilder{places: make([]int32, len(numbers)), sets: map[string]*InputSet{}}
	for place, number := range numbers {
		b.influences = append(b.influences, pool.list[number])
		b.places[number] = int32(place)
	}
	return b
}

func (b *mapBuilder) build(draft columnDraft, job JobID, output DatasetID) *ColumnMap {
	fields := make(map[FieldPath][]int32, len(draft.fields))
	for path, numbers := range draft.fields {
		fields[path] = b.arrange(numbers)
	}
	whole := inOrder(slices.Concat(b.arrange(draft.whole), b.onEvery(fields)))
	m := &ColumnMap{Job: job, Output: output, Whole: b.setsOf(whole)}
	for _, path := range slices.Sorted(maps.Keys(fields)) {
		rest := slices.DeleteFunc(fields[path], func(place int32) bool {
			_, found := slices.BinarySearch(whole, place)
			return found && b.influences[place].Kind == Indirect
		})
		m.Fields = append(m.Fields, MappedField{path, b.setsOf(rest)})
	}
	m.id = m.hash()
	return m
}

// arrange gives the places of numbers in order, each once.
func (b *mapBuilder) arrange(numbers []int32) []int32 {
	places := make([]int32, len(numbers))
	for i, number := range numbers {
		places[i] = b.places[number]
	}
	return inOrder(places)
}

func inOrder(places []int32) []int32 {
	slices.Sort(places)
	return slices.Compact(places)
}

// onEvery are the indirect influences on each of the fields.
func (b *mapBuilder) onEvery(fields map[FieldPath][]int32) []int32 {
	counts := map[int32]int{}
	for _, places := range fields {
		for _, place := range places {
			if b.influences[place].Kind == Indirect {
				counts[place]++
			}
		}
	}
	var every []int32
	for place, count := range counts {
		if count == len(fields) {
			every = append(every, place)
		}
	}
	return every
}

// setsOf cuts places, which are in order, where the transformation changes.
func (b *mapBuilder) setsOf(places []int32) []*InputSet {
	var sets []*InputSet
	for len(places) > 0 {
		transformation := b.influences[places[0]].Transformation
		end := slices.IndexFunc(places, func(place int32) bool { return b.influences[place].Transformation != transformation })
		if end < 0 {
			end = len(places)
		}
		sets = append(sets, b.setOf(places[:end]))
		places = places[end:]
	}
	return sets
}

// setOf is the set of places of one transformation, built once.
func (b *mapBuilder) setOf(places []int32) *InputSet {
	var key []byte
	for _, place := range places {
		key = binary.BigEndian.AppendUint32(key, uint32(place))
	}
	set, built := b.sets[string(key)]
	if !built {
		inputs := make([]Node, len(places))
		for i, place := range places {
			inputs[i] = b.influences[place].Input
		}
		set = newInputSet(b.influences[places[0]].Transformation, inputs)
		b.sets[string(key)] = set
	}
	return set
}

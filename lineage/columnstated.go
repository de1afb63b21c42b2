package lineage

import (
	"bytes"
	"cmp"
	"slices"
)

// ColumnMapID stands for a column map where its hash is enough: a run keeps no more of the maps that its events state.
type ColumnMapID Hash

// ID implements Content.
func (id ColumnMapID) ID() Hash { return Hash(id) }

// Level implements Content.
func (ColumnMapID) Level() Level { return ColumnLevel }

// StatedMap is a column map that one event states of an output.
type StatedMap struct {
	Output DatasetID `json:"output"`
	Map    Hash      `json:"map"`
	// Derivation is ExplicitPair for a lineage facet, ByColumnLineage for the column lineage of the output.
	Derivation Derivation `json:"derivation"`
}

func (c *Contribution) addMaps(columnMaps []*ColumnMap, derivation Derivation) {
	for _, m := range columnMaps {
		c.Maps = append(c.Maps, StatedMap{m.Output, m.ID(), derivation})
		c.ColumnMaps = append(c.ColumnMaps, m)
	}
}

// OutputMap is a column map that a run states of an output.
type OutputMap struct {
	Map        Hash       `json:"map"`
	Derivation Derivation `json:"derivation"`
	// First and Last are the earliest and the latest moment at which an event stated it.
	First Moment `json:"first"`
	Last  Moment `json:"last"`
}

func compareOutputMaps(a, b OutputMap) int {
	if c := cmp.Compare(a.Derivation, b.Derivation); c != 0 {
		return c
	}
	return bytes.Compare(a.Map[:], b.Map[:])
}

func (m *OutputMap) join(other OutputMap) {
	m.First = earlier(m.First, other.First)
	m.Last = later(m.Last, other.Last)
}

// statedColumns says of the columns of an output what the run, of which it states something else, says of them: of several
// raw names that rules unite, what holds of each, together. What a lineage facet says of one beats the column lineage of
// the others. ok is false where the run says nothing of columns.
func (v *view) statedColumns(stated Statement, same []Output) (s Statement, ok bool) {
	var parts []Hash
	for i := range same {
		m, said := v.columnMap(v.kept(&same[i]))
		switch {
		case !said || ok && m.Derivation > stated.Derivation:
			continue
		case !ok || m.Derivation < stated.Derivation:
			parts = nil
		}
		parts, stated.Derivation, ok = append(parts, m.Map), m.Derivation, true
	}
	if ok {
		stated.Content = unitedMaps(parts)
	}
	return stated, ok
}

// kept are the maps of an output that came in a facet which was not deleted after it.
func (v *view) kept(output *Output) []OutputMap {
	return slices.DeleteFunc(slices.Clone(output.Maps), func(m OutputMap) bool {
		deleted := output.ColumnsDeleted
		if m.Derivation == ExplicitPair {
			deleted = v.run.LineageDeleted
			if target := v.run.target(output.Node()); target != nil {
				deleted = later(deleted, target.Deleted)
			}
		}
		return !v.run.Continuous() && m.Last.Compare(deleted) < 0
	})
}

func (m OutputMap) moments() (first, last Moment) { return m.First, m.Last }

// columnMap is the map that holds of those that a run states of an output, sorted. What a lineage facet says beats column
// lineage.
func (v *view) columnMap(stating []OutputMap) (holds OutputMap, said bool) {
	known := slices.DeleteFunc(slices.Clone(stating), func(m OutputMap) bool { return !v.knows(m.First) })
	if len(known) == 0 {
		return OutputMap{}, false
	}
	best := known[0].Derivation // those of lineage facets come first
	return latest(v, slices.DeleteFunc(known, func(m OutputMap) bool { return m.Derivation != best }))
}

// NameMaps puts the maps that the event states under name rules. Unlike other names they cannot stay raw: a run keeps
// their hashes alone, and a name that differs each day would make another map each day.
func (c *Contribution) NameMaps(names *NameRules) {
	for i, m := range c.ColumnMaps {
		c.ColumnMaps[i] = m.under(names)
		c.Maps[i].Map = c.ColumnMaps[i].ID()
	}
}

// under is the map as name rules have it.
func (m *ColumnMap) under(names *NameRules) *ColumnMap {
	if names == nil {
		return m
	}
	influences := func(sets []*InputSet) []Influence {
		var list []Influence
		for _, set := range sets {
			for _, input := range set.Inputs {
				list = append(list, Influence{names.Node(input), set.Transformation})
			}
		}
		return list
	}
	output := names.Dataset(m.Output)
	columns := names.Columns(output.Namespace)
	fields := make(map[FieldPath][]Influence, len(m.Fields))
	for _, field := range m.Fields {
		path := columns.Path(field.Path)
		fields[path] = append(fields[path], influences(field.Sets)...)
	}
	return NewColumnMap(m.Job, output, influences(m.Whole), fields)
}

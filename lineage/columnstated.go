package lineage

import (
	"bytes"
	"cmp"
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

// columnMap is the map that a run states of an output: of a run that ends, the last one; of a continuous run, where each
// map holds from when it was first stated, the latest. What a lineage facet says beats column lineage.
func (v *view) columnMap(output *Output) (stated OutputMap, said bool) {
	for _, m := range output.Maps {
		if said && m.Derivation != stated.Derivation {
			break // those of lineage facets come first
		}
		at, holds := m.Last, stated.Last
		if v.run.Continuous() {
			at, holds = m.First, stated.First
		}
		if v.knows(m.First) && (!said || at.Compare(holds) > 0) {
			stated, said = m, true
		}
	}
	return stated, said
}

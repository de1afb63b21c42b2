package lineage

import (
	"fmt"
	"maps"
	"slices"
)

// Pairs are the inputs that are known to feed one target.
type Pairs struct {
	Target Node
	// Inputs are sorted, each once. None: the target is known to have no tracked input.
	Inputs []Node
}

// nodeSet collects nodes, each once.
type nodeSet map[Node]bool

func (s nodeSet) sorted() []Node { return slices.SortedFunc(maps.Keys(s), Node.Compare) }

// columnPairs gives, for each output with column lineage, the datasets that it names, directly or not.
// Source: ColumnLineageDatasetFacet.
func (r *facetReader) columnPairs(event Event) []Pairs {
	type columnLineage struct {
		Fields map[string]struct {
			InputFields []DatasetID `json:"inputFields"`
		} `json:"fields"`
		Dataset []DatasetID `json:"dataset"`
	}
	var pairs []Pairs
	for i, output := range event.Outputs {
		facet, ok := readFacet[columnLineage](r, output.Facets, "columnLineage", fmt.Sprintf("outputs[%d].facets", i))
		if !ok {
			continue
		}
		named := nodeSet{}
		add := func(inputs []DatasetID) {
			for _, input := range inputs {
				if usableName(input.Namespace, input.Name) {
					named[NewDatasetID(input.Namespace, input.Name).Node()] = true
				}
			}
		}
		for _, field := range facet.Fields {
			add(field.InputFields)
		}
		add(facet.Dataset)
		if len(named) > 0 {
			pairs = append(pairs, Pairs{Target: output.Node(), Inputs: named.sorted()})
		}
	}
	return pairs
}

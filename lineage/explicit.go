package lineage

import (
	"fmt"
	"maps"
	"slices"
)

// lineageEntity is a source or a target in a lineage facet. A job without namespace and name is the event's own.
type lineageEntity struct {
	Namespace string `json:"namespace"`
	Name      string `json:"name"`
	Type      string `json:"type"`
}

// lineageTarget is what a lineage facet says feeds one dataset or job. Inputs that is present and empty speaks:
// the target has no tracked source.
type lineageTarget struct {
	lineageEntity
	Inputs []lineageEntity `json:"inputs"`
	Fields map[string]struct {
		Inputs []lineageEntity `json:"inputs"`
	} `json:"fields"`
}

// explicitPairs reads the lineage facet of the event's job, or of its dataset for a DatasetEvent.
// Source: LineageFacet 1-0-0 (LineageJobFacet, LineageDatasetFacet).
func (r *facetReader) explicitPairs(event Event) []Pairs {
	if event.Kind == DatasetEvent {
		facet, _ := readFacet[lineageTarget](r, event.Dataset.Facets, "lineage", "dataset.facets")
		inputs, speaks := r.sources(facet, JobID{}, "dataset.facets.lineage")
		if !speaks {
			return nil
		}
		return []Pairs{{Target: event.Dataset.Node(), Inputs: inputs.sorted()}}
	}
	type jobLineage struct {
		Entries []lineageTarget `json:"entries"`
	}
	facet, _ := readFacet[jobLineage](r, event.JobFacets, "lineage", "job.facets")
	targets := map[Node]nodeSet{}
	for i, entry := range facet.Entries {
		path := fmt.Sprintf("job.facets.lineage.entries[%d]", i)
		target, ok := entry.node(event.Job)
		if !ok {
			r.warn("malformed_facet", path, "was left out: it does not name a dataset or a job")
			continue
		}
		inputs, speaks := r.sources(entry, event.Job, path)
		if !speaks {
			continue
		}
		if targets[target] == nil {
			targets[target] = nodeSet{}
		}
		maps.Copy(targets[target], inputs)
	}
	var pairs []Pairs
	for _, target := range slices.SortedFunc(maps.Keys(targets), Node.Compare) {
		pairs = append(pairs, Pairs{Target: target, Inputs: targets[target].sorted()})
	}
	return pairs
}

// sources unites the inputs of a target and the datasets behind the inputs of its fields. It speaks if it says
// anything, be it that there are no inputs.
func (r *facetReader) sources(target lineageTarget, own JobID, path string) (inputs nodeSet, speaks bool) {
	inputs = nodeSet{}
	broken := 0
	for _, input := range target.Inputs {
		if node, ok := input.node(own); ok {
			inputs[node] = true
		} else {
			broken++
		}
	}
	for _, field := range target.Fields {
		for _, input := range field.Inputs {
			switch node, ok := input.node(own); {
			case !ok:
				broken++
			case node.Kind == NodeDataset:
				inputs[node] = true
			}
		}
	}
	if broken > 0 {
		r.warn("malformed_facet", path, "%d of its inputs were left out: they do not name a dataset or a job", broken)
	}
	said := target.Inputs != nil || len(target.Fields) > 0
	return inputs, said && (len(inputs) > 0 || broken == 0)
}

// node is the dataset or job that is named; a job without a name is own.
func (e lineageEntity) node(own JobID) (Node, bool) {
	switch {
	case e.Type == "JOB" && e.Namespace == "" && e.Name == "" && own != JobID{}:
		return own.Node(), true
	case !usableName(e.Namespace, e.Name):
		return Node{}, false
	case e.Type == "JOB":
		return NewJobID(e.Namespace, e.Name).Node(), true
	default:
		return NewDatasetID(e.Namespace, e.Name).Node(), true
	}
}

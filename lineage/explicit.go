package lineage

import "fmt"

// lineageInput is a source in a lineage facet. Without namespace and name, a source of type JOB is the event's own job.
type lineageInput struct {
	Namespace string `json:"namespace"`
	Name      string `json:"name"`
	Type      string `json:"type"`
}

// lineageTarget is what a lineage facet says feeds one dataset or job. Inputs that is present and empty speaks:
// the target has no tracked source.
type lineageTarget struct {
	lineageInput
	Inputs []lineageInput `json:"inputs"`
	Fields map[string]struct {
		Inputs []lineageInput `json:"inputs"`
	} `json:"fields"`
}

// explicitPairs reads the lineage facet of the event's job, or of its dataset for a DatasetEvent.
// Source: LineageFacet 1-0-0 (LineageJobFacet, LineageDatasetFacet).
func (f *facetReader) explicitPairs(event Event) []Pairs {
	if event.Kind == DatasetEvent {
		var facet lineageTarget
		if !f.read(event.Dataset.Facets, "lineage", "dataset.facets", &facet) {
			return nil
		}
		return []Pairs{{Target: event.Dataset.Node(), Inputs: facet.nodes(JobID{})}}
	}
	var facet struct {
		Entries []lineageTarget `json:"entries"`
	}
	if !f.read(event.JobFacets, "lineage", "job.facets", &facet) {
		return nil
	}
	var pairs []Pairs
	for i, entry := range facet.Entries {
		target, ok := entry.node(event.Job)
		if !ok {
			f.warn("malformed_facet", fmt.Sprintf("job.facets.lineage.entries[%d]", i), "names no target; it was left out")
			continue
		}
		pairs = append(pairs, Pairs{Target: target, Inputs: entry.nodes(event.Job)})
	}
	return pairs
}

// node is the dataset or job that the input names; a job without a name is own.
func (i lineageInput) node(own JobID) (Node, bool) {
	switch {
	case i.Type == "JOB" && i.Namespace == "" && i.Name == "" && own != JobID{}:
		return own.Node(), true
	case !usableName(i.Namespace, i.Name):
		return Node{}, false
	case i.Type == "JOB":
		return JobID{i.Namespace, i.Name}.Node(), true
	default:
		return DatasetID{i.Namespace, i.Name}.Node(), true
	}
}

// nodes unites the inputs of the target and the datasets behind the inputs of its fields.
func (t lineageTarget) nodes(own JobID) []Node {
	named := map[Node]bool{}
	for _, input := range t.Inputs {
		if node, ok := input.node(own); ok {
			named[node] = true
		}
	}
	for _, field := range t.Fields {
		for _, input := range field.Inputs {
			if node, ok := input.node(own); ok && node.Kind == NodeDataset {
				named[node] = true
			}
		}
	}
	return sortedNodes(named)
}

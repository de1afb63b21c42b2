package lineage

import (
	"fmt"
	"maps"
	"slices"
)

// Pairs are the inputs that are known to feed one target.
type Pairs struct {
	Target Node `json:"target"`
	// Inputs are sorted, each once. None: the target is known to have no tracked input.
	Inputs []Node `json:"inputs"`
}

// nodeSet collects nodes, each once.
type nodeSet map[Node]bool

func (s nodeSet) sorted() []Node { return slices.SortedFunc(maps.Keys(s), Node.Compare) }

// columnLineage reads the facet of each output, or of the dataset of a DatasetEvent: the datasets that it names, directly
// or not, and the map of its columns, as far as explicit lineage of the same event does not say otherwise.
// Source: ColumnLineageDatasetFacet 1-2-0.
func (r *facetReader) columnLineage(event Event, explicit []Pairs) (pairs []Pairs, columns []*ColumnMap) {
	for _, written := range event.written() {
		reading := &columnReading{}
		var facet struct {
			Fields  mappedFields  `json:"fields"`
			Dataset lineageInputs `json:"dataset"`
		}
		facet.Fields.reading, facet.Dataset.reading = reading, reading
		if !r.readFacetInto(&facet, written.facets, "columnLineage", written.path+".facets") {
			continue
		}
		path := written.path + ".facets.columnLineage"
		r.warnOfBroken(path, facet.Fields.broken+facet.Dataset.broken, facet.Fields.left)
		facet.Dataset.unstated(Transformation{Kind: Indirect})
		draft := columnDraft{
			speaks: facet.Fields.speak() || len(facet.Dataset.numbers) > 0,
			whole:  facet.Dataset.numbers, fields: facet.Fields.fields,
		}
		if i := slices.IndexFunc(explicit, func(p Pairs) bool { return p.Target == written.id.Node() }); i >= 0 {
			if left := draft.keep(&reading.pool, explicit[i].Inputs); left > 0 {
				r.warn("column_lineage_contradicted", path, "%d of its inputs were left out: the lineage facet says that they do not feed %s", left, excerpt(written.id.Name))
			}
		}
		if named := reading.datasets(); len(named) > 0 {
			pairs = append(pairs, Pairs{Target: written.id.Node(), Inputs: named.sorted()})
		}
		columns = r.appendColumnMap(columns, newMapBuilder(&reading.pool), draft, event.Job, written.id, path)
	}
	return pairs, columns
}

// datasets are those that the facet names.
func (r *columnReading) datasets() nodeSet {
	named := nodeSet{}
	for _, influence := range r.pool.list {
		if whole := influence.Input.Whole(); whole.Kind == NodeDataset {
			named[whole] = true
		}
	}
	return named
}

func (r *facetReader) warnOfBroken(path string, inputs, fields int) {
	if inputs > 0 {
		r.warn("malformed_facet", path, "%d of its inputs were left out: they do not name a dataset or a job", inputs)
	}
	if fields > 0 {
		r.warn("malformed_facet", path, "%d of its fields were left out: they have no name that can be kept", fields)
	}
}

// maxColumnRows bounds the map of one output, by what it takes to store it.
const maxColumnRows = 100_000

// appendColumnMap adds the map of a draft that speaks. One that is too large says nothing.
func (r *facetReader) appendColumnMap(columns []*ColumnMap, builder *mapBuilder, draft columnDraft, job JobID, output DatasetID, path string) []*ColumnMap {
	if !draft.speaks {
		return columns
	}
	m := builder.build(draft, job, output)
	if rows := m.Rows(); rows > maxColumnRows {
		r.warn("column_lineage_too_large", path, "its lineage of columns was left out: it takes %d rows, more than the limit of %d", rows, maxColumnRows)
		return columns
	}
	return append(columns, m)
}

// written is a dataset of an event that something feeds.
type written struct {
	id     DatasetID
	facets Facets
	path   string
}

// written are the outputs of the event, or its dataset.
func (e Event) written() []written {
	if e.Kind == DatasetEvent {
		return []written{{e.Dataset.DatasetID, e.Dataset.Facets, "dataset"}}
	}
	list := make([]written, len(e.Outputs))
	for i, output := range e.Outputs {
		list[i] = written{output.DatasetID, output.Facets, fmt.Sprintf("outputs[%d]", i)}
	}
	return list
}

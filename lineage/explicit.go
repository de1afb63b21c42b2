package lineage

import (
	"encoding/json/jsontext"
	"encoding/json/v2"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// explicitLineage reads the lineage facets of the event's job and outputs, or of its dataset for a DatasetEvent: what feeds
// each target, and the map of its columns where an entry speaks of columns. That of an output is as an entry of the job's.
// What an input has says nothing of the job.
// Source: LineageFacet 1-0-0 (LineageJobFacet, LineageDatasetFacet).
func (r *facetReader) explicitLineage(event Event) (pairs []Pairs, columns []*ColumnMap) {
	entries := &lineageEntries{reading: &columnReading{own: event.Job}, targets: map[Node]*explicitTarget{}}
	if event.Kind != DatasetEvent {
		r.readJobLineage(entries, event)
	}
	for _, dataset := range event.written() {
		r.readDatasetLineage(entries, dataset)
	}
	builder := newMapBuilder(&entries.reading.pool)
	for _, node := range slices.SortedFunc(maps.Keys(entries.targets), Node.Compare) {
		target := entries.targets[node]
		if target.inputs != nil {
			pairs = append(pairs, Pairs{Target: node, Inputs: target.inputs.sorted()})
		}
		columns = r.appendColumnMap(columns, builder, target.columns, event.Job, DatasetID{node.Namespace, node.Name}, target.path)
	}
	return pairs, columns
}

func (r *facetReader) readDatasetLineage(entries *lineageEntries, dataset written) {
	facet := entries.reading.target()
	if r.readFacetInto(&facet, dataset.facets, "lineage", dataset.path+".facets") {
		path := dataset.path + ".facets.lineage"
		if facet.Entries != nil {
			r.warn("malformed_facet", path+".entries", "were left out: they belong into the lineage facet of a job")
		}
		r.warnOfBroken(path, facet.broken(), facet.Fields.left)
		entries.add(dataset.id.Node(), &facet, path)
	}
}

func (r *facetReader) readJobLineage(entries *lineageEntries, event Event) {
	facet := struct {
		Entries *lineageEntries `json:"entries"`
		// Inputs and Fields are of a dataset's facet.
		Inputs jsontext.Value `json:"inputs"`
		Fields jsontext.Value `json:"fields"`
	}{Entries: entries}
	if !r.readFacetInto(&facet, event.JobFacets, "lineage", "job.facets") {
		clear(entries.targets) // those read before what cannot be read
		return
	}
	if facet.Inputs != nil || facet.Fields != nil {
		r.warn("malformed_facet", jobLineage, "its inputs and fields were left out: say in entries what they feed")
	}
	for i, unnamed := range entries.unnamed {
		entry := fmt.Sprintf("%s.entries[%d]", jobLineage, i)
		if unnamed {
			r.warn("malformed_facet", entry, "was left out: it does not name a dataset or a job")
		} else {
			r.warnOfBroken(entry, entries.brokenInputs[i], entries.leftFields[i])
		}
	}
}

// jobLineage is where the lineage facet of a job stands.
const jobLineage = "job.facets.lineage"

// lineageEntries are what lineage facets say, by target.
type lineageEntries struct {
	reading *columnReading
	targets map[Node]*explicitTarget
	// unnamed tells of each entry that it names no target, brokenInputs how many of its inputs name nothing, leftFields how
	// many of its fields have no name.
	unnamed                  []bool
	brokenInputs, leftFields []int
}

// explicitTarget is what the entries of one target say together.
type explicitTarget struct {
	// inputs feed it; nil where no entry speaks of them.
	inputs  nodeSet
	columns columnDraft
	// path is that of the first facet with an entry.
	path string
}

// UnmarshalJSONFrom implements json.UnmarshalerFrom.
func (e *lineageEntries) UnmarshalJSONFrom(decoder *jsontext.Decoder) error {
	_, err := each(decoder, jsontext.KindBeginArray, func() error {
		entry := e.reading.target()
		if err := json.UnmarshalDecode(decoder, &entry); err != nil {
			return err
		}
		target, named := entry.node(e.reading.own)
		e.brokenInputs = append(e.brokenInputs, entry.broken())
		e.leftFields = append(e.leftFields, entry.Fields.left)
		e.unnamed = append(e.unnamed, !named)
		if named {
			e.add(target, &entry, jobLineage)
		}
		return nil
	})
	return err
}

// lineageTarget is what a lineage facet says feeds one dataset or job. Inputs that is given and empty speaks: the target
// has no tracked source.
type lineageTarget struct {
	lineageEntity
	Inputs lineageInputs `json:"inputs"`
	Fields mappedFields  `json:"fields"`
	// Entries are of a job's facet, and misplaced here.
	Entries jsontext.Value `json:"entries"`
}

// target is a target to read into.
func (r *columnReading) target() lineageTarget {
	return lineageTarget{Inputs: lineageInputs{reading: r}, Fields: mappedFields{reading: r}}
}

// broken is how many inputs of the target name nothing.
func (t *lineageTarget) broken() int { return t.Inputs.broken + t.Fields.broken }

// lineageEntity is a source or a target in a lineage facet. A job without namespace and name is the event's own.
type lineageEntity struct {
	Namespace string `json:"namespace"`
	Name      string `json:"name"`
	Type      string `json:"type"`
}

// node is the dataset or job that is named; a job without a name is own.
func (e lineageEntity) node(own JobID) (Node, bool) {
	isJob := strings.EqualFold(e.Type, "JOB")
	switch {
	case isJob && e.Namespace == "" && e.Name == "" && own != JobID{}:
		return own.Node(), true
	case !usableName(e.Namespace, e.Name):
		return Node{}, false
	case isJob:
		return NewJobID(e.Namespace, e.Name).Node(), true
	default:
		return NewDatasetID(e.Namespace, e.Name).Node(), true
	}
}

// add unites what an entry says with what others say of the same target.
func (e *lineageEntries) add(node Node, entry *lineageTarget, path string) {
	target := e.targets[node]
	if target == nil {
		target = &explicitTarget{path: path}
		e.targets[node] = target
	}
	inputs := e.reading.sources(entry)
	said := entry.Inputs.given || len(entry.Fields.fields) > 0
	if said && (len(inputs) > 0 || entry.broken()+entry.Fields.left == 0) {
		if target.inputs == nil {
			target.inputs = nodeSet{}
		}
		maps.Copy(target.inputs, inputs)
	}
	if node.Kind == NodeDataset {
		target.columns.absorb(e.reading.columns(entry))
	}
}

// sources are the inputs of a target and the datasets behind the inputs of its fields.
func (r *columnReading) sources(entry *lineageTarget) nodeSet {
	inputs := nodeSet{}
	for _, number := range entry.Inputs.numbers {
		inputs[r.pool.list[number].Input.Whole()] = true
	}
	for _, numbers := range entry.Fields.fields {
		for _, number := range numbers {
			if whole := r.pool.list[number].Input.Whole(); whole.Kind == NodeDataset {
				inputs[whole] = true
			}
		}
	}
	return inputs
}

// columns is what a target says of its columns. Of its inputs, a field influences the whole target; a dataset or a job
// says nothing of columns.
func (r *columnReading) columns(entry *lineageTarget) columnDraft {
	entry.Inputs.unstated(Transformation{Kind: Indirect})
	whole := slices.DeleteFunc(slices.Clone(entry.Inputs.numbers), func(number int32) bool { return r.pool.list[number].Input.Kind != NodeField })
	return columnDraft{
		speaks: entry.Fields.speak() || len(whole) > 0,
		whole:  whole, fields: entry.Fields.fields,
	}
}

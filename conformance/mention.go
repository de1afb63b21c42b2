package main

import (
	"bytes"
	"encoding/json/v2"
	"maps"
	"slices"
	"strings"

	headwaterv1 "github.com/headwater-data/headwater/gen/headwater/v1"
)

// name is what a document calls a dataset or a job.
type name struct{ namespace, name string }

// runName is what a document calls a run.
type runName struct {
	runID string
	job   name
}

// fieldName is what a document calls a field.
type fieldName struct {
	of   name
	path string
}

// mentions are the names in documents, each once and in the order of the files' names: all that one can ask about, but
// for fields, of which there are a few of each dataset.
type mentions struct {
	runs   []runName
	names  []name
	fields []fieldName
}

// fieldsOfOne is how many fields of one dataset are asked about: in documents of megabytes all are alike.
const fieldsOfOne = 4

func mentionedBy(files []file) mentions {
	var m mentions
	for _, file := range slices.SortedFunc(slices.Values(files), func(a, b file) int { return strings.Compare(a.name, b.name) }) {
		var document any
		if json.Unmarshal(bytes.TrimPrefix(file.body, []byte("\xef\xbb\xbf")), &document) == nil {
			m.look(document)
		}
	}
	return m
}

// look goes through a document without regard to what means what: a question about what is none of its subjects finds
// nothing.
func (m *mentions) look(value any) {
	switch value := value.(type) {
	case []any:
		for _, element := range value {
			m.look(element)
		}
	case map[string]any:
		m.note(value)
		for _, member := range slices.Sorted(maps.Keys(value)) {
			m.look(value[member])
		}
	}
}

func (m *mentions) note(object map[string]any) {
	if named, ok := nameIn(object); ok && !slices.Contains(m.names, named) {
		m.names = append(m.names, named)
	}
	m.noteField(object)
	run, _ := object["run"].(map[string]any)
	job, _ := object["job"].(map[string]any)
	runID, hasID := run["runId"].(string)
	if named, ok := nameIn(job); ok && hasID && !slices.Contains(m.runs, runName{runID, named}) {
		m.runs = append(m.runs, runName{runID, named})
	}
}

// noteField notes an input field, as column lineage writes it.
func (m *mentions) noteField(object map[string]any) {
	named, ok := nameIn(object)
	path, isField := object["field"].(string)
	field := fieldName{named, path}
	if !ok || !isField || slices.Contains(m.fields, field) {
		return
	}
	of := 0
	for _, known := range m.fields {
		if known.of == named {
			of++
		}
	}
	if of < fieldsOfOne {
		m.fields = append(m.fields, field)
	}
}

func nameIn(object map[string]any) (name, bool) {
	namespace, hasNamespace := object["namespace"].(string)
	called, hasName := object["name"].(string)
	return name{namespace, called}, hasNamespace && hasName
}

// nodes are what can be asked about.
func (m *mentions) nodes() []*headwaterv1.NodeReference {
	var nodes []*headwaterv1.NodeReference
	for _, named := range m.names {
		nodes = append(nodes, named.nodes()...)
	}
	for _, field := range m.fields {
		nodes = append(nodes, field.node())
	}
	return nodes
}

// nodes are the two things that a name may stand for.
func (n name) nodes() []*headwaterv1.NodeReference {
	return []*headwaterv1.NodeReference{
		{Node: &headwaterv1.NodeReference_Dataset{Dataset: &headwaterv1.Dataset{Namespace: n.namespace, Name: n.name}}},
		{Node: &headwaterv1.NodeReference_Job{Job: &headwaterv1.Job{Namespace: n.namespace, Name: n.name}}},
	}
}

// node is the field as a question has it.
func (f fieldName) node() *headwaterv1.NodeReference {
	field := &headwaterv1.Field{Namespace: f.of.namespace, Name: f.of.name, Path: f.path}
	return &headwaterv1.NodeReference{Node: &headwaterv1.NodeReference_Field{Field: field}}
}

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

// mentions are the names in documents, each once and in the order of the files' names: all that one can ask about.
type mentions struct {
	runs  []runName
	names []name
}

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
	run, _ := object["run"].(map[string]any)
	job, _ := object["job"].(map[string]any)
	runID, hasID := run["runId"].(string)
	if named, ok := nameIn(job); ok && hasID && !slices.Contains(m.runs, runName{runID, named}) {
		m.runs = append(m.runs, runName{runID, named})
	}
}

func nameIn(object map[string]any) (name, bool) {
	namespace, hasNamespace := object["namespace"].(string)
	called, hasName := object["name"].(string)
	return name{namespace, called}, hasNamespace && hasName
}

// nodes are the two things that a name may stand for.
func (n name) nodes() []*headwaterv1.NodeReference {
	return []*headwaterv1.NodeReference{
		{Node: &headwaterv1.NodeReference_Dataset{Dataset: &headwaterv1.Dataset{Namespace: n.namespace, Name: n.name}}},
		{Node: &headwaterv1.NodeReference_Job{Job: &headwaterv1.Job{Namespace: n.namespace, Name: n.name}}},
	}
}

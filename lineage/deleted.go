package lineage

import (
	"bytes"
	"encoding/json/jsontext"
	"encoding/json/v2"
	"slices"
)

// Deleted are the facets that an event deletes: what was said in them before it counts no more.
type Deleted struct {
	// Job names facets of the job.
	Job []string `json:"job,omitempty"`
	// Columns are the outputs whose column lineage is deleted, or the view whose lineage is.
	Columns []DatasetID `json:"columns,omitempty"`
	// Lineage are the outputs whose lineage facet is deleted.
	Lineage []DatasetID `json:"lineage,omitempty"`
}

// deletedFacets takes out the facets that an event deletes, and names them, sorted.
// Source: "_deleted" of JobFacet and DatasetFacet in OpenLineage.json.
func (f Facets) deletedFacets() []string {
	var deleted []string
	for name, facet := range f {
		if deletes(facet) {
			deleted = append(deleted, name)
			delete(f, name)
		}
	}
	slices.Sort(deleted)
	return deleted
}

func deletes(facet jsontext.Value) bool {
	if !bytes.Contains(facet, []byte(`"_deleted"`)) {
		return false
	}
	var base struct {
		Deleted jsontext.Value `json:"_deleted"`
	}
	return json.Unmarshal(facet, &base) == nil && base.Deleted.Kind() == jsontext.KindTrue
}

func deletedIn(event Event) Deleted {
	deleted := Deleted{Job: event.JobDeleted}
	if view := event.Dataset; slices.Contains(view.Deleted, "lineage") || slices.Contains(view.Deleted, "columnLineage") {
		deleted.Columns = []DatasetID{view.DatasetID}
	}
	for _, output := range event.Outputs {
		if slices.Contains(output.Deleted, "columnLineage") {
			deleted.Columns = append(deleted.Columns, output.DatasetID)
		}
		if slices.Contains(output.Deleted, "lineage") {
			deleted.Lineage = append(deleted.Lineage, output.DatasetID)
		}
	}
	return deleted
}

// addDeleted takes away what was said in facets before the event that deletes them.
func (r *Run) addDeleted(c Contribution) {
	for _, name := range c.Deleted.Job {
		switch name {
		case "jobType":
			r.Mode.offer(c.Moment, "")
			r.WindowSeconds.offer(c.Moment, 0)
		case "lineage":
			r.LineageDeleted = later(r.LineageDeleted, c.Moment)
		case "sourceCode", "sourceCodeLocation", "sql":
			r.JobVersion.offer(c.Moment, c.JobVersion)
		}
	}
}

package lineage

import (
	"encoding/json/v2"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// facetReader reads the facets that say something about the graph, and keeps a warning for each that it cannot read.
type facetReader struct {
	warnings []Warning
}

func (f *facetReader) warn(code, path, format string, args ...any) {
	f.warnings = append(f.warnings, Warning{Code: code, Path: path, Reason: fmt.Sprintf(format, args...)})
}

// read decodes the facet called name into target and reports whether there was one that could be read.
func (f *facetReader) read(facets Facets, name, path string, target any) bool {
	facet := facets[name]
	if facet == nil {
		return false
	}
	if err := json.Unmarshal(facet, target); err != nil {
		f.warn("malformed_facet", path+"."+name, "could not be read and was left out: %v", err)
		return false
	}
	return true
}

// jobVersion is the version that the producer states, else a hash of where the job's code is and what it says. The
// inputs of a run are no part of it.
// Source: SourceCodeLocationJobFacet, SourceCodeJobFacet, SQLJobFacet.
func (f *facetReader) jobVersion(event Event) string {
	if event.JobVersion != "" {
		return storable(event.JobVersion)
	}
	var location struct {
		URL     string `json:"url"`
		Path    string `json:"path"`
		Version string `json:"version"`
	}
	var source struct {
		Code string `json:"sourceCode"`
	}
	var sql struct {
		Query string `json:"query"`
	}
	f.read(event.JobFacets, "sourceCodeLocation", "job.facets", &location)
	f.read(event.JobFacets, "sourceCode", "job.facets", &source)
	f.read(event.JobFacets, "sql", "job.facets", &sql)
	if location.Version != "" {
		return storable(location.Version)
	}
	if location.URL+location.Path+source.Code+sql.Query == "" {
		return ""
	}
	return HashOf(location.URL, location.Path, source.Code, sql.Query).Short()
}

// Source: JobTypeJobFacet.
func (f *facetReader) mode(event Event) ProcessingMode {
	var facet struct {
		ProcessingType string `json:"processingType"`
	}
	f.read(event.JobFacets, "jobType", "job.facets", &facet)
	return ProcessingMode(strings.ToUpper(facet.ProcessingType))
}

// Source: ParentRunFacet. Clients before 1.0 of the specification call it parentRun.
func (f *facetReader) parent(event Event) RunKey {
	var facet struct {
		Run struct {
			RunID string `json:"runId"`
		} `json:"run"`
		Job JobID `json:"job"`
	}
	if !f.read(event.RunFacets, "parent", "run.facets", &facet) && !f.read(event.RunFacets, "parentRun", "run.facets", &facet) {
		return RunKey{}
	}
	parent := RunKey{Job: facet.Job, RunID: strings.ToLower(strings.TrimSpace(facet.Run.RunID))}
	for _, part := range []string{parent.RunID, parent.Job.Namespace, parent.Job.Name} {
		if part == "" || strings.ContainsRune(part, 0) {
			f.warn("malformed_facet", "run.facets.parent", "names no run and job; it was left out")
			return RunKey{}
		}
	}
	return parent
}

// Source: ErrorMessageRunFacet.
func (f *facetReader) errorMessage(event Event) string {
	var facet struct {
		Message string `json:"message"`
	}
	f.read(event.RunFacets, "errorMessage", "run.facets", &facet)
	return facet.Message
}

// columnPairs gives, for each output with column lineage, the datasets that it names, directly or not.
// Source: ColumnLineageDatasetFacet.
func (f *facetReader) columnPairs(event Event) []Pairs {
	type inputField struct {
		Namespace string `json:"namespace"`
		Name      string `json:"name"`
	}
	var pairs []Pairs
	for i, output := range event.Outputs {
		var facet struct {
			Fields map[string]struct {
				InputFields []inputField `json:"inputFields"`
			} `json:"fields"`
			Dataset []inputField `json:"dataset"`
		}
		path := fmt.Sprintf("outputs[%d].facets", i)
		if !f.read(output.Facets, "columnLineage", path, &facet) {
			continue
		}
		named := map[Node]bool{}
		add := func(field inputField) {
			if usableName(field.Namespace, field.Name) {
				named[DatasetID{field.Namespace, field.Name}.Node()] = true
			}
		}
		for _, field := range facet.Fields {
			for _, input := range field.InputFields {
				add(input)
			}
		}
		for _, input := range facet.Dataset {
			add(input)
		}
		if len(named) > 0 {
			pairs = append(pairs, Pairs{Target: output.Node(), Inputs: sortedNodes(named)})
		}
	}
	return pairs
}

// storable replaces U+0000, which PostgreSQL cannot keep in a text.
func storable(text string) string { return strings.ReplaceAll(text, "\x00", "\uFFFD") }

func usableName(namespace, name string) bool {
	return namespace != "" && name != "" && !strings.ContainsRune(namespace, 0) && !strings.ContainsRune(name, 0)
}

func sortedNodes(set map[Node]bool) []Node {
	return slices.SortedFunc(maps.Keys(set), Node.Compare)
}

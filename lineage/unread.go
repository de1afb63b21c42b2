package lineage

import (
	"cmp"
	"maps"
	"slices"
	"strings"
)

// maxUnread bounds how many facets are named of an event and of a run, and maxUnreadBytes each of the names.
const (
	maxUnread      = 100
	maxUnreadBytes = 200
)

// noteRead notes that something was made of the facet called name, whatever input or output of the event carries it.
func (r *facetReader) noteRead(path, name string) {
	if r.read == nil {
		r.read = map[string]bool{}
	}
	r.read[facetPlace(path)+"."+name] = true
}

// facetPlace is where facets stand in any event: outputs.facets for outputs[3].facets.
func facetPlace(path string) string {
	before, after, indexed := strings.Cut(path, "[")
	if !indexed {
		return path
	}
	_, after, _ = strings.Cut(after, "]")
	return before + after
}

// unread names the facets of a RunEvent of which nothing was made, such as run.facets.environmentVariables, sorted. The log
// keeps them.
func (r *facetReader) unread(event Event) []string {
	if event.Kind != RunEvent {
		return nil
	}
	found := map[string]bool{}
	look := func(place string, facets Facets) {
		for name := range facets {
			if at := place + "." + name; !r.read[at] && usable(name) && len(at) <= maxUnreadBytes {
				found[at] = true
			}
		}
	}
	look("run.facets", event.RunFacets)
	look("job.facets", event.JobFacets)
	for _, input := range event.Inputs {
		look("inputs.facets", input.Facets)
		look("inputs.inputFacets", input.RoleFacets)
	}
	for _, output := range event.Outputs {
		look("outputs.facets", output.Facets)
		look("outputs.outputFacets", output.RoleFacets)
	}
	return firstUnread(slices.Sorted(maps.Keys(found)))
}

// addUnread unites what no event of the run made anything of. Of too many names the first are kept, in whatever order they come.
func (r *Run) addUnread(c Contribution) {
	r.Unread = firstUnread(unite(r.Unread, c.Unread, cmp.Compare[string], func(*string, string) {}))
}

func firstUnread(sorted []string) []string { return sorted[:min(len(sorted), maxUnread)] }

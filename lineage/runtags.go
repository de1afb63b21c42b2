package lineage

// tags are those of the run. The last event that has the facet states them all: one that names none, or deletes the facet,
// takes away what was said before it. nil where the event has no such facet.
// Source: TagsRunFacet.
func (r *facetReader) tags(event Event) []Tag {
	type tags struct {
		Tags []Tag `json:"tags"`
	}
	facet, ok := readFacet[tags](r, event.RunFacets, "tags", "run.facets")
	if !ok {
		return nil
	}
	return sortedTags(append([]Tag{}, facet.Tags...))
}

package lineage

import (
	"encoding/json/jsontext"
	"fmt"
)

// Subset is the condition under which a run read or wrote a part of a dataset alone, as its producer has it: JSON of a shape
// that its member type tells, such as partition, location, compare or binary. It is evidence on the run, and changes no edge.
type Subset string

// DatasetSubset is the condition that one event states for one dataset.
type DatasetSubset struct {
	Dataset DatasetID `json:"dataset"`
	Subset  Subset    `json:"subset"`
}

// maxSubsetBytes bounds a condition, which is stored with the run; one that lists more is left out with a warning.
const maxSubsetBytes = 64 << 10

// subsets reads the subset facets of the inputs or the outputs of an event.
// Source: BaseSubsetDatasetFacet (InputSubsetInputDatasetFacet, OutputSubsetOutputDatasetFacet).
func (r *facetReader) subsets(datasets []Dataset, role string) []DatasetSubset {
	type subset struct {
		Input  jsontext.Value `json:"inputCondition"`
		Output jsontext.Value `json:"outputCondition"`
	}
	var all []DatasetSubset
	for i, dataset := range datasets {
		path := fmt.Sprintf("%ss[%d].%sFacets", role, i, role)
		facet, _ := readFacet[subset](r, dataset.RoleFacets, "subset", path)
		condition := facet.Input
		if role == "output" {
			condition = facet.Output
		}
		switch {
		case condition.Kind() != jsontext.KindBeginObject:
			continue
		case len(condition) > maxSubsetBytes:
			r.warn("large_subset", path+".subset", "was left out: it has %d bytes, more than the limit of %d", len(condition), maxSubsetBytes)
			continue
		}
		canonical := condition.Clone()
		// Numbers stay as they are written, so that none loses digits.
		err := canonical.Canonicalize(jsontext.CanonicalizeRawInts(false), jsontext.CanonicalizeRawFloats(false))
		if err != nil {
			r.warn("malformed_facet", path+".subset", "was left out: it cannot be written canonically")
			continue
		}
		shown, err := redactJSON(canonical, func(text string) string { return RedactText(storable(text)) })
		if err != nil {
			r.warn("malformed_facet", path+".subset", "was left out: it cannot be written without credentials")
			continue
		}
		all = append(all, DatasetSubset{dataset.DatasetID, Subset(shown)})
	}
	return all
}

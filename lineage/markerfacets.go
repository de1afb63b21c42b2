package lineage

import (
	"encoding/json/jsontext"
	"fmt"
	"strings"
)

// markers reads what the facets of an event say of its datasets: assertions about their data, and commits.
func (r *facetReader) markers(event Event) []Marker {
	var markers []Marker
	read := func(dataset Dataset, path, roleFacets string) {
		for _, place := range []struct {
			facets Facets
			path   string
		}{{dataset.Facets, path + ".facets"}, {dataset.RoleFacets, path + "." + roleFacets}} {
			if marker, ok := r.assertions(place.facets, place.path); ok {
				marker.Output, marker.EventTime = dataset.DatasetID, event.EventTime
				markers = append(markers, marker)
			}
			if marker, ok := r.commit(place.facets, place.path); ok && roleFacets == "outputFacets" {
				marker.Output, marker.EventTime = dataset.DatasetID, event.EventTime
				markers = append(markers, marker)
			}
		}
	}
	for i, dataset := range event.Inputs {
		read(dataset, fmt.Sprintf("inputs[%d]", i), "inputFacets")
	}
	for i, dataset := range event.Outputs {
		read(dataset, fmt.Sprintf("outputs[%d]", i), "outputFacets")
	}
	return markers
}

// assertions gives one result for all assertions of a facet. One of severity "warn" fails nothing, and one that does not say
// whether it succeeded says nothing.
// Source: DataQualityAssertionsDatasetFacet.
func (r *facetReader) assertions(facets Facets, path string) (Marker, bool) {
	type dataQualityAssertions struct {
		Assertions []struct {
			Assertion string `json:"assertion"`
			Column    string `json:"column"`
			Success   *bool  `json:"success"`
			Severity  string `json:"severity"`
		} `json:"assertions"`
	}
	const name = "dataQualityAssertions"
	facet, _ := readFacet[dataQualityAssertions](r, facets, name, path)
	marker := Marker{Kind: Passed, Gate: QualityGate, Facet: name}
	silent := 0
	for _, assertion := range facet.Assertions {
		switch {
		case assertion.Success == nil:
			silent++
			continue
		case *assertion.Success || strings.EqualFold(assertion.Severity, "warn"):
			continue
		}
		marker.Kind = Failed
		if marker.Reason == "" {
			marker.Reason = RedactText(excerpt(storable(strings.TrimSpace(assertion.Assertion + " " + assertion.Column))))
		}
	}
	if silent > 0 {
		r.warn("malformed_facet", path+"."+name, "%d of its assertions were left out: they do not say whether they succeeded", silent)
	}
	return marker, silent < len(facet.Assertions)
}

// commit gives a marker for the report of an Iceberg commit.
// Source: IcebergCommitReportOutputDatasetFacet.
func (r *facetReader) commit(facets Facets, path string) (Marker, bool) {
	type icebergCommitReport struct {
		SnapshotID jsontext.Value `json:"snapshotId"`
	}
	const name = "icebergCommitReport"
	facet, ok := readFacet[icebergCommitReport](r, facets, name, path)
	if !ok {
		return Marker{}, false
	}
	marker := Marker{Kind: Committed, Facet: name}
	if len(facet.SnapshotID) > 0 && facet.SnapshotID.Kind() != jsontext.KindNull {
		marker.Reason = RedactText("snapshot " + storable(excerpt(strings.Trim(string(facet.SnapshotID), `"`))))
	}
	return marker, true
}

package lineage

import (
	"encoding/json/v2"
	"fmt"
	"math"
	"strconv"
	"strings"
)

// Statistics say how much of a dataset a run read or wrote. What is nil was not reported.
type Statistics struct {
	Rows  *int64 `json:"rows,omitempty"`
	Bytes *int64 `json:"bytes,omitempty"`
	Files *int64 `json:"files,omitempty"`
}

// DatasetStatistics are what one event reports of one dataset.
type DatasetStatistics struct {
	Dataset    DatasetID  `json:"dataset"`
	Statistics Statistics `json:"statistics"`
}

// statistics reads a facet of the inputs or the outputs of an event.
// Source: InputStatisticsInputDatasetFacet, OutputStatisticsOutputDatasetFacet.
func (r *facetReader) statistics(datasets []Dataset, role, facetName string) []DatasetStatistics {
	type statistics struct {
		RowCount  *quantity `json:"rowCount"`
		Size      *quantity `json:"size"`
		FileCount *quantity `json:"fileCount"`
	}
	var all []DatasetStatistics
	for i, dataset := range datasets {
		facet, ok := readFacet[statistics](r, dataset.RoleFacets, facetName, fmt.Sprintf("%ss[%d].%sFacets", role, i, role))
		if !ok || facet == (statistics{}) {
			continue
		}
		read := Statistics{(*int64)(facet.RowCount), (*int64)(facet.Size), (*int64)(facet.FileCount)}
		all = append(all, DatasetStatistics{dataset.DatasetID, read})
	}
	return all
}

// quantity is a whole number, however JSON writes it: 1000, 1000.0 or 1e3. Some clients send it as a string.
type quantity int64

// UnmarshalJSON implements [json.Unmarshaler].
func (q *quantity) UnmarshalJSON(value []byte) error {
	text := strings.TrimSpace(strings.Trim(string(value), `"`))
	number, err := strconv.ParseInt(text, 10, 64)
	if whole, floatErr := strconv.ParseFloat(text, 64); err != nil && floatErr == nil && whole == math.Trunc(whole) && math.Abs(whole) < 1<<63 {
		number, err = int64(whole), nil
	}
	if err != nil || number < 0 {
		return &json.SemanticError{Err: fmt.Errorf("%s is no quantity", value)}
	}
	*q = quantity(number)
	return nil
}

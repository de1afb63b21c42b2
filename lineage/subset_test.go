package lineage_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/headwater-data/headwater/lineage"
)

// reading is completeRun that reads a part of its input.
func reading(t *testing.T, subset string) []byte {
	t.Helper()
	return edited(t, completeRun, inputsMember, `"inputs": [{"namespace": "postgres://shop", "name": "public.orders", "inputFacets": {"subset": `+subset+`}}]`)
}

func TestSubsetOfAnyTypeIsKeptOnTheRunAndChangesNoEdge(t *testing.T) {
	whole := edges(published(contributionOf(t, []byte(completeRun))).Statements())
	for given, kept := range map[string]string{
		`{"inputCondition": {"type": "partition", "partitions": [{"identifier": "dt=1"}]}}`:   `{"partitions":[{"identifier":"dt=1"}],"type":"partition"}`,
		`{"inputCondition": {"type": "location", "locations": ["a"]}}`:                        `{"locations":["a"],"type":"location"}`,
		`{"inputCondition": {"type": "of tomorrow", "x": 1}}`:                                 `{"type":"of tomorrow","x":1}`,
		`{"inputCondition": {"password": "hunter2", "token": 12, "a": ["pwd=hunter2", "x"]}}`: `{"a":["pwd=***","x"],"password":"***","token":"***"}`,
		`{"inputCondition": {"type": "literal", "value": [12345678901234567890, 1e999]}}`:     `{"type":"literal","value":[12345678901234567890,1e999]}`,
		`{}`: "",
	} {
		run := published(contributionOf(t, reading(t, given)))
		require.Equal(t, lineage.Subset(kept), run.Inputs[0].Subset.Value, given)
		require.Equal(t, whole, edges(run.Statements()))
	}
}

func TestSubsetThatListsTooMuchIsLeftOutWithAWarning(t *testing.T) {
	document := reading(t, `{"inputCondition": {"type": "location", "locations": ["`+strings.Repeat("x", 70_000)+`"]}}`)
	contribution, warnings := lineage.NewContribution(decode(t, document), arrivalOf(t, document, "1"))
	require.Empty(t, contribution.InputSubsets)
	require.Equal(t, "large_subset", warnings[0].Code)
}

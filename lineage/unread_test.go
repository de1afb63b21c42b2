package lineage_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/headwater-data/headwater/lineage"
)

func TestFacetsOfWhichNothingIsMadeAreNamed(t *testing.T) {
	const event = `{"eventType": "OTHER", "eventTime": "2024-06-01T10:00:00Z",
		"run": {"runId": "r", "facets": {"tags": {"tags": []}, "environmentVariables": {"environmentVariables": []}, "nothing": null}},
		"job": {"namespace": "n", "name": "j", "facets": {"jobType": {"processingType": "BATCH"}, "sql": {"query": "SELECT 1"}}},
		"inputs": [{"namespace": "n", "name": "a", "facets": {"schema": {"fields": []}, "storage": {}, "columnLineage": {}}},
			{"namespace": "n", "name": "b", "facets": {"storage": {}}, "inputFacets": {"inputStatistics": {"rowCount": 1}, "outputStatistics": {}}}],
		"outputs": [{"namespace": "n", "name": "c", "facets": {"storage": {}, "columnLineage": {"fields": {}}}, "outputFacets": {"custom": {}}}]}`
	contribution := contributionOf(t, []byte(event))
	require.Equal(t, []string{
		"inputs.facets.columnLineage", "inputs.facets.storage", "inputs.inputFacets.outputStatistics",
		"job.facets.sql", "outputs.facets.storage", "outputs.outputFacets.custom", "run.facets.environmentVariables",
	}, contribution.Unread)

	end := contributionOf(t, withRunFacets(t, `"jobDependencies": {"upstream": []}, "environmentVariables": {}`))
	require.Len(t, folded(contribution, end).Unread, 8)
	require.Equal(t, folded(contribution, end).Unread, folded(end, contribution, end).Unread)
}

func TestFacetThatCannotBeReadIsWarnedOfAndNotNamed(t *testing.T) {
	contribution, warnings := contributed(t, withRunFacets(t, `"processing_engine": 7`))
	require.Len(t, warnings, 1)
	require.Empty(t, contribution.Unread)
}

func TestOfTooManyFacetsTheFirstAreNamedInAnyOrder(t *testing.T) {
	naming := func(from, to int) lineage.Contribution {
		var facets []string
		for i := from; i < to; i++ {
			facets = append(facets, fmt.Sprintf(`"custom%03d": {}`, i))
		}
		return contributionOf(t, withRunFacets(t, strings.Join(facets, ",")))
	}
	few, many, long := naming(0, 60), naming(40, 300), contributionOf(t, withRunFacets(t, `"`+strings.Repeat("x", 200)+`": {}`))
	require.Empty(t, long.Unread)
	require.Len(t, many.Unread, 100)
	run := folded(few, many)
	require.Len(t, run.Unread, 100)
	require.Equal(t, "run.facets.custom099", run.Unread[99])
	require.Equal(t, run.Unread, folded(many, few).Unread)
}

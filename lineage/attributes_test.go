package lineage_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/headwater-data/headwater/lineage"
)

func TestFacetsTellOwnersTagsDocumentationAndType(t *testing.T) {
	contribution := contributionOf(t, withFacet(t, `
		"ownership": {"owners": [{"name": "team:b"}, {"name": "team:a", "type": "MAINTAINER"}, {"name": "team:b"}, {"name": ""}]},
		"tags": {"tags": [{"key": "pii", "value": "true", "field": "email"}, {"key": "gold", "value": "1", "source": "DBT"}]},
		"documentation": {"description": "All orders, password=hunter2"},
		"datasetType": {"datasetType": "VIEW", "subType": "MATERIALIZED"}`))
	var attributes lineage.Attributes
	for _, stated := range contribution.Attributes {
		require.Equal(t, "orders", stated.Node.Name)
		require.NoError(t, attributes.Add(stated.Kind, []byte(stated.Value)))
	}
	require.Equal(t, lineage.Attributes{
		Owners:        []lineage.Owner{{Name: "team:a", Type: "MAINTAINER"}, {Name: "team:b"}},
		Tags:          []lineage.Tag{{Key: "gold", Value: "1", Source: "DBT"}, {Key: "pii", Value: "true", Field: "email"}},
		Documentation: "All orders, password=***",
		Type:          "VIEW/MATERIALIZED",
	}, attributes)
}

func TestOwnersTagsAndTypesLoseTheirCredentials(t *testing.T) {
	contribution := contributionOf(t, withFacet(t, `
		"ownership": {"owners": [{"name": "https://u:hunter2@wiki/team", "type": "password=hunter2"}]},
		"tags": {"tags": [{"key": "api_key", "value": "hunter2"}, {"key": "has_secret", "value": "true"},
			{"key": "url", "value": "https://u:hunter2@h", "source": "token=hunter2"}]},
		"datasetType": {"datasetType": "https://u:hunter2@h"}`))
	var attributes lineage.Attributes
	for _, stated := range contribution.Attributes {
		require.NotContains(t, stated.Value, "hunter2")
		require.NoError(t, attributes.Add(stated.Kind, []byte(stated.Value)))
	}
	require.Equal(t, []lineage.Tag{
		{Key: "api_key", Value: "***"}, {Key: "has_secret", Value: "true"}, {Key: "url", Value: "https://u@h", Source: "token=***"},
	}, attributes.Tags)
}

func TestEmptyFacetsSayNothingOfANode(t *testing.T) {
	contribution := contributionOf(t, withFacet(t, `"ownership": {"owners": []}, "tags": {}, "documentation": {"description": " "}, "datasetType": {}`))
	require.Empty(t, contribution.Attributes)
}

func TestJobHasOwnersToo(t *testing.T) {
	document := edited(t, completeRun, `load_orders", "facets": {}`, `load_orders", "facets": {"ownership": {"owners": [{"name": "team:shop"}]}}`)
	contribution := contributionOf(t, document)
	require.Equal(t, lineage.NodeJob, contribution.Attributes[0].Node.Kind)
	require.JSONEq(t, `[{"name": "team:shop"}]`, contribution.Attributes[0].Value)
}

package lineage_test

import (
	"encoding/json/v2"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/headwater-data/headwater/lineage"
)

// described are the descriptions of fields that a contribution states.
func described(t *testing.T, c lineage.Contribution) []lineage.FieldDescription {
	t.Helper()
	var list []lineage.FieldDescription
	for _, stated := range c.Attributes {
		if stated.Kind == lineage.DescriptionsAttribute {
			require.NoError(t, json.Unmarshal([]byte(stated.Value), &list))
		}
	}
	return list
}

func TestDescriptionsAreSaidBesideTheSchema(t *testing.T) {
	plain := contributionOf(t, withFacet(t, `"schema": {"fields": [{"name": "id"}]}`))
	explained := contributionOf(t, withFacet(t, `"schema": {"fields": [{"name": "id", "description": "key of the order"}]}`))
	require.Equal(t, plain.Schemas, explained.Schemas)
	require.Empty(t, described(t, plain), "who explains nothing takes back nothing")
	require.Equal(t, []lineage.FieldDescription{{Path: "id", Text: "key of the order"}}, described(t, explained))
}

func TestDescriptionsOfNestedFieldsHaveTheirPaths(t *testing.T) {
	facet := `"schema": {"fields": [
		{"name": "lines", "description": "  what was bought ", "fields": [{"name": "_element", "fields": [{"name": "unit.price", "description": "in cents"}]}]},
		{"name": "id", "description": ""}, {"name": "at", "description": 7}, {"name": "by", "description": null}]}`
	require.Equal(t, []lineage.FieldDescription{
		{Path: "lines", Text: "what was bought"}, {Path: "lines[].unit.price", Text: "in cents"},
	}, described(t, contributionOf(t, withFacet(t, facet))))
}

func TestDescriptionsOfAnInputCountForNothing(t *testing.T) {
	document := edited(t, completeRun, inputsMember, `"inputs": [{"namespace": "postgres://db", "name": "public.orders",
		"facets": {"schema": {"fields": [{"name": "id", "description": "a part of the table"}]}}}]`)
	require.Empty(t, described(t, contributionOf(t, document)), "who reads a part of a dataset would replace what its writer says of all")
}

func TestDescriptionsAreBoundedAndWithoutCredentials(t *testing.T) {
	long := strings.Repeat("x", 10_000)
	list := described(t, contributionOf(t, withFacet(t, `"schema": {"fields": [{"name": "a", "description": "`+long+`"},
		{"name": "b", "description": "from postgres://shop:hunter2@db/shop"}]}`)))
	require.Less(t, len(list[0].Text), 2_100)
	require.Equal(t, "from postgres://shop@db/shop", list[1].Text)

	var fields []string
	for i := range 200 {
		fields = append(fields, `{"name": "f`+strings.Repeat("i", i)+`", "description": "`+long+`"}`)
	}
	all := described(t, contributionOf(t, withFacet(t, `"schema": {"fields": [`+strings.Join(fields, ",")+`]}`)))
	require.NotEmpty(t, all)
	require.Less(t, len(all), 40)
}

package dbt_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	headwaterv1 "github.com/headwater-data/headwater/gen/headwater/v1"
	"github.com/headwater-data/headwater/internal/dbt"
)

// TestOneOrSeveralOwnersAndTagsAreRead has the forms of dbt before 1.10 and since.
func TestOneOrSeveralOwnersAndTagsAreRead(t *testing.T) {
	t.Parallel()
	for forms, want := range map[string][]string{
		`"owner": {"email": "a@x", "name": "A"}, "tags": "finance"`:              {"a@x"},
		`"owner": {"email": ["a@x", "b@x"], "name": "A"}, "tags": ["finance"]`:   {"a@x", "b@x"},
		`"owner": {"email": null, "name": "A"}, "tags": ["finance"]`:             {"A"},
		`"meta": {"owner": ["team"]}, "owner": {"email": []}, "tags": "finance"`: {"team"},
		`"meta": {"owner": {"team": 1}}, "owner": null, "tags": ["finance"]`:     nil,
	} {
		manifest, err := dbt.ReadManifest(strings.NewReader(`{"metadata": {"dbt_schema_version": "https://schemas.getdbt.com/dbt/manifest/v12.json",
			"generated_at": "2026-07-19T06:00:00.000000"}, "nodes": {}, "exposures": {"exposure.shop.sales": {"resource_type": "exposure", ` + forms + `}}}`))
		require.NoError(t, err, forms)
		declaration, err := dbt.Declare(manifest, nil, naming, "prod")
		require.NoError(t, err, "a time without a zone is UTC")
		attributes := declaration.Snapshot.GetFlows()[0].GetAttributes()
		require.Equal(t, want, ownerNames(attributes), forms)
		require.Equal(t, "finance", attributes.GetTags()[0].GetKey(), forms)
	}
}

func ownerNames(attributes *headwaterv1.NodeAttributes) (names []string) {
	for _, owner := range attributes.GetOwners() {
		names = append(names, owner.GetName())
	}
	return names
}

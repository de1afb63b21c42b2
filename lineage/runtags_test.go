package lineage_test

import (
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/headwater-data/headwater/lineage"
)

func TestRunHasTheTagsOfTheLastEventThatStatesThem(t *testing.T) {
	tagged := func(minutes, facet string) lineage.Contribution {
		return contributionOf(t, edited(t, completeRun, "10:00:00Z", "10:"+minutes+":00Z", `f2a10", "facets": {}`, `f2a10", "facets": {`+facet+`}`))
	}
	first := tagged("01", `"tags": {"tags": [{"key": "team", "value": "shop"}, {"key": "cost", "value": "high", "source": "USER"}]}`)
	silent := tagged("02", ``)
	second := tagged("03", `"tags": {"tags": [{"key": "team", "value": "s3://user:hunter2@lake"}, {"value": "no key"}]}`)
	deleting := tagged("04", `"tags": `+deletedFacet)
	for name, test := range map[string]struct {
		said []lineage.Contribution
		want []lineage.Tag
	}{
		"the facet is the whole":     {[]lineage.Contribution{first, silent}, []lineage.Tag{{Key: "cost", Value: "high", Source: "USER"}, {Key: "team", Value: "shop"}}},
		"a later one replaces it":    {[]lineage.Contribution{first, silent, second}, []lineage.Tag{{Key: "team", Value: "s3://user@lake"}}},
		"a deleted one leaves none":  {[]lineage.Contribution{first, second, deleting}, []lineage.Tag{}},
		"nobody has said any":        {[]lineage.Contribution{silent}, nil},
		"a malformed one costs none": {[]lineage.Contribution{first, tagged("05", `"tags": {"tags": 7}`)}, first.Tags},
	} {
		t.Run(name, func(t *testing.T) {
			require.Equal(t, test.want, folded(test.said...).Tags.Value)
			rapid.Check(t, func(rt *rapid.T) {
				require.Equal(rt, test.want, reread(rt, folded(rapid.Permutation(test.said).Draw(rt, "order")...)).Tags.Value)
			})
		})
	}
}

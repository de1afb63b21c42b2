package lineage_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/headwater-data/headwater/lineage"
)

// requireKept requires that a contribution is read as it is kept.
func requireKept(t require.TestingT, c lineage.Contribution) {
	kept, err := c.Encode()
	require.NoError(t, err)
	again := lineage.Contribution{Type: c.Type, EventTime: c.EventTime, Sender: c.Sender}
	again.EffectiveAt = c.EffectiveAt
	require.NoError(t, again.Decode(kept))
	c.ColumnMaps, c.SchemaContents, c.Attributes = nil, nil, nil // they are kept apart
	require.Empty(t, cmp.Diff(c, again, cmpopts.EquateEmpty()))
}

func TestContributionIsReadAsItWasKept(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		contributions := append(drawnContributions.Draw(t, "contributions"), drawnMarkers.Draw(t, "markers")...)
		for _, c := range contributions {
			requireKept(t, c)
		}
	})
}

func TestContributionNamesEachTextOnce(t *testing.T) {
	document := wideRun(t, 100)
	event := decode(t, document)
	c, _ := lineage.NewContribution(event, arrivalOf(t, document, "1"))
	c.Columns = []lineage.Pairs{{Target: c.Outputs[0].Node(), Inputs: []lineage.Node{c.Inputs[0].Node(), c.Inputs[1].Field("id")}}}
	requireKept(t, c)
	kept, err := c.Encode()
	require.NoError(t, err)
	require.Equal(t, 1, strings.Count(string(kept), "postgres://shop"))
	require.Equal(t, 1, strings.Count(string(kept), c.Inputs[0].Name))
}

func TestContributionThatIsNotWhatWasKeptIsRefused(t *testing.T) {
	for _, kept := range []string{``, `{"n":["a"],"v":{"inputs":[[0,1]]}}`, `{"n":["a"],"v":{"inputs":[[0]]}}`, `{"n":["a"],"v":{"inputs":[[-1,0]]}}`} {
		var c lineage.Contribution
		require.Error(t, c.Decode([]byte(kept)), kept)
	}
}

func BenchmarkEncodeContribution(b *testing.B) {
	for _, datasets := range []int{4, 1500} {
		b.Run(strings.Repeat("w", datasets/1000+1), func(b *testing.B) {
			document := wideRun(b, datasets)
			c, _ := lineage.NewContribution(decode(b, document), arrivalOf(b, document, "1"))
			var kept []byte
			for b.Loop() {
				kept, _ = c.Encode()
			}
			b.ReportMetric(float64(len(kept)), "bytes/event")
		})
	}
}

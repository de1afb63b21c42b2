package lineage_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/headwater-data/headwater/lineage"
)

func TestRunWeighsAsBeforeUnlessItsStateModeOrMarkersSayMore(t *testing.T) {
	says := func(minute int, markers ...lineage.Marker) lineage.Contribution {
		at := tenOClock.Add(time.Duration(minute) * time.Minute)
		for i := range markers {
			markers[i].Output, markers[i].EventTime = orders, at
		}
		return lineage.Contribution{
			Type: lineage.Running, EventTime: at, Moment: lineage.Moment{EffectiveAt: at, Key: lineage.HashOf(at.String())},
			Outputs: []lineage.DatasetID{orders}, Mode: lineage.Streaming, Markers: markers,
		}
	}
	passed, failed := lineage.Marker{Kind: lineage.Passed, Gate: "quality"}, lineage.Marker{Kind: lineage.Failed, Gate: "quality"}
	committed, rolledBack := lineage.Marker{Kind: lineage.Committed}, lineage.Marker{Kind: lineage.RolledBackMarker}
	ended, batch := says(9), says(9)
	ended.Type, batch.Mode = lineage.Fail, lineage.Batch
	stream := []lineage.Contribution{says(1, passed, committed), says(2, passed, committed)}
	for name, test := range map[string]struct {
		more lineage.Contribution
		want bool
	}{
		"another report":           {says(9), true},
		"the same checks again":    {says(9, passed, committed), true},
		"a report from before":     {says(0), true},
		"a check that fails":       {says(9, failed), false},
		"a roll-back":              {says(9, rolledBack), false},
		"an end":                   {ended, false},
		"another mode":             {batch, false},
		"a check of another name":  {says(9, lineage.Marker{Kind: lineage.Passed, Gate: "freshness"}), false},
		"someone else's same word": {says(9, lineage.Marker{Kind: lineage.Passed, Gate: "quality", By: "ines"}), false},
	} {
		t.Run(name, func(t *testing.T) {
			before := folded(stream...)
			after := *before
			after.Add(test.more)
			require.Equal(t, test.want, after.WeighsAs(before))
			require.Equal(t, test.want, before.WeighsAs(&after))
		})
	}
	// Of a pass and a failure of one time the failure holds; of a later pass and a failure the pass.
	at := func(minute, key int, markers ...lineage.Marker) lineage.Contribution {
		c := says(minute, markers...)
		c.Key = lineage.Hash{byte(key)}
		return c
	}
	tied := folded(at(1, 1, failed), at(2, 1, passed), at(5, 1, failed), at(5, 2, passed))
	after := folded(at(1, 1, failed), at(2, 1, passed), at(5, 1, failed), at(5, 2, passed), at(6, 1, passed))
	require.False(t, after.WeighsAs(tied))

	twice := folded(append(stream, says(5, rolledBack))...)
	later := folded(append(stream, says(6, rolledBack))...)
	require.False(t, later.WeighsAs(twice), "when it was rolled back counts")
}

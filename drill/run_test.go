package main

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/headwater-data/headwater/lineage"
)

func TestSeedGivesTheSameRuns(t *testing.T) {
	write := func(seed uint64) (bodies []string) {
		a := &author{random: randomFor(seed, "clocks", "runs"), namespace: "test", skews: []time.Duration{-year, 0, year}}
		for range 20 {
			for _, e := range a.next(morning).events {
				bodies = append(bodies, e.door+string(e.body))
			}
		}
		return bodies
	}
	require.Equal(t, write(1), write(1))
	require.NotEqual(t, write(1), write(2))
}

func TestDocumentsAreReadAsTheyAreMeant(t *testing.T) {
	a := &author{random: randomFor(1, "gateway", "runs"), namespace: "test"}
	facets := 0
	for range 200 {
		for _, e := range a.next(morning).events {
			if e.door == markerDoor {
				continue
			}
			require.Equal(t, e.id, idOf(e.body))
			event, err := lineage.Decode(lineage.FormatOpenLineage, e.body, lineage.DefaultLimits())
			require.NoError(t, err)
			contribution, warnings := lineage.NewContribution(event, lineage.Arrival{ReceivedAt: morning.Add(time.Hour)})
			require.Empty(t, warnings)
			if !isMarker(e.word) {
				require.Empty(t, contribution.Markers)
				require.Equal(t, string(e.word), string(event.Type))
				continue
			}
			facets++
			require.Len(t, contribution.Markers, 1)
			require.Equal(t, string(e.word), string(contribution.Markers[0].Kind))
			require.Equal(t, e.gate, contribution.Markers[0].Gate)
		}
	}
	require.Positive(t, facets)
}

func TestEventsAreFoundAgainByTheirMark(t *testing.T) {
	kept, err := lineage.EncodeMarker(lineage.RunKey{RunID: "r"}, lineage.Marker{Kind: lineage.Committed, By: "system", Reason: "r/3"})
	require.NoError(t, err)
	require.Equal(t, "r/3", idOf(kept))
	require.Empty(t, idOf([]byte(`{"run":{"runId":"of somebody else"}}`)))
	require.Empty(t, idOf([]byte(`no JSON`)))
}

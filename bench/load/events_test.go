package load

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/headwater-data/headwater/lineage"
)

func TestEventsAreOfTheirSizeAndTheSameWheneverAskedFor(t *testing.T) {
	t.Parallel()
	c := newCorpus(7, 20_000)
	for _, serial := range []int{0, 1, 399, 400, 123_456} {
		first, again := c.Event(serial), c.Event(serial)
		require.Equal(t, first, again)
		require.InDelta(t, 20_000, len(first.Document), 1000)
		decoded, err := lineage.Decode(lineage.FormatOpenLineage, first.Document, lineage.DefaultLimits())
		require.NoError(t, err)
		require.Empty(t, decoded.Warnings)
		require.Equal(t, c.runID(first.Run), decoded.Run.RunID)
		require.Equal(t, c.jobOf(first.Run), decoded.Job)
		require.Len(t, decoded.Inputs, 6)
		require.Len(t, decoded.Outputs, 1)
	}
}

func TestABlockOfEventsTellsItsRunsFromStartToEnd(t *testing.T) {
	t.Parallel()
	c := newCorpus(7, 2000)
	told := map[int][]lineage.EventType{}
	for serial := blockEvents; serial < 2*blockEvents; serial++ {
		e := c.Event(serial)
		told[e.Run] = append(told[e.Run], e.Kind)
		require.Equal(t, e.Kind == lineage.Complete, e.Last)
	}
	require.Len(t, told, interleaved)
	for run, events := range told {
		require.Equal(t, kinds[:], events, "run %d", run)
	}
}

func TestABlockBeginsWhereNoEventWasTaken(t *testing.T) {
	t.Parallel()
	var numbers serials
	require.Equal(t, 0, numbers.block())
	numbers.take()
	require.Equal(t, blockEvents, numbers.block())
	require.Equal(t, blockEvents, numbers.take())
}

func TestVisibilityIsFromAcknowledgementToTheFirstSighting(t *testing.T) {
	t.Parallel()
	begun := time.Now()
	at := func(milliseconds int) time.Time { return begun.Add(time.Duration(milliseconds) * time.Millisecond) }
	sightings := []sighting{{at(0), 1}, {at(100), 5}, {at(200), 5}, {at(300), 9}}
	latencies, unseen := visibility([]Acknowledgement{
		{Offset: 5, at: at(40)}, {Offset: 6, at: at(50)}, {Offset: 1, at: at(10)}, {Offset: 10, at: at(60)},
	}, sightings)
	require.Equal(t, []time.Duration{60 * time.Millisecond, 250 * time.Millisecond, 0}, []time.Duration(latencies))
	require.Equal(t, 1, unseen)
}

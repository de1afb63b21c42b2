package main

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	headwaterv1 "github.com/headwater-data/headwater/gen/headwater/v1"
)

func TestEventsImplyAFate(t *testing.T) {
	const (
		published  = headwaterv1.Publication_PUBLICATION_PUBLISHED
		diagnostic = headwaterv1.Publication_PUBLICATION_DIAGNOSTIC
		pending    = headwaterv1.Publication_PUBLICATION_PENDING

		isRunning = headwaterv1.RunState_RUN_STATE_RUNNING
		completed = headwaterv1.RunState_RUN_STATE_COMPLETED
		failed    = headwaterv1.RunState_RUN_STATE_FAILED
		aborted   = headwaterv1.RunState_RUN_STATE_ABORTED
	)
	for name, c := range map[string]struct {
		streaming bool
		events    []step
		implied   fate
	}{
		"under way":                       {false, []step{{running, 1}, {start, 0}}, fate{isRunning, pending}},
		"streaming":                       {true, []step{{running, 1}}, fate{isRunning, published}},
		"the end stands":                  {false, []step{{complete, 2}, {start, 3}, {other, 4}}, fate{completed, published}},
		"the later end holds":             {false, []step{{fail, 3}, {complete, 2}}, fate{failed, diagnostic}},
		"a failure beats a completion":    {false, []step{{fail, 2}, {complete, 2}}, fate{failed, diagnostic}},
		"an abort beats a completion":     {false, []step{{abort, 2}, {complete, 2}}, fate{aborted, diagnostic}},
		"a failure beats an abort":        {false, []step{{fail, 2}, {abort, 2}}, fate{failed, diagnostic}},
		"far ahead, the later one holds":  {false, []step{{fail, 9_000_000}, {complete, 8_000_000}}, fate{completed, published}},
		"a clock ahead blocks no failure": {false, []step{{complete, 9_000_000}, {fail, 301 + 2}}, fate{failed, diagnostic}},
	} {
		t.Run(name, func(t *testing.T) {
			r := &run{streaming: c.streaming}
			receipts := map[string]time.Time{}
			for i, s := range c.events {
				e := event{id: string(rune('a' + i)), kind: s.kind, at: morning.Add(time.Duration(s.second) * time.Second)}
				r.events = append(r.events, e)
				receipts[e.id] = morning.Add(time.Duration(i) * time.Second)
			}
			require.Equal(t, c.implied, r.implied(func(id string) time.Time { return receipts[id] }))
		})
	}
}

func TestSeedGivesTheSameRuns(t *testing.T) {
	write := func(seed uint64) (documents []string) {
		a := &author{random: randomFor(seed, "clocks", "runs"), namespace: "test", skews: []time.Duration{-year, 0, year}}
		for range 20 {
			for _, e := range a.next(morning).events {
				documents = append(documents, string(e.document))
			}
		}
		return documents
	}
	require.Equal(t, write(1), write(1))
	require.NotEqual(t, write(1), write(2))
}

func TestEventsAreFoundAgainByTheirMark(t *testing.T) {
	a := &author{random: randomFor(1, "gateway", "runs"), namespace: "test"}
	for _, e := range a.next(morning).events {
		require.Equal(t, e.id, markerOf(e.document))
	}
	require.Empty(t, markerOf([]byte(`{"run":{"runId":"of somebody else"}}`)))
	require.Empty(t, markerOf([]byte(`no JSON`)))
}

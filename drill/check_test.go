package main

import (
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/headwater-data/headwater/drill/oracle"
)

// drilled is a drill of some runs in which everything went well.
func drilled(t *testing.T) (*ledger, evidence) {
	t.Helper()
	l := newLedger()
	a := &author{random: randomFor(1, t.Name(), "runs"), namespace: "test"}
	found := evidence{
		events: map[place]map[string][]sighting{inLog: {}, inArchive: {}, inProjection: {}},
		fates:  map[string]oracle.Fate{},
	}
	offset := int64(100)
	for range 50 {
		r := a.next(morning)
		l.begin(r)
		for _, e := range r.events {
			offset++
			l.acknowledge(e.id, offset)
			for _, copies := range found.events {
				copies[e.id] = []sighting{{offset, morning.Add(time.Duration(offset) * time.Second)}}
			}
		}
		found.fates[r.id] = r.implied(found.received)
	}
	return l, found
}

var morning = time.Date(2026, 7, 19, 6, 0, 0, 0, time.UTC)

func TestDrillWithoutDamagePasses(t *testing.T) {
	l, found := drilled(t)
	r := check(l, found)
	require.True(t, r.passed(), r.problems)
	require.Equal(t, len(l.acknowledged), r.found)
	require.Equal(t, 50, r.right)
}

func TestDamageIsNoticed(t *testing.T) {
	first := func(l *ledger) event { return l.runs[0].events[0] }
	for name, damage := range map[string]func(*ledger, evidence) (lost, doubled, wrong int){
		"the log lost an event": func(l *ledger, found evidence) (int, int, int) {
			// A run without outcome stays as it is, whether or not it was seen to start.
			r := l.runs[slices.IndexFunc(l.runs, func(r *run) bool { return len(r.events) == 3 && r.events[1].word == running && !r.streaming })]
			delete(found.events[inLog], r.events[1].id)
			return 1, 0, 0
		},
		"the archive lost an event": func(l *ledger, found evidence) (int, int, int) {
			delete(found.events[inArchive], first(l).id)
			return 1, 0, 0
		},
		"the projection lost an event": func(l *ledger, found evidence) (int, int, int) {
			delete(found.events[inProjection], first(l).id)
			return 1, 0, 0
		},
		"the log has an event twice": func(l *ledger, found evidence) (int, int, int) {
			copies := found.events[inLog]
			copies[first(l).id] = append(copies[first(l).id], sighting{9999, morning})
			return 0, 1, 0
		},
		"the projection has an event twice": func(l *ledger, found evidence) (int, int, int) {
			copies := found.events[inProjection]
			copies[first(l).id] = append(copies[first(l).id], copies[first(l).id]...)
			return 0, 1, 0
		},
		"the receipt points elsewhere": func(l *ledger, found evidence) (int, int, int) {
			found.events[inLog][first(l).id][0].offset++
			return 0, 0, 0
		},
		"one event was acknowledged at two offsets": func(l *ledger, _ evidence) (int, int, int) {
			l.acknowledge(first(l).id, 9999)
			return 0, 0, 0
		},
		"an event was never acknowledged": func(l *ledger, _ evidence) (int, int, int) {
			delete(l.acknowledged, first(l).id)
			return 0, 0, 0
		},
		"a run was never decided": func(l *ledger, found evidence) (int, int, int) {
			r := l.runs[slices.IndexFunc(l.runs, func(r *run) bool { return found.fates[r.id].State == "FAILED" })]
			found.fates[r.id] = oracle.Fate{State: "FAILED", Publication: "pending"}
			return 0, 0, 1
		},
		"a run is unknown": func(l *ledger, found evidence) (int, int, int) {
			delete(found.fates, l.runs[0].id)
			return 0, 0, 1
		},
		"a door failed": func(l *ledger, _ evidence) (int, int, int) {
			l.complain("500")
			return 0, 0, 0
		},
	} {
		t.Run(name, func(t *testing.T) {
			l, found := drilled(t)
			lost, doubled, wrong := damage(l, found)
			r := check(l, found)
			require.False(t, r.passed())
			require.NotEmpty(t, r.problems)
			require.Equal(t, []int{lost, doubled, wrong}, []int{r.lost(), r.doubled, r.runs - r.right}, r.problems)
		})
	}
}

package oracle_test

import (
	"fmt"
	"math/rand/v2"
	"runtime"
	"strconv"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/headwater-data/headwater/drill/oracle"
	"github.com/headwater-data/headwater/lineage"
)

var morning = time.Date(2026, 7, 19, 6, 0, 0, 0, time.UTC)

// TestEveryRunEndsAsItsEventsImply lives the lives of many runs: what is said of them comes in any order, twice, late and
// by wrong clocks; the projection lags; workflows weigh at any time, die, stand still, are lost and ring their timers. In
// the end each run is what the oracle says.
func TestEveryRunEndsAsItsEventsImply(t *testing.T) {
	runs := 100_000
	if testing.Short() {
		runs = 5_000
	}
	var fates sync.Map
	var living sync.WaitGroup
	for first := range runtime.GOMAXPROCS(0) {
		living.Go(func() {
			for seed := first; seed < runs && !t.Failed(); seed += runtime.GOMAXPROCS(0) {
				l, told := live(uint64(seed))
				if wrong := l.differs(told.Fate(), told.TimesOut); wrong != "" {
					t.Errorf("seed %d: %s\nit was told: %+v", seed, wrong, told)
				}
				fates.Store(told.Fate().Publication, true)
			}
		})
	}
	living.Wait()
	for _, publication := range []string{"pending", "published", "suspect", "diagnostic", "rejected", "rolled_back"} {
		_, reached := fates.Load(publication)
		require.True(t, reached, "no run is %s", publication)
	}
}

// differs says how the run is not as it should be; empty if it is.
func (l *life) differs(want oracle.Fate, timesOut bool) string {
	got := oracle.Fate{State: l.run.State().String(), Disputed: l.run.Disputed(), Publication: lineage.Pending.String()}
	if standing := l.run.Output(output); standing != nil {
		got.Publication, got.Until = standing.Publication.String(), standing.Until
	}
	if timesOut { // whether it was visible when it was rolled back may depend on when its time was up
		got.Until, want.Until = time.Time{}, time.Time{}
	}
	switch {
	case l.contradiction != nil:
		return l.contradiction.Error()
	case got != want:
		return fmt.Sprintf("it is %+v and should be %+v", got, want)
	default:
		return ""
	}
}

// live draws a run and lives its life to the end. It returns the run with what it was told.
func live(seed uint64) (*life, oracle.Run) {
	random := rand.New(rand.NewPCG(seed, 20))
	told := drawRun(random)
	l := &life{
		random: random, key: lineage.RunKey{Job: lineage.JobID{Namespace: "spark", Name: "load"}, RunID: strconv.FormatUint(seed, 10)},
		streaming: told.Streaming, now: morning, ids: map[lineage.Hash]lineage.Decision{},
		requirement: lineage.Requirement{Gates: told.Gates, PolicyRevision: "1"},
	}
	l.run.Key = l.key
	if told.TimesOut {
		l.requirement.Wait = time.Hour
		l.requirement.AtTimeout, _ = lineage.ParsePublication(told.AtTimeout)
	}
	for next := 0; next < len(told.Said); {
		l.now = l.now.Add(time.Duration(1+random.IntN(1_200_000_000)) * time.Microsecond) // as exact as the database is
		switch random.IntN(12) {
		case 0, 1:
			l.say(&told.Said[next], strconv.Itoa(next))
			next++
		case 2, 3, 4:
			l.fold(1 + random.IntN(3))
		case 5, 6:
			l.dispatch()
		case 7, 8, 9:
			l.weigh(outcome(random.IntN(4)))
		case 10:
			l.ring()
		default:
			switch random.IntN(3) {
			case 0:
				l.wakeUp()
			case 1:
				l.workflow = nil // Temporal lost it
			default:
				l.resume()
			}
		}
	}
	l.settle()
	for len(l.stalled) > 0 {
		l.wakeUp()
		l.settle()
	}
	return l, told
}

// settle lets everything come to its end.
func (l *life) settle() {
	for busy := true; busy; {
		l.fold(len(l.log))
		l.dispatch()
		l.resume()
		busy = l.weigh(answered)
		if !busy && l.workflow != nil && !l.workflow.deadline.IsZero() {
			l.now = l.workflow.deadline
			busy = l.ring()
		}
	}
	l.fold(len(l.log))
}

// drawRun draws a run and what is said of it, in the order in which it comes.
func drawRun(random *rand.Rand) oracle.Run {
	run := oracle.Run{Streaming: random.IntN(6) == 0}
	switch random.IntN(4) {
	case 0:
		run.Gates = []string{"quality"}
	case 1:
		run.Gates = []string{"commit"}
	case 2:
		run.Gates = []string{"commit", "quality", "validation"}[:2+random.IntN(2)]
	default:
	}
	if len(run.Gates) > 0 && random.IntN(2) == 0 {
		run.TimesOut = true
		run.AtTimeout = []string{"suspect", "published", "diagnostic", "rejected"}[random.IntN(4)]
	}
	say := func(most int, words ...oracle.Word) {
		for range random.IntN(most + 1) {
			run.Said = append(run.Said, drawSaid(random, words))
		}
	}
	run.Said = append(run.Said, drawSaid(random, []oracle.Word{oracle.Start, oracle.Running, oracle.Other}))
	say(2, oracle.Start, oracle.Running, oracle.Running, oracle.Other)
	say(3, oracle.Complete, oracle.Complete, oracle.Fail, oracle.Abort)
	say(5, oracle.Committed, oracle.Passed, oracle.Passed, oracle.Failed, oracle.Validated, oracle.Invalidated, oracle.RolledBack)
	for range len(run.Said) / 3 { // some come twice, under another id
		run.Said = append(run.Said, run.Said[random.IntN(len(run.Said))])
	}
	random.Shuffle(len(run.Said), func(i, j int) { run.Said[i], run.Said[j] = run.Said[j], run.Said[i] })
	return run
}

func drawSaid(random *rand.Rand, words []oracle.Word) oracle.Said {
	said := oracle.Said{Word: words[random.IntN(len(words))], At: morning.Add(random.N(3 * time.Hour).Truncate(time.Microsecond))}
	switch said.Word {
	case oracle.Passed, oracle.Failed:
		said.Gate = []string{"quality", "freshness"}[random.IntN(2)]
	case oracle.Complete, oracle.Fail, oracle.Abort: // ends of one time are ordered by what they say
		said.At = said.At.Truncate(30 * time.Minute)
	default:
	}
	if random.IntN(30) == 0 {
		said.At = said.At.AddDate(73, 0, 0)
	}
	return said
}

package main

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/headwater-data/headwater/bench/company"
	"github.com/headwater-data/headwater/bench/report"
	"github.com/headwater-data/headwater/projection"
)

var directions = []struct {
	name      string
	direction projection.Direction
}{{"upstream", projection.Upstream}, {"downstream", projection.Downstream}}

// threeHops are the targets of a warm traversal of three hops: p50, p95, p99.
var threeHops = []time.Duration{5 * time.Millisecond, 15 * time.Millisecond, 30 * time.Millisecond}

// summary is what warm traversals took.
type summary struct {
	measured []measured
	// examined is the number of nodes that the average traversal examined.
	examined int
	// oursMS and postgresMS are the milliseconds of CPU time that the average traversal cost here and in PostgreSQL.
	oursMS, postgresMS float64
	// policyShare is the part of the time, in percent, that the policies took.
	policyShare float64
}

// warm asks every question once without measuring, to fill the caches and to check the answers, and once measured.
func (b *bench) warm(ctx context.Context, questions []question) (summary, error) {
	var s summary
	var policy time.Duration
	for _, q := range questions {
		_, answer, err := b.ask(ctx, q)
		b.check(q, answer, err)
	}
	cpuBegun := b.cpu()
	for _, q := range questions {
		m, _, err := b.ask(ctx, q)
		if err != nil {
			return s, fmt.Errorf("traverse: %w", err)
		}
		s.measured = append(s.measured, m)
		s.examined += m.examined
		policy += m.policy
	}
	s.oursMS, s.postgresMS = b.cpu().since(cpuBegun).per(len(questions), time.Millisecond)
	s.examined /= max(len(questions), 1)
	s.policyShare = 100 * policy.Seconds() / max(s.latencies().Sum().Seconds(), 1e-9)
	return s, nil
}

func (s summary) latencies() (latencies report.Latencies) {
	for _, m := range s.measured {
		latencies = append(latencies, m.took)
	}
	return latencies
}

// tellWhy says of the slowest traversals how much they examined.
func (s summary) tellWhy(section report.Section) {
	latencies := s.latencies()
	for _, p := range []float64{95, 99} {
		at := s.measured[slices.Index(latencies, latencies.At(p))]
		section.Note(fmt.Sprintf("  nodes examined by the one at p%g", p), float64(at.examined), "")
		section.Note("  latency ÷ nodes examined", float64(at.took.Microseconds())/float64(max(at.examined, 1)), "µs")
	}
}

func (b *bench) measureDepths(ctx context.Context) error {
	starts := b.starts(nil)
	for _, way := range directions {
		section := b.Section("Warm, %s, one caller, from %d datasets drawn at random", way.name, len(starts))
		for depth := 1; depth <= 6; depth++ {
			summary, err := b.warm(ctx, b.questions(starts, way.direction, depth))
			if err != nil {
				return err
			}
			var targets []time.Duration
			if depth == 3 {
				targets = threeHops
			}
			section.Percentiles(fmt.Sprintf("depth %d, %d nodes examined on average,", depth, summary.examined), summary.latencies(), targets...)
			section.Ratio("  traversal", summary.latencies(), "round trip", b.probes.RoundTrip)
			section.Note("  CPU time a traversal, ours", summary.oursMS, "ms")
			section.Note("  CPU time a traversal, PostgreSQL's", summary.postgresMS, "ms")
			section.Note("  of which the policies take", summary.policyShare, "%")
			if depth == 3 {
				summary.tellWhy(section)
			}
		}
	}
	return nil
}

// classes are datasets by how many edges leave them.
var classes = []struct {
	name     string
	min, max int
}{{"1–10", 1, 10}, {"11–100", 11, 100}, {"101–1,000", 101, 1_000}, {"above 1,000", 1_001, 1 << 30}}

func (b *bench) measureClasses(ctx context.Context) error {
	section := b.Section("Warm, three hops, by fan-out of the start")
	for _, class := range classes {
		starts := b.starts(func(node company.Node) bool {
			fanOut := len(b.now.OutOf(node))
			return fanOut >= class.min && fanOut <= class.max
		})
		starts = starts[:min(len(starts), 60)]
		for _, way := range directions {
			summary, err := b.warm(ctx, b.questions(starts, way.direction, 3))
			if err != nil {
				return err
			}
			name := fmt.Sprintf("%s, fan-out %s, %d nodes examined on average,", way.name, class.name, summary.examined)
			section.Percentiles(name, summary.latencies())
		}
	}
	return nil
}

// measureTimes asks at times in the past: as it is known now, and as it was known then.
func (b *bench) measureTimes(ctx context.Context) error {
	starts := b.starts(nil)
	const times = 4
	var valid, recorded []question
	for i := range times {
		week := b.random.IntN(b.options.size.Weeks)
		at := company.WeekBegin(week).Add(time.Duration(b.random.Int64N(int64(7 * 24 * time.Hour))))
		end := company.WeekBegin(week + 1)
		truth, truthThen := b.truth(at), b.truth(end)
		for j := i; j < len(starts); j += times {
			q := question{start: starts[j], direction: directions[j%2].direction, depth: 3, validAt: at, truth: truth}
			valid = append(valid, q)
			q.validAt, q.recordedAt, q.truth = end, b.weekEnds[week], truthThen
			recorded = append(recorded, q)
		}
	}
	section := b.Section("Warm, three hops either way, at %d random times of the past", times)
	for _, kind := range []struct {
		name      string
		questions []question
	}{{"as it is known now,", valid}, {"as it was known then,", recorded}} {
		summary, err := b.warm(ctx, b.known(kind.questions))
		if err != nil {
			return err
		}
		section.Percentiles(kind.name, summary.latencies(), threeHops...)
		section.Ratio("  traversal", summary.latencies(), "round trip", b.probes.RoundTrip)
	}
	return nil
}

// known leaves out the questions about nodes that nobody had heard of by then.
func (b *bench) known(questions []question) []question {
	var known []question
	for _, q := range questions {
		if q.recordedAt == 0 || len(q.truth.Into(q.start)) > 0 || len(q.truth.OutOf(q.start)) > 0 {
			known = append(known, q)
		}
	}
	return known
}

// callers is how many ask at once.
const callers = 50

func (b *bench) measureCallers(ctx context.Context) error {
	var questions []question
	for _, way := range directions {
		questions = append(questions, b.questions(b.starts(nil), way.direction, 3)...)
	}
	var mutex sync.Mutex
	var latencies report.Latencies
	var failed error
	var group sync.WaitGroup
	begun := time.Now()
	for worker := range callers {
		group.Go(func() {
			for i := worker; i < len(questions); i += callers {
				m, answer, err := b.ask(ctx, questions[i])
				mutex.Lock()
				latencies = append(latencies, m.took)
				b.check(questions[i], answer, err)
				if err != nil {
					failed = err
				}
				mutex.Unlock()
			}
		})
	}
	group.Wait()
	if failed != nil {
		return fmt.Errorf("traverse: %w", failed)
	}
	section := b.Section("Warm, three hops either way, %d callers, %d connections", callers, b.pool.Config().MaxConns)
	section.Percentiles("traversal", latencies)
	section.Note("traversals a second, answers checked meanwhile", float64(len(questions))/time.Since(begun).Seconds(), "/s")
	return nil
}

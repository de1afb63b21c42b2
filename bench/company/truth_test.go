package company_test

import (
	"math/rand/v2"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/headwater-data/headwater/bench/company"
)

// heard is what the events of one job have said by some time, found by listening to every one of them.
type heard struct {
	inputs string
	edges  map[company.Edge]bool
	ended  time.Time
}

// listen is the truth by brute force: it takes in every event up to a time and forgets nothing.
func listen(c *company.Company, at time.Time, lookback time.Duration) map[company.Edge]bool {
	contents := map[company.Job][]*heard{}
	for event := range c.Events(company.Begin, at.Add(time.Microsecond)) {
		if event.Type != company.Complete {
			continue
		}
		job := event.Run.Job
		said := &heard{edges: map[company.Edge]bool{}}
		for _, input := range event.Run.Inputs {
			said.inputs += c.Name(company.Node{Number: int32(input)}) + " "
			said.edges[company.Edge{From: input, To: c.Output(job), Job: job, Since: event.At}] = true
		}
		if list := contents[job]; len(list) > 0 {
			if list[len(list)-1].inputs == said.inputs {
				continue
			}
			list[len(list)-1].ended = event.At
		}
		contents[job] = append(contents[job], said)
	}
	truth := map[company.Edge]bool{}
	for _, list := range contents {
		for _, said := range list {
			for edge := range said.edges {
				edge.Lapsed = !said.ended.IsZero()
				if !edge.Lapsed || said.ended.After(at.Add(-lookback)) {
					truth[edge] = true
				}
			}
		}
	}
	return truth
}

func TestGraphIsWhatTheEventsSay(t *testing.T) {
	for seed := range uint64(4) {
		c := small(t, seed)
		random := rand.New(rand.NewPCG(seed, 0))
		for range 4 {
			at := company.Begin.Add(time.Duration(random.Int64N(int64(28 * 24 * time.Hour))))
			for _, lookback := range []time.Duration{0, 7 * 24 * time.Hour} {
				want, graph := listen(c, at, lookback), c.GraphAt(at, lookback)
				got := map[company.Edge]bool{}
				for edge := range want {
					for _, into := range graph.Into(edge.To) {
						got[into] = true
					}
				}
				require.Equal(t, want, got)
				require.Equal(t, len(want), graph.Edges())
			}
		}
	}
}

func TestWalkIsTheClosureOfEdges(t *testing.T) {
	c := small(t, 9)
	graph := c.GraphAt(c.End(), 0)
	whole := listen(c, c.End(), 0)
	for dataset := range 60 {
		start := company.Node{Number: int32(dataset)}
		want := map[company.Node]bool{start: true}
		for range 3 {
			reached := map[company.Node]bool{}
			for edge := range whole {
				if want[company.Node{Number: int32(edge.From)}] {
					reached[edge.To] = true
				}
			}
			for node := range reached {
				want[node] = true
			}
		}
		around := graph.Downstream(start, 3)
		require.Len(t, around.Depth, len(want))
		for node := range around.Depth {
			require.True(t, want[node])
		}
		for edge := range around.Edges {
			require.True(t, whole[edge])
		}
	}
}

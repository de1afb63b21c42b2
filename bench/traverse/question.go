package main

import (
	"context"
	"time"

	"github.com/headwater-data/headwater/bench/company"
	"github.com/headwater-data/headwater/bench/seed"
	"github.com/headwater-data/headwater/lineage"
	"github.com/headwater-data/headwater/policy"
	"github.com/headwater-data/headwater/projection"
)

// What a traversal is bounded by, as where a caller of the gateway says nothing.
const (
	lookback   = 7 * 24 * time.Hour
	nodeBudget = 10_000
	edgeBudget = 50_000
	timeBudget = 30 * time.Second // beyond the gateway's, so that slow answers are measured and not cut off
)

// question is one traversal with the graph that holds its true answer.
type question struct {
	start      company.Node
	direction  projection.Direction
	depth      int
	validAt    time.Time
	recordedAt lineage.Offset
	truth      *company.Graph
}

// caller may see what the policies show to everyone.
var caller = policy.Principal{Name: "engineer", Kind: policy.User, Roles: []string{"reader"}}

// measured is what one traversal took.
type measured struct {
	took time.Duration
	// examined is the number of nodes, jobs among them, that the policy was asked about.
	examined int
	// policy is how long the policy took to answer.
	policy time.Duration
}

// ask answers a question as the gateway does: a fresh view of the policies, then the walk.
func (b *bench) ask(ctx context.Context, q question) (measured, projection.TraverseAnswer, error) {
	var m measured
	begun := time.Now()
	view, err := b.policies.Visibility(ctx, caller)
	if err != nil {
		return m, projection.TraverseAnswer{}, err
	}
	answer, err := b.store.Traverse(ctx, projection.TraverseRequest{
		Start: seed.Node(b.company, q.start), Directions: []projection.Direction{q.direction}, Depth: q.depth,
		ValidAt: q.validAt, RecordedAt: q.recordedAt, Lookback: lookback,
		NodeBudget: nodeBudget, EdgeBudget: edgeBudget, TimeBudget: timeBudget, SeesAll: !view.Restricted(),
		Show: func(ctx context.Context, nodes []lineage.Node) ([]bool, error) {
			m.examined += len(nodes)
			asked := time.Now()
			defer func() { m.policy += time.Since(asked) }()
			return view.Show(ctx, nodes)
		},
	})
	m.took = time.Since(begun)
	return m, answer, err
}

// questions asks the same of each start, at the end of history.
func (b *bench) questions(starts []company.Node, direction projection.Direction, depth int) []question {
	questions := make([]question, len(starts))
	for i, start := range starts {
		questions[i] = question{start: start, direction: direction, depth: depth, validAt: b.company.End(), truth: b.now}
	}
	return questions
}

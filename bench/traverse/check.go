package main

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/headwater-data/headwater/bench/company"
	"github.com/headwater-data/headwater/bench/seed"
	"github.com/headwater-data/headwater/lineage"
	"github.com/headwater-data/headwater/projection"
)

// edge is an edge as truth and answer can both tell it.
type edge struct {
	from, to, job string
	since         time.Time
	lapsed        bool
}

// check compares an answer with the truth, and keeps what differs.
func (b *bench) check(q question, answer projection.TraverseAnswer, err error) {
	b.checked++
	if err == nil {
		err = b.compare(q, answer)
	}
	if err != nil {
		b.wrong = append(b.wrong, fmt.Errorf("%s, direction %d, depth %d, valid at %s, recorded at %d: %w",
			b.company.Name(q.start), q.direction, q.depth, q.validAt.Format(time.RFC3339), q.recordedAt, err))
	}
}

func (b *bench) compare(q question, answer projection.TraverseAnswer) error {
	around := q.around()
	nodes := map[lineage.Node]int{}
	for node, depth := range around.Depth {
		nodes[seed.Node(b.company, node)] = depth
	}
	edges := map[edge]bool{}
	for e := range around.Edges {
		edges[b.trueEdge(e)] = true
	}
	for _, node := range answer.Nodes {
		if depth, ok := nodes[node.Node]; !ok || depth != node.Depth {
			return fmt.Errorf("node %s is in the answer at depth %d, which is not true", node.Name, node.Depth)
		}
	}
	for _, e := range answer.Edges {
		told := edge{e.From.Name, e.To.Name, e.Job.Name, e.ValidFrom, e.Lapsed}
		if !edges[told] {
			return fmt.Errorf("edge %v is in the answer, which is not true", told)
		}
		delete(edges, told)
	}
	cut := slices.Contains(answer.Incomplete, projection.NodeBudgetSpent) || slices.Contains(answer.Incomplete, projection.EdgeBudgetSpent)
	switch {
	case cut && len(around.Depth) <= nodeBudget && len(around.Edges) <= edgeBudget:
		return errors.New("a budget is spent that the true answer fits into")
	case !cut && len(edges) > 0:
		return fmt.Errorf("%d of %d edges are missing, %v among them", len(edges), len(around.Edges), slices.Collect(maps.Keys(edges))[0])
	case !cut && len(answer.Nodes) != len(nodes):
		return fmt.Errorf("the answer has %d nodes, the truth %d", len(answer.Nodes), len(nodes))
	case !cut && around.More != slices.Contains(answer.Incomplete, projection.DepthReached):
		return errors.New("whether there is more behind the last hop is not told right")
	}
	return nil
}

func (q question) around() company.Around {
	if q.direction == projection.Upstream {
		return q.truth.Upstream(q.start, q.depth)
	}
	return q.truth.Downstream(q.start, q.depth)
}

func (b *bench) trueEdge(e company.Edge) edge {
	return edge{b.company.Name(company.Node{Number: int32(e.From)}), b.company.Name(e.To), b.company.JobName(e.Job), e.Since, e.Lapsed}
}

// shownMistakes bounds how many wrong answers are told in words.
const shownMistakes = 5

// tell says how the answers compared with the truth.
func (b *bench) tell() {
	section := b.Section("Truth")
	section.Note("answers compared with the truth", float64(b.checked), "")
	section.AtMost("wrong answers", float64(len(b.wrong)), 0, "")
	for _, mistake := range b.wrong[:min(len(b.wrong), shownMistakes)] {
		b.Remark("%v", mistake)
	}
}

// verdict is an error where an answer was wrong.
func (b *bench) verdict() error {
	if len(b.wrong) > 0 {
		return fmt.Errorf("%d of %d answers are wrong", len(b.wrong), b.checked)
	}
	return nil
}

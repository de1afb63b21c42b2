package company

import (
	"slices"
	"time"
)

// Edge says that a job carries data from a dataset to a dataset, or to itself where it is a sink.
type Edge struct {
	From Dataset
	To   Node
	Job  Job
	// Since is when the content with this edge was first published.
	Since time.Time
	// Lapsed edges had ended by the time of the graph, within its lookback.
	Lapsed bool
}

// Content is a set of inputs that a job published, and when it held. Until is zero while it holds.
type Content struct {
	Inputs       []Dataset
	First        Run
	Since, Until time.Time
}

// Contents lists what the job published, oldest first: what held at since, and what began between then and until. A
// run that says something new ends the content before it.
func (c *Company) Contents(job Job, since, until time.Time) []Content {
	var contents []Content
	for number := c.beginning(int(job), since); ; number++ {
		run := c.run(int(job), number)
		if run.End.After(until) {
			return contents
		}
		last := len(contents) - 1
		if run.Failed || last >= 0 && slices.Equal(contents[last].Inputs, run.Inputs) {
			continue
		}
		if last >= 0 {
			contents[last].Until = run.End
		}
		contents = append(contents, Content{Inputs: run.Inputs, First: run, Since: run.End})
	}
}

// beginning is the number of the run that began the content that held at a time, or 0.
func (c *Company) beginning(job int, at time.Time) int {
	number := c.firstAfter(job, at)
	for number > 0 {
		run := c.run(job, number)
		if !run.End.After(at) && c.Changes(run) {
			return number
		}
		number--
	}
	return 0
}

// Graph is the truth at one time.
type Graph struct {
	// byFrom and byTo hold the same edges, ordered by one end.
	byFrom, byTo []Edge
}

// GraphAt gives the edges that hold at a time, and those that ended less than lookback before it.
func (c *Company) GraphAt(at time.Time, lookback time.Duration) *Graph {
	var edges []Edge
	for job := range c.size.Jobs {
		for _, content := range c.Contents(Job(job), at.Add(-lookback), at) {
			lapsed := !content.Until.IsZero()
			if lapsed && !content.Until.After(at.Add(-lookback)) {
				continue
			}
			for _, input := range content.Inputs {
				edges = append(edges, Edge{input, c.Output(Job(job)), Job(job), content.Since, lapsed})
			}
		}
	}
	g := &Graph{byFrom: edges, byTo: slices.Clone(edges)}
	slices.SortFunc(g.byFrom, func(a, b Edge) int { return int(a.From) - int(b.From) })
	slices.SortFunc(g.byTo, func(a, b Edge) int { return a.To.compare(b.To) })
	return g
}

// Edges is the number of edges.
func (g *Graph) Edges() int { return len(g.byFrom) }

// Into gives the edges that end in a node.
func (g *Graph) Into(node Node) []Edge {
	begin, _ := slices.BinarySearchFunc(g.byTo, node, func(e Edge, n Node) int { return e.To.compare(n) })
	end := begin
	for end < len(g.byTo) && g.byTo[end].To == node {
		end++
	}
	return g.byTo[begin:end]
}

// OutOf gives the edges that begin in a node. None does in a sink.
func (g *Graph) OutOf(node Node) []Edge {
	if node.Sink {
		return nil
	}
	begin, _ := slices.BinarySearchFunc(g.byFrom, node.Number, func(e Edge, n int32) int { return int(e.From) - int(n) })
	end := begin
	for end < len(g.byFrom) && int32(g.byFrom[end].From) == node.Number {
		end++
	}
	return g.byFrom[begin:end]
}

func (n Node) compare(other Node) int {
	if n.Sink != other.Sink {
		if n.Sink {
			return 1
		}
		return -1
	}
	return int(n.Number) - int(other.Number)
}

// Without is the graph without some nodes and every edge at them.
func (g *Graph) Without(hidden func(Node) bool) *Graph {
	touches := func(e Edge) bool { return hidden(Node{Number: int32(e.From)}) || hidden(e.To) }
	return &Graph{
		byFrom: slices.DeleteFunc(slices.Clone(g.byFrom), touches),
		byTo:   slices.DeleteFunc(slices.Clone(g.byTo), touches),
	}
}

package projection

import (
	"bytes"
	"cmp"
	"context"
	"slices"

	"github.com/headwater-data/headwater/lineage"
)

// ruled lets, of what one author states of the outputs of a class, the latest rule, as if they had been one dataset all
// along.
func (w *walk) ruled(ctx context.Context, steps []step) ([]step, error) {
	var ends []lineage.NodeID
	for _, s := range steps {
		ends = append(ends, w.wholeOf(s.from), w.wholeOf(s.to))
	}
	if err := w.classify(ctx, ends); err != nil {
		return nil, err
	}
	if !w.joined {
		return steps, nil
	}
	rules, err := w.aliasRules(ctx, steps)
	if err != nil {
		return nil, err
	}
	var ruled []step
	for _, s := range steps {
		if s.passage = rules.over(s.passage); s.passage != nil && s.passage.validTo.After(w.at.validAt.Add(-w.at.lookback)) {
			ruled = append(ruled, s)
		}
	}
	return ruled, nil
}

// unalias lets steps begin and end at the nodes under which theirs show.
func (w *walk) unalias(steps []step) []step {
	if !w.joined {
		return steps
	}
	for i, s := range steps {
		steps[i].from, steps[i].to = w.showing(s.from), w.showing(s.to)
	}
	return w.distinct(steps)
}

// author is whose statements of one dataset replace each other.
type author struct {
	output, job lineage.NodeID
	origin      lineage.Origin
	// producer is empty for what was observed.
	producer string
}

func (w *walk) authorOf(p *passage) author {
	a := author{output: w.classOf(p.output).canonical, origin: p.origin}
	if p.job != nil {
		a.job = *p.job
	}
	if p.origin != lineage.Observed {
		a.producer = p.producer
	}
	return a
}

// distinct keeps, of the steps that two names of an output give to the same nodes by the same author, those of the name
// that was written last.
func (w *walk) distinct(steps []step) []step {
	type edge struct {
		from, to lineage.NodeID
		author
	}
	last := map[edge]*passage{}
	for _, s := range steps {
		if !w.severalNames(s.passage.output) {
			continue
		}
		e := edge{s.from, s.to, w.authorOf(s.passage)}
		if best := last[e]; best == nil || latestFirst(s.passage, best) < 0 {
			last[e] = s.passage
		}
	}
	return slices.DeleteFunc(steps, func(s step) bool {
		best := last[edge{s.from, s.to, w.authorOf(s.passage)}]
		return best != nil && best.timeline != s.passage.timeline
	})
}

// latestFirst orders passages by until when they hold, then by when they were last said.
func latestFirst(a, b *passage) int {
	return cmp.Or(b.validTo.Compare(a.validTo), b.lastObservedAt.Compare(a.lastObservedAt), bytes.Compare(a.timeline[:], b.timeline[:]))
}

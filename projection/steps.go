package projection

import (
	"bytes"
	"context"
	"slices"

	"github.com/headwater-data/headwater/lineage"
)

// step is a candidate for an edge.
type step struct {
	from, to lineage.NodeID
	passage  *passage
	// transformations are set between fields.
	transformations []lineage.Transformation
	// standIn tells that from is the job itself, in the place of inputs that are not known.
	standIn bool
}

func (s step) key() edgeKey {
	return edgeKey{lineage.Hash(s.from), lineage.Hash(s.to), s.passage.timeline, s.passage.validFrom.UnixMicro()}
}

// far is the end of the step that lies away from the start.
func (s step) far(direction Direction) lineage.NodeID {
	if direction == Upstream {
		return s.from
	}
	return s.to
}

// steps gives every step from the frontier that the caller may see, in an order that does not depend on hidden nodes.
func (w *walk) steps(ctx context.Context, direction Direction, frontier []lineage.NodeID) ([]step, error) {
	steps, err := w.stated(ctx, direction, frontier)
	if err != nil {
		return nil, err
	}
	steps = w.unalias(steps)
	if w.ofFields() {
		if steps, err = w.lasting(ctx, steps); err != nil {
			return nil, err
		}
	}
	if steps, err = w.filtered(ctx, steps); err != nil {
		return nil, err
	}
	slices.SortFunc(steps, w.compareSteps)
	return steps, nil
}

// stated gives the steps from the frontier that the caller may see, between nodes as statements name them.
func (w *walk) stated(ctx context.Context, direction Direction, frontier []lineage.NodeID) ([]step, error) {
	members := w.membersOf(frontier)
	var candidates []step
	var err error
	if w.ofFields() {
		candidates, err = w.fieldCandidates(ctx, direction, members)
	} else {
		candidates, err = w.candidates(ctx, direction, members)
	}
	if err != nil {
		return nil, err
	}
	if err := w.learnEnds(ctx, candidates); err != nil {
		return nil, err
	}
	shown := slices.DeleteFunc(candidates, func(s step) bool {
		return !w.known[s.from].shown || !w.known[s.to].shown || s.passage.job != nil && !w.known[*s.passage.job].shown ||
			w.ends.passes(s, direction)
	})
	if shown, err = w.renamed(ctx, direction, frontier, shown); err != nil {
		return nil, err
	}
	if shown, err = w.endDropped(ctx, shown); err != nil {
		return nil, err
	}
	return w.ruled(ctx, shown)
}

// learnEnds learns the nodes and jobs of steps.
func (w *walk) learnEnds(ctx context.Context, steps []step) error {
	var ids []lineage.NodeID
	for _, s := range steps {
		ids = append(ids, s.from, s.to)
		if s.passage.job != nil {
			ids = append(ids, *s.passage.job)
		}
	}
	if w.ofFields() {
		return w.learnFields(ctx, ids)
	}
	return w.learn(ctx, ids)
}

func (w *walk) compareSteps(a, b step) int {
	if a.from != b.from {
		return w.known[a.from].Node.Compare(w.known[b.from].Node)
	}
	if a.to != b.to {
		return w.known[a.to].Node.Compare(w.known[b.to].Node)
	}
	if c := bytes.Compare(a.passage.timeline[:], b.passage.timeline[:]); c != 0 {
		return c
	}
	if c := a.passage.validFrom.Compare(b.passage.validFrom); c != 0 {
		return c
	}
	return b.passage.validTo.Compare(a.passage.validTo) // of writes that begin together, the one that holds shows
}

// candidates gives the steps from the frontier without regard to who asks.
func (w *walk) candidates(ctx context.Context, direction Direction, frontier []lineage.NodeID) ([]step, error) {
	nodes := make([]lineage.Hash, len(frontier))
	for i, id := range frontier {
		nodes[i] = lineage.Hash(id)
	}
	var steps []step
	var err error
	if direction == Upstream {
		steps, err = w.stepsInto(ctx, nodes)
	} else {
		steps, err = w.stepsFrom(ctx, nodes)
	}
	if err != nil {
		return nil, err
	}
	if w.known[frontier[0]].Kind == lineage.NodeJob && frontier[0] == w.request.Start.ID() {
		ofJob, err := w.jobSteps(ctx, direction, frontier[0])
		if err != nil {
			return nil, err
		}
		steps = append(steps, ofJob...)
	}
	return steps, nil
}

func (w *walk) stepsInto(ctx context.Context, nodes []lineage.Hash) ([]step, error) {
	passages, err := w.passages(ctx, w.at, w.at.writes.into, nodes)
	if err != nil {
		return nil, err
	}
	inputs, err := w.flowInputs(ctx, passages)
	if err != nil {
		return nil, err
	}
	return joinInputs(passages, inputs), nil
}

func (w *walk) stepsFrom(ctx context.Context, nodes []lineage.Hash) ([]step, error) {
	inputs, err := w.readers(ctx, nodes)
	if err != nil || len(inputs) == 0 {
		return nil, err
	}
	passages, err := w.passages(ctx, w.at, w.at.writes.by, sortedKeys(inputs))
	if err != nil {
		return nil, err
	}
	return joinInputs(passages, inputs), nil
}

// joinInputs makes a step of each input and output of the passages. Where a job names no inputs, it stands for them.
func joinInputs(passages []*passage, inputs map[lineage.Hash][]lineage.NodeID) []step {
	var steps []step
	for _, p := range passages {
		from := inputs[p.flow]
		standIn := len(from) == 0 && p.job != nil
		if standIn {
			from = []lineage.NodeID{*p.job}
		}
		for _, input := range from {
			steps = append(steps, step{from: input, to: p.output, passage: p, standIn: standIn})
		}
	}
	return steps
}

// jobSteps are the steps of a walk that starts at a job: from its inputs to it, or from it to its outputs.
func (w *walk) jobSteps(ctx context.Context, direction Direction, job lineage.NodeID) ([]step, error) {
	passages, err := w.passages(ctx, w.at, w.at.writes.of, []lineage.Hash{lineage.Hash(job)})
	if err != nil {
		return nil, err
	}
	var steps []step
	if direction == Downstream {
		for _, p := range passages {
			if p.output != job {
				steps = append(steps, step{from: job, to: p.output, passage: p})
			}
		}
		return steps, nil
	}
	if passages, err = w.intoShown(ctx, passages); err != nil {
		return nil, err
	}
	passages = slices.DeleteFunc(passages, func(p *passage) bool { return !w.request.keep(p) })
	inputs, err := w.flowInputs(ctx, passages)
	if err != nil {
		return nil, err
	}
	// One edge shows for all that the job made of an input: the latest, in whatever order the rows came.
	slices.SortFunc(passages, latestFirst)
	read := map[lineage.NodeID]bool{}
	for _, p := range passages {
		for _, input := range inputs[p.flow] {
			if p.output != job && !read[input] {
				read[input] = true
				steps = append(steps, step{from: input, to: job, passage: p})
			}
		}
	}
	return steps, nil
}

// intoShown leaves out what is written to outputs that the caller may not see: that a job reads something for their sake
// would tell of them.
func (w *walk) intoShown(ctx context.Context, passages []*passage) ([]*passage, error) {
	outputs := make([]lineage.NodeID, len(passages))
	for i, p := range passages {
		outputs[i] = p.output
	}
	if err := w.learn(ctx, outputs); err != nil {
		return nil, err
	}
	return slices.DeleteFunc(passages, func(p *passage) bool { return !w.known[p.output].shown }), nil
}

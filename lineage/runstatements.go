package lineage

import (
	"iter"
	"slices"
)

// RunStatements makes the statements of a run under name rules. It holds until the run takes in more evidence: a decision on
// one output changes what the run states of that output alone.
type RunStatements struct {
	// raw has the publications as they stand, and run is the same run under names.
	raw   *Run
	run   *Run
	names *NameRules
	key   Hash
	flows flowSet
	// views are what the run shows at each time at which it states something, in that order.
	views []sentView
}

// sentView is a view with who sent the event that completes it.
type sentView struct {
	*view
	sender Sender
}

// StatementsUnder prepares the statements of the run.
func (r *Run) StatementsUnder(names *NameRules) *RunStatements {
	s := &RunStatements{raw: r, run: r.Under(names), names: names, key: r.Key.Hash(), flows: flowSet{job: r.Key.Job, byID: map[Hash]*Flow{}}}
	switch {
	case r.Continuous():
		for _, moment := range s.run.changes() {
			s.views = append(s.views, sentView{newView(s.run, moment.EffectiveAt, s.flows), s.run.witness(moment)})
		}
	case r.End != nil:
		s.views = []sentView{{newView(s.run, r.End.EffectiveAt, s.flows), r.End.Sender}}
	}
	return s
}

// All gives the statements of each output, as it is known under the rules, and under the zero Node those that no decision
// changes: what the run says of jobs and of the existence of its inputs, and what it calls its datasets.
func (s *RunStatements) All() iter.Seq2[Node, []Statement] {
	return func(yield func(Node, []Statement) bool) {
		for same := range sameOutputs(s.run.Outputs) {
			if !yield(same[0].Node(), s.of(same)) {
				return
			}
		}
		yield(Node{}, slices.Concat(s.ofJobs(), s.inputLives(), s.run.symlinkStatements()))
	}
}

// Of gives the statements of one output, named as the run names it, under its publication as it stands; rules may unite it
// with others.
func (s *RunStatements) Of(raw DatasetID) (known Node, statements []Statement) {
	id, outputs := s.names.Dataset(raw), s.run.Outputs
	first, _ := slices.BinarySearchFunc(outputs, id, func(o Output, id DatasetID) int { return o.DatasetID.Compare(id) })
	end := first
	for ; end < len(outputs) && outputs[end].DatasetID == id; end++ {
		if output := &outputs[end]; s.names != nil && output.Raw == raw {
			decided := s.raw.Output(raw)
			output.Publication, output.Until = decided.Publication, decided.Until
		}
	}
	return id.Node(), s.of(outputs[first:end])
}

func (s *RunStatements) of(same []Output) []Statement {
	maker := s.maker()
	for _, view := range s.views {
		maker.make(view.view, view.sender, same)
	}
	return maker.statements
}

// ofJobs are the paths that end in jobs, where the run did what it set out to do.
func (s *RunStatements) ofJobs() []Statement {
	if len(s.views) == 0 || !s.run.Continuous() && s.run.End.Type != Complete {
		return nil
	}
	maker, sunk := s.maker(), newView(s.run, Forever, s.flows).sunk()
	for _, view := range s.views {
		maker.addJobs(view.view, view.sender, sunk)
	}
	return maker.statements
}

func (s *RunStatements) maker() statementMaker {
	return statementMaker{run: s.run, key: s.key, last: map[outputLevel]Statement{}}
}

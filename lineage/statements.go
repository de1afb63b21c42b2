package lineage

import (
	"slices"
	"time"
)

// Statements says what the run, as it stands, has of each output that is in the graph. A run that ends makes one
// statement an output, at the terminal event that holds. A continuous run makes one for each distinct content, at
// the event that completes it.
func (r *Run) Statements() []Statement {
	s := statementMaker{run: r, key: r.Key.Hash(), flows: map[Hash]*Flow{}, last: map[Node]Hash{}}
	switch {
	case r.Continuous():
		for _, at := range r.changes() {
			s.make(at)
		}
	case r.End != nil:
		s.make(r.End.EffectiveAt)
	}
	return s.statements
}

// changes lists the times at which a continuous run named something new, in order.
func (r *Run) changes() []time.Time {
	var times []time.Time
	for _, input := range r.Inputs {
		times = append(times, input.Since)
	}
	for _, output := range r.Outputs {
		times = append(times, output.Since)
		if output.Columns.said() {
			times = append(times, output.Columns.At)
		}
	}
	for _, target := range r.Explicit {
		times = append(times, target.Inputs.At)
	}
	slices.SortFunc(times, time.Time.Compare)
	return slices.CompactFunc(times, time.Time.Equal)
}

// statementMaker collects the statements of one run.
type statementMaker struct {
	run   *Run
	key   Hash
	flows map[Hash]*Flow
	// last is the content that each output was last said to have.
	last       map[Node]Hash
	statements []Statement
}

// make adds what the run had said by the effective time at. All of it counts in a run that ends, whenever it was said.
func (s *statementMaker) make(at time.Time) {
	known := func(since time.Time) bool { return !s.run.Continuous() || !since.After(at) }
	inputs, paired := s.inputs(known)
	all := s.flow(inputs)
	for _, output := range s.run.Outputs {
		if output.Publication.Visible() && known(output.Since) {
			s.add(at, s.outputStatement(output, all, paired, known))
		}
	}
	if s.run.Continuous() || s.run.End.Type == Complete {
		s.addJobStatements(at, inputs, known)
	}
}

// inputs gives the run's inputs and those among them that column lineage of any output names.
func (s *statementMaker) inputs(known func(time.Time) bool) (inputs []Node, paired map[Node]bool) {
	for _, input := range s.run.Inputs {
		if known(input.Since) {
			inputs = append(inputs, input.Node())
		}
	}
	paired = map[Node]bool{}
	for _, output := range s.run.Outputs {
		if known(output.Columns.At) {
			for _, node := range output.Columns.Value {
				paired[node] = true
			}
		}
	}
	return inputs, paired
}

// outputStatement finds the inputs of one output: as a lineage facet names them; else as its column lineage does,
// with the inputs that no column lineage names; else all.
func (s *statementMaker) outputStatement(output Output, all *Flow, paired map[Node]bool, known func(time.Time) bool) Statement {
	statement := Statement{Output: output.Node(), Publication: output.Publication}
	target := s.run.target(output.Node())
	switch {
	case target != nil && known(target.Inputs.At):
		statement.Speaks = true
		statement.Derivation = ExplicitPair
		statement.Flow = s.flow(target.Inputs.Value)
	case output.Columns.said() && known(output.Columns.At):
		statement.Speaks = true
		statement.Derivation = ByColumnLineage
		unnamed := slices.DeleteFunc(slices.Clone(all.Inputs), func(n Node) bool { return paired[n] })
		statement.Flow = s.flow(append(unnamed, output.Columns.Value...))
	default:
		statement.Speaks = len(all.Inputs) > 0
		statement.Derivation = InputsTimesOutputs
		statement.Flow = all
	}
	return statement
}

// addJobStatements adds the paths that end in a job: another job feeds it, or it reads what it passes on to no
// output.
func (s *statementMaker) addJobStatements(at time.Time, inputs []Node, known func(time.Time) bool) {
	consumed := map[Node]bool{}
	for _, target := range s.run.Explicit {
		if !known(target.Inputs.At) {
			continue
		}
		for _, input := range target.Inputs.Value {
			consumed[input] = true
		}
		if target.Kind == NodeJob {
			s.add(at, Statement{Output: target.Node, Speaks: true, Derivation: ExplicitPair, Flow: s.flow(target.Inputs.Value)})
		}
	}
	if len(s.run.Outputs) > 0 && len(s.run.Explicit) == 0 {
		return
	}
	sunk := slices.DeleteFunc(slices.Clone(inputs), func(n Node) bool { return consumed[n] })
	own := s.run.Key.Job.Node()
	if len(sunk) > 0 && s.run.target(own) == nil {
		s.add(at, Statement{Output: own, Speaks: true, Derivation: InputsTimesOutputs, Flow: s.flow(sunk)})
	}
}

// add completes a statement. A continuous run repeats itself at each change; only what differs is kept.
func (s *statementMaker) add(at time.Time, statement Statement) {
	if s.last[statement.Output] == statement.Flow.ID() {
		return
	}
	s.last[statement.Output] = statement.Flow.ID()
	statement.EffectiveAt = at
	statement.Key = s.key
	statement.Run = s.key
	statement.Origin = Observed
	statement.JobVersion = s.run.JobVersion.Value
	statement.Sender = s.run.Sender.Value
	if s.run.End != nil && !s.run.Continuous() {
		statement.Sender = s.run.End.Sender
	}
	s.statements = append(s.statements, statement)
}

// flow gives the flow over inputs, building each content once: a wide run writes many outputs from one set.
func (s *statementMaker) flow(inputs []Node) *Flow {
	content := HashOf(nodeKeys(inputs)...)
	flow, ok := s.flows[content]
	if !ok {
		flow = NewFlow(s.run.Key.Job, slices.Clone(inputs))
		s.flows[content] = flow
	}
	return flow
}

func nodeKeys(nodes []Node) []string {
	keys := make([]string, 0, 3*len(nodes))
	for _, node := range nodes {
		keys = append(keys, string(rune('0'+node.Kind)), node.Namespace, node.Name)
	}
	return keys
}

func (r *Run) target(node Node) *Target {
	i, found := slices.BinarySearchFunc(r.Explicit, node, func(t Target, n Node) int { return t.Node.Compare(n) })
	if !found {
		return nil
	}
	return &r.Explicit[i]
}

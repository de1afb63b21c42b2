package lineage

import "slices"

// Statements says what the run, as it stands, has of each output that is in the graph, or was until a roll-back. A run
// that ends makes one statement an output, at the terminal event that holds. A continuous run makes one for each
// distinct content, at the event that completes it. What any run calls its datasets counts, whatever becomes of it.
func (r *Run) Statements() []Statement {
	var all []Statement
	for _, statements := range r.StatementsUnder(nil).All() {
		all = append(all, statements...)
	}
	return all
}

// changes lists the moments at which a continuous run named something new, in order and one for each time.
func (r *Run) changes() []Moment {
	moments := r.firsts()
	slices.SortFunc(moments, Moment.Compare)
	return slices.CompactFunc(moments, func(a, b Moment) bool { return a.EffectiveAt.Equal(b.EffectiveAt) })
}

// witness finds who sent the event of a moment at which the run named something new.
func (r *Run) witness(moment Moment) Sender {
	i, _ := slices.BinarySearchFunc(r.Witnesses, moment, func(w Witness, m Moment) int { return w.Compare(m) })
	return r.Witnesses[i].Sender
}

// statementMaker collects statements of one run.
type statementMaker struct {
	run *Run
	key Hash
	// last is what was last said of each output.
	last       map[outputLevel]Statement
	statements []Statement
}

// outputLevel is what statements of one run replace each other in.
type outputLevel struct {
	output Node
	level  Level
}

// make adds what a view shows of an output, given by all its raw names, if it is visible.
func (m *statementMaker) make(v *view, sender Sender, same []Output) {
	same = v.counting(same)
	if len(same) == 0 {
		return
	}
	statement := v.stated(same)
	life, told := v.statedLife(statement, same)
	if told {
		m.add(v, sender, life)
	}
	if told && life.Content == Dropped {
		m.drop(v, sender, statement)
		return
	}
	renames, renamed := v.statedRenames(statement, same)
	if !renamed || len(statement.Flow().Inputs) > 0 { // without inputs, to rename it is all that the run did
		m.add(v, sender, statement)
	}
	if columns, ok := v.statedColumns(statement, same); ok {
		m.add(v, sender, columns)
	}
	if schema, ok := v.statedSchema(statement, same); ok {
		m.add(v, sender, schema)
	}
	if renamed {
		m.add(v, sender, renames)
	}
}

// drop ends the schema of an output that the run drops. What the run made of inputs before is stated all the same; without
// inputs, to drop it is all that the run did.
func (m *statementMaker) drop(v *view, sender Sender, statement Statement) {
	if len(statement.Flow().Inputs) > 0 {
		m.add(v, sender, statement)
	}
	statement.Content, statement.Derivation = Absence(SchemaLevel), ExplicitPair
	m.add(v, sender, statement)
}

// addJobs adds the paths that end in a job: another job feeds it, or it reads what it passes on to no output. sunk are the
// inputs that feed none.
func (m *statementMaker) addJobs(v *view, sender Sender, sunk nodeSet) {
	own := Statement{Output: m.run.Key.Job.Node(), Derivation: InputsTimesOutputs}
	feeding := slices.DeleteFunc(slices.Clone(v.inputs), func(n Node) bool { return !sunk[n] })
	for i := range m.run.Explicit {
		target := &m.run.Explicit[i]
		inputs, said := v.sources(&target.Inputs, m.run.LineageDeleted)
		switch {
		case !said || target.Kind != NodeJob:
		case target.Node == own.Output:
			own.Derivation = ExplicitPair
			feeding = append(feeding, inputs...)
		default:
			m.add(v, sender, Statement{Output: target.Node, Content: v.flows.over(inputs), Derivation: ExplicitPair})
		}
	}
	if own.Derivation == ExplicitPair || len(feeding) > 0 {
		own.Content = v.flows.over(feeding)
		m.add(v, sender, own)
	}
}

// add completes a statement. A continuous run repeats itself at each change; only what differs is kept.
func (m *statementMaker) add(v *view, sender Sender, s Statement) {
	flow := s.Flow()
	s.Speaks = flow == nil || s.Derivation == ExplicitPair || len(flow.Inputs) > 0
	said := outputLevel{s.Output, s.Content.Level()}
	if last, ok := m.last[said]; ok && last.Content.ID() == s.Content.ID() && last.Speaks == s.Speaks {
		return
	}
	s.EffectiveAt = v.until
	if s.Until.IsZero() {
		s.Until = Forever
	}
	s.Key = m.key
	if said.level == FlowLevel || said.level == ColumnLevel { // the others are of the dataset, whoever writes it
		s.Job = m.run.Key.Job
	}
	s.Origin = Observed
	s.JobVersion = m.run.JobVersion.Value
	s.Sender = sender
	s.RunID = m.run.Key.RunID
	m.last[said] = s
	m.statements = append(m.statements, s)
}

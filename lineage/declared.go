package lineage

// DeclaredStatements says what a JobEvent or a DatasetEvent declares: what a completed run of the same content would
// publish, in the name of the producer, under name rules. An event that names no lineage declares none.
func DeclaredStatements(event Event, arrival Arrival, names *NameRules) []Statement {
	contribution, _ := NewContribution(event, arrival)
	contribution.Type = Complete
	run := Run{Key: RunKey{Job: event.Job}}
	run.Add(contribution)
	for i := range run.Outputs {
		run.Outputs[i].Publication = Published
	}
	statements := run.Under(names).Statements()
	for i := range statements {
		s := &statements[i]
		if s.Content.Level() == AliasLevel {
			continue // a producer's symlinks follow each other, whatever kind of event they come in
		}
		s.Key = contribution.Key
		s.Origin = Declared
		s.Publication = NotPublishable
		s.Scope = arrival.Producer
		s.RunID = ""
	}
	return statements
}

package lineage

// DeclaredStatements says what a JobEvent or a DatasetEvent declares: what a completed run of the same content would
// publish, in the name of the producer, under name rules. An event that names no lineage declares none. A DatasetEvent has no
// job.
func DeclaredStatements(job JobID, said Contribution, names *NameRules) []Statement {
	said.Type = Complete
	run := Fold(RunKey{Job: job}, []Contribution{said})
	for i := range run.Outputs {
		run.Outputs[i].Publication = Published
	}
	statements := run.Under(names).Statements()
	for i := range statements {
		s := &statements[i]
		if s.Content.Level() == AliasLevel {
			continue // a producer's symlinks follow each other, whatever kind of event they come in
		}
		s.Key = said.Key
		s.Origin = Declared
		s.Publication = NotPublishable
		s.Scope = said.Producer
		s.RunID = ""
	}
	return statements
}

package lineage

import "slices"

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
		s.Key = said.Key
		s.Publication = NotPublishable
		s.RunID = ""
		if s.Content.Level() != AliasLevel { // names follow each other, whatever kind of event they come in
			s.Origin, s.Scope = Declared, said.Producer
		}
	}
	if job == (JobID{}) {
		statements = said.endView(statements)
		// That nobody in particular writes it says nothing.
		statements = slices.DeleteFunc(statements, func(s Statement) bool { return s.Flow() != nil && !s.Speaks })
	}
	return statements
}

// endView ends what was declared of a view whose facet a DatasetEvent deletes without stating another.
func (c *Contribution) endView(statements []Statement) []Statement {
	for _, s := range statements {
		if len(c.Deleted.Columns) > 0 && s.Content.Level() == FlowLevel && !s.Speaks {
			s.Speaks = true
			flow, columns := s, s
			flow.Content, columns.Content = Absence(FlowLevel), Absence(ColumnLevel)
			return []Statement{flow, columns}
		}
	}
	return statements
}

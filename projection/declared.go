package projection

import "github.com/headwater-data/headwater/lineage"

// declaredBy is what an entry declares or a person states in it, under name rules.
func declaredBy(f fact, names *lineage.NameRules) []lineage.Statement {
	if f.event.Kind == lineage.JobEvent || f.event.Kind == lineage.DatasetEvent {
		return lineage.DeclaredStatements(f.event.Job, f.contribution, names)
	}
	switch stated := f.event.Fact.(type) {
	case lineage.ManualEdge:
		return stated.Statements(f.moment(), f.sender(), names)
	case lineage.Snapshot:
		return stated.Under(names).Statements(f.moment(), f.sender())
	default:
		return nil
	}
}

// moment is the place in effective time of what the entry says.
func (f fact) moment() lineage.Moment {
	return lineage.Moment{EffectiveAt: lineage.EffectiveAt(f.event.EventTime, f.entry.ReceivedAt), Key: f.entry.Arrival().Key()}
}

func (f fact) sender() lineage.Sender {
	return lineage.Sender{Producer: f.entry.Producer, EventID: f.entry.EventID}
}

// addFact notes what a person, or a tool that speaks for one, states about the graph.
func (c *changes) addFact(f fact) {
	switch f.event.Fact.(type) {
	case lineage.ManualEdge:
		c.addDeclared(f)
	case lineage.NameRuleRegistration:
		c.named.ruleSets = append(c.named.ruleSets, f)
	case lineage.NameDismissal:
		c.named.dismissals = append(c.named.dismissals, f)
	}
}

// addDeclared notes what an entry declares.
func (c *changes) addDeclared(f fact) {
	for i := range f.declared {
		if job := f.declared[i].Job; job != (lineage.JobID{}) {
			c.addNode(job.Node(), f.entry.Offset)
		}
	}
	c.addStatements(f.entry.Offset, nil, statementRows(f.declared, 0))
	c.addFlows(f.declared, f.entry.Offset)
}

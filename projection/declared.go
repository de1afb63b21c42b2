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

// addStated notes an event that is about no run, whether it counts or not: what it names is known, and its content is stored.
func (c *changes) addStated(f fact) {
	at := f.entry.Offset
	switch stated := f.event.Fact.(type) {
	case nil:
		c.addColumnMaps(f.contribution.ColumnMaps, at)
		c.addSchemas(f.contribution.SchemaContents, at)
		c.addMentioned(f)
	case lineage.ManualEdge:
		if !stated.Ended {
			c.addNodes(at, stated.From.Node(), stated.To.Node())
		}
	case lineage.Snapshot:
		c.addSnapshot(f, stated)
	case lineage.AliasRegistration:
		c.addNodes(at, stated.Alias.Node(), stated.Of.Node())
	case lineage.AliasEnd:
		c.addNodes(at, stated.Alias.Node(), stated.Of.Node())
	case lineage.NameRuleRegistration:
		c.named.ruleSets = append(c.named.ruleSets, f)
		return // a set belongs to the projections that are built under it
	}
	c.addJobs(f.declared, at)
	c.stated = append(c.stated, f)
}

// addNodes notes datasets under name rules.
func (c *changes) addNodes(at lineage.Offset, raw ...lineage.Node) {
	for _, node := range raw {
		c.addNode(c.names.Node(node), at)
	}
}

// addJobs notes the jobs that statements are about.
func (c *changes) addJobs(statements []lineage.Statement, at lineage.Offset) {
	for i := range statements {
		if job := statements[i].Job; job != (lineage.JobID{}) {
			c.addNode(job.Node(), at)
		}
	}
}

// declare notes statements that count from an offset on.
func (c *changes) declare(statements []lineage.Statement, at lineage.Offset) {
	c.addStatements(at, nil, statementRows(statements, 0))
	c.addFlows(statements, at)
}

package projection

import (
	"bytes"
	"cmp"
	"maps"
	"slices"

	"github.com/headwater-data/headwater/lineage"
)

// changes is what a batch writes, beside the runs themselves.
type changes struct {
	// names are the projection's rules.
	names *lineage.NameRules
	named nameChanges
	nodes map[lineage.NodeID]nodeRow
	flows map[lineage.Hash]flowRow
	// columnMaps are stored as they arrive, and their unions as they are stated.
	columnMaps   map[lineage.Hash]columnMapRow
	columnUnions map[lineage.Hash]columnUnionRow
	// called is what authors call datasets, and aliases what people said of that.
	called  map[lineage.Hash]namesRow
	aliases foldedAliases
	events  []runEventRow
	// mentioned are the runs that others name as their parent or root, with where that was first.
	mentioned map[lineage.RunKey]lineage.Offset
	// words are what is said of nodes as such.
	words []attributeWord
	// evidence tells what counts once the batch is folded.
	evidence *evidence
	// schemas are those stated, by hash.
	schemas map[lineage.Hash]schemaRow
	// snapshots are those declared.
	snapshots []snapshotRow
	// stated are the events about no run.
	stated      []fact
	withdrawals versions[lineage.Hash, lineage.Latest[lineage.StatedWithdrawal]]
	// statements are in the order of the log.
	statements    []statementChange
	statementRows versions[statementKey, statementRow]
	// parents are of runs, by run key.
	parents versions[lineage.Hash, runParentRow]
	writes  versions[statementKey, writeRow]
	// rewritten tells, of each flow of which writes were opened or closed, when that was last.
	rewritten map[lineage.Hash]lineage.Offset
}

// statementChange is what one entry changes in one timeline.
type statementChange struct {
	at       lineage.Offset
	timeline lineage.Hash
	removed  []statementRow
	added    []statementRow
}

// runEventRow is a row of table run_event.
type runEventRow struct {
	fact
	run lineage.Hash
}

type nodeRow struct {
	lineage.Node
	at lineage.Offset
}

type flowRow struct {
	*lineage.Flow
	at lineage.Offset
}

func (c *changes) addNode(node lineage.Node, at lineage.Offset) {
	if c.nodes == nil {
		c.nodes = map[lineage.NodeID]nodeRow{}
	}
	if id := node.ID(); c.nodes[id].at == 0 {
		c.nodes[id] = nodeRow{node, at}
	}
}

func (c *changes) addRunEvent(f fact) {
	c.events = append(c.events, runEventRow{f, f.event.RunHash()})
	c.addColumnMaps(f.contribution.ColumnMaps, f.entry.Offset)
	c.addMentionedRuns(f)
	c.addSchemas(f.contribution.SchemaContents, f.entry.Offset)
	c.addMentioned(f)
}

// addWithdrawal notes a withdrawal that rules.
func (c *changes) addWithdrawal(f fact) {
	subject := f.withdrawal.Value.Subject()
	c.withdrawals.close(subject, f.entry.Offset)
	c.withdrawals.open(subject, f.withdrawal, f.entry.Offset)
}

// addRunWithdrawal notes it among the events of the run that it changes, so that the run's workflow hears of it.
func (c *changes) addRunWithdrawal(run lineage.Hash, f fact) {
	f.contribution = lineage.Contribution{EventTime: f.event.EventTime, Moment: f.withdrawal.Moment}
	c.events = append(c.events, runEventRow{f, run})
}

// addMentioned notes the job and the datasets that an event names, in its lists or in facets.
func (c *changes) addMentioned(f fact) {
	if f.event.Kind == lineage.DatasetEvent {
		c.addNamed(f.event.Dataset.Node(), f)
	} else {
		c.addNamed(f.event.Job.Node(), f)
	}
	for _, dataset := range slices.Concat(f.event.Inputs, f.event.Outputs) {
		c.addNamed(dataset.Node(), f)
	}
	for _, pairs := range slices.Concat(f.contribution.Explicit, f.contribution.Columns) {
		c.addNamed(pairs.Target, f)
		for _, input := range pairs.Inputs {
			c.addNamed(input, f)
		}
	}
}

func (c *changes) addFlows(statements []lineage.Statement, at lineage.Offset) {
	c.addNames(statements, at)
	if c.flows == nil {
		c.flows = map[lineage.Hash]flowRow{}
	}
	for i := range statements {
		switch content := statements[i].Content.(type) {
		case *lineage.ColumnMap:
			c.addColumnMaps([]*lineage.ColumnMap{content}, at)
		case *lineage.ColumnMapUnion:
			c.addColumnUnion(content, at)
		case *lineage.Schema:
			c.addSchemas([]*lineage.Schema{content}, at)
		}
		flow := statements[i].Flow()
		if flow == nil {
			continue
		}
		c.addNode(statements[i].Output, at)
		if _, known := c.flows[flow.ID()]; known {
			continue
		}
		c.flows[flow.ID()] = flowRow{flow, at}
		for _, input := range flow.Inputs {
			c.addNode(input, at)
		}
	}
}

// addStatements notes, by timeline, how the statements of one author differ between before and after.
func (c *changes) addStatements(at lineage.Offset, before, after map[statementKey]statementRow) {
	byTimeline := map[lineage.Hash]*statementChange{}
	change := func(timeline lineage.Hash) *statementChange {
		if byTimeline[timeline] == nil {
			byTimeline[timeline] = &statementChange{at: at, timeline: timeline}
		}
		return byTimeline[timeline]
	}
	for key, row := range before {
		if after[key] != row {
			change(key.timeline).removed = append(change(key.timeline).removed, row)
		}
	}
	for key, row := range after {
		if before[key] != row {
			change(key.timeline).added = append(change(key.timeline).added, row)
		}
	}
	timelines := slices.SortedFunc(maps.Keys(byTimeline), func(a, b lineage.Hash) int { return bytes.Compare(a[:], b[:]) })
	for _, timeline := range timelines {
		change := byTimeline[timeline]
		slices.SortFunc(change.removed, compareRows)
		slices.SortFunc(change.added, compareRows)
		c.statements = append(c.statements, *change)
	}
}

func compareRows(a, b statementRow) int {
	if c := cmp.Compare(a.at, b.at); c != 0 {
		return c
	}
	return bytes.Compare(a.key[:], b.key[:])
}

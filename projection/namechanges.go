package projection

import (
	"encoding/json/v2"
	"fmt"

	"github.com/headwater-data/headwater/lineage"
)

// nameChanges is what a batch writes about names.
type nameChanges struct {
	// spellings are the raw names of datasets.
	spellings map[lineage.NodeID]spellingRow
	misfits   map[lineage.NodeID]misfitRow
	uses      map[nameUseKey]fact
	ruleSets  []fact
	// dismissalRows are what people said of names.
	dismissalRows versions[lineage.NodeID, dismissalRow]
}

type spellingRow struct {
	lineage.DatasetID
	node lineage.NodeID
	at   lineage.Offset
}

type misfitRow struct {
	reason string
	at     lineage.Offset
}

type nameUseKey struct {
	node lineage.NodeID
	at   lineage.Offset
}

// addNamed notes a node that an event calls by its raw name.
func (c *changes) addNamed(raw lineage.Node, f fact) {
	if c.names == nil || raw.Kind != lineage.NodeDataset {
		c.addNode(raw, f.entry.Offset)
		return
	}
	rawID := lineage.DatasetID{Namespace: raw.Namespace, Name: raw.Name}
	resolved := c.names.Resolve(rawID)
	c.addNode(resolved.Node(), f.entry.Offset)
	c.named.add(rawID, resolved, f)
}

func (n *nameChanges) add(raw lineage.DatasetID, resolved lineage.ResolvedName, f fact) {
	if n.spellings == nil {
		n.spellings, n.misfits, n.uses = map[lineage.NodeID]spellingRow{}, map[lineage.NodeID]misfitRow{}, map[nameUseKey]fact{}
	}
	node := resolved.Node().ID()
	if id := raw.Node().ID(); n.spellings[id].at == 0 {
		n.spellings[id] = spellingRow{raw, node, f.entry.Offset}
	}
	if resolved.Misfit == "" {
		return
	}
	if n.misfits[node].at == 0 {
		n.misfits[node] = misfitRow{resolved.Misfit, f.entry.Offset}
	}
	n.uses[nameUseKey{node, f.entry.Offset}] = f
}

const (
	insertSpellings = `INSERT INTO node_name (projection_id, name_id, node_id, namespace, name, recorded_from)
		SELECT $1, * FROM unnest($2::uuid[], $3::uuid[], $4::text[], $5::text[], $6::bigint[]) ON CONFLICT DO NOTHING`
	insertMisfits = `INSERT INTO unresolved (projection_id, node_id, misfit, recorded_from)
		SELECT $1, * FROM unnest($2::uuid[], $3::text[], $4::bigint[]) ON CONFLICT DO NOTHING`
	insertNameUse = `INSERT INTO unresolved_use (projection_id, node_id, log_offset, producer, event_id, event_time,
			job_namespace, job_name, run_id, counts)
		VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)`
	insertRuleSet = `INSERT INTO name_rule_set (projection_id, revision, rules, event_time, said_by, reason, recorded_from)
		VALUES ($1, $2, $3, $4, $5, $6, $7)`
)

func (w *writer) queueNames(n *nameChanges, evidence *evidence) error {
	if len(n.spellings) > 0 {
		ids := sortedKeys(n.spellings)
		w.batch.Queue(insertSpellings, w.id,
			column(ids, func(id lineage.NodeID) lineage.Hash { return lineage.Hash(id) }),
			column(ids, func(id lineage.NodeID) lineage.Hash { return lineage.Hash(n.spellings[id].node) }),
			column(ids, func(id lineage.NodeID) string { return n.spellings[id].Namespace }),
			column(ids, func(id lineage.NodeID) string { return n.spellings[id].Name }),
			column(ids, func(id lineage.NodeID) int64 { return int64(n.spellings[id].at) }))
	}
	if len(n.misfits) > 0 {
		ids := sortedKeys(n.misfits)
		w.batch.Queue(insertMisfits, w.id,
			column(ids, func(id lineage.NodeID) lineage.Hash { return lineage.Hash(id) }),
			column(ids, func(id lineage.NodeID) string { return n.misfits[id].reason }),
			column(ids, func(id lineage.NodeID) int64 { return int64(n.misfits[id].at) }))
	}
	for use, f := range n.uses {
		w.batch.Queue(insertNameUse, w.id, lineage.Hash(use.node), int64(use.at), f.entry.Producer, f.entry.EventID,
			f.event.EventTime, f.event.Job.Namespace, f.event.Job.Name, f.event.Run.RunID, evidence.counts(f.sender(), f.event.RunHash()))
	}
	w.queueDismissals(n.dismissalRows)
	return w.queueRuleSets(n.ruleSets)
}

func (w *writer) queueRuleSets(registered []fact) error {
	for _, f := range registered {
		rules, err := lineage.NewNameRules(f.event.Fact.(lineage.NameRuleRegistration).Rules)
		if err != nil {
			return fmt.Errorf("read the name rules at %d: %w", f.entry.Offset, err)
		}
		encoded, err := json.Marshal(rules.Set())
		if err != nil {
			return fmt.Errorf("encode the name rules at %d: %w", f.entry.Offset, err)
		}
		said := f.event.Attribution
		w.batch.Queue(insertRuleSet, w.id, rules.Revision(), encoded, said.EventTime, said.By, said.Reason, int64(f.entry.Offset))
	}
	return nil
}

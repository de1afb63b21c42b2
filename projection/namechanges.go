package projection

import (
	"context"
	"encoding/json/v2"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/headwater-data/headwater/lineage"
)

// nameChanges is what a batch writes about names.
type nameChanges struct {
	// spellings are the raw names of datasets.
	spellings map[lineage.NodeID]spellingRow
	misfits   map[lineage.NodeID]misfitRow
	uses      map[nameUseKey]fact
	ruleSets  []fact
	// dismissals are in the order of the log.
	dismissals    []fact
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
			job_namespace, job_name, run_id)
		VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)`
	insertRuleSet = `INSERT INTO name_rule_set (projection_id, revision, rules, event_time, said_by, reason, recorded_from)
		VALUES ($1, $2, $3, $4, $5, $6, $7)`
	insertDismissal = `INSERT INTO name_dismissal (projection_id, node_id, dismissed, event_time, event_key, said_by, reason,
			recorded_from, recorded_to)
		VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)`
	closeDismissal = `UPDATE name_dismissal SET recorded_to = $3
		WHERE projection_id = $1 AND node_id = $2 AND recorded_to = ` + openEnd
)

func (w *writer) queueNames(n *nameChanges) error {
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
			f.event.EventTime, f.event.Job.Namespace, f.event.Job.Name, f.event.Run.RunID)
	}
	for node, at := range n.dismissalRows.closed {
		w.batch.Queue(closeDismissal, w.id, lineage.Hash(node), int64(at))
	}
	for _, v := range n.dismissalRows.opened {
		w.batch.Queue(insertDismissal, w.id, lineage.Hash(v.row.node), v.row.dismissed, v.row.said.EffectiveAt, v.row.said.Key,
			v.row.by, v.row.reason, int64(v.from), int64(v.to))
	}
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

// dismissalRow is a row of table name_dismissal.
type dismissalRow struct {
	node      lineage.NodeID
	said      lineage.Moment
	dismissed bool
	by        string
	reason    string
}

const selectDismissals = `SELECT node_id, event_time, event_key FROM name_dismissal
	WHERE projection_id = $1 AND node_id = ANY($2) AND recorded_to = ` + openEnd

// foldDismissals takes in what people said of names: the latest by event time of each holds.
func (c *changes) foldDismissals(ctx context.Context, tx pgx.Tx, id ID) error {
	if len(c.named.dismissals) == 0 {
		return nil
	}
	nodeOf := func(f fact) lineage.NodeID {
		return c.names.Node(f.event.Fact.(lineage.NameDismissal).Dataset.Node()).ID()
	}
	standing := map[lineage.NodeID]lineage.Moment{}
	ids := column(c.named.dismissals, func(f fact) lineage.Hash { return lineage.Hash(nodeOf(f)) })
	rows, _ := tx.Query(ctx, selectDismissals, id, ids) // ForEachRow reports the error
	var node, key lineage.Hash
	var at time.Time
	if _, err := pgx.ForEachRow(rows, []any{&node, &at, &key}, func() error {
		standing[lineage.NodeID(node)] = lineage.Moment{EffectiveAt: at.UTC(), Key: key}
		return nil
	}); err != nil {
		return fmt.Errorf("read dismissals: %w", err)
	}
	for _, f := range c.named.dismissals {
		node, said := nodeOf(f), f.moment()
		before, known := standing[node]
		if known && before.Compare(said) >= 0 {
			continue
		}
		if known {
			c.named.dismissalRows.close(node, f.entry.Offset)
		}
		standing[node] = said
		c.named.dismissalRows.open(node, dismissalRow{
			node: node, said: said, dismissed: !f.event.Fact.(lineage.NameDismissal).Undone,
			by: f.event.Attribution.By, reason: f.event.Attribution.Reason,
		}, f.entry.Offset)
	}
	return nil
}

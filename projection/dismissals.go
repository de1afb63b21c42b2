package projection

import (
	"context"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/headwater-data/headwater/lineage"
)

// dismissalRow is a row of table name_dismissal.
type dismissalRow struct {
	node      lineage.NodeID
	said      lineage.Moment
	dismissed bool
	by        string
	reason    string
}

// foldedDismissals are what people said last of the names that a batch touches.
type foldedDismissals struct {
	standing map[lineage.NodeID]lineage.Moment
	rows     versions[lineage.NodeID, dismissalRow]
}

const (
	selectDismissals = `SELECT node_id, event_time, event_key FROM name_dismissal
		WHERE projection_id = $1 AND node_id = ANY($2) AND recorded_to = ` + openEnd

	insertDismissal = `INSERT INTO name_dismissal (projection_id, node_id, dismissed, event_time, event_key, said_by, reason,
			recorded_from, recorded_to)
		VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)`
	closeDismissal = `UPDATE name_dismissal SET recorded_to = $3
		WHERE projection_id = $1 AND node_id = $2 AND recorded_to = ` + openEnd
)

func loadDismissals(ctx context.Context, tx pgx.Tx, id ID, facts []fact) (*foldedDismissals, error) {
	folded := &foldedDismissals{standing: map[lineage.NodeID]lineage.Moment{}}
	var nodes []lineage.Hash
	for _, f := range facts {
		if _, is := f.event.Fact.(lineage.NameDismissal); is {
			nodes = append(nodes, f.about)
		}
	}
	if len(nodes) == 0 {
		return folded, nil
	}
	rows, _ := tx.Query(ctx, selectDismissals, id, nodes) // ForEachRow reports the error
	var node, key lineage.Hash
	var at time.Time
	_, err := pgx.ForEachRow(rows, []any{&node, &at, &key}, func() error {
		folded.standing[lineage.NodeID(node)] = lineage.Moment{EffectiveAt: at.UTC(), Key: key}
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("read dismissals: %w", err)
	}
	return folded, nil
}

// state takes in what a person says of a name: the latest by event time holds.
func (d *foldedDismissals) state(f fact, at lineage.Offset) {
	node, said := lineage.NodeID(f.about), f.moment()
	before, known := d.standing[node]
	if known && before.Compare(said) >= 0 {
		return
	}
	if known {
		d.rows.close(node, at)
	}
	d.standing[node] = said
	d.rows.open(node, dismissalRow{
		node: node, said: said, dismissed: !f.event.Fact.(lineage.NameDismissal).Undone,
		by: f.event.Attribution.By, reason: f.event.Attribution.Reason,
	}, at)
}

// retract takes it away: what was said before it holds, if anything was.
func (d *foldedDismissals) retract(f fact, at lineage.Offset, evidence *evidence) {
	node := lineage.NodeID(f.about)
	if d.standing[node].Compare(f.moment()) != 0 {
		return
	}
	d.rows.close(node, at)
	delete(d.standing, node)
	var holds *fact
	for _, rival := range evidence.counting(f.about) {
		if holds == nil || holds.moment().Compare(rival.moment()) < 0 {
			holds = &rival
		}
	}
	if holds != nil {
		d.state(*holds, at)
	}
}

func (w *writer) queueDismissals(rows versions[lineage.NodeID, dismissalRow]) {
	for node, at := range rows.closed {
		w.batch.Queue(closeDismissal, w.id, lineage.Hash(node), int64(at))
	}
	for _, v := range rows.opened {
		w.batch.Queue(insertDismissal, w.id, lineage.Hash(v.row.node), v.row.dismissed, v.row.said.EffectiveAt, v.row.said.Key,
			v.row.by, v.row.reason, int64(v.from), int64(v.to))
	}
}

package projection

import (
	"context"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/headwater-data/headwater/lineage"
)

// attributeKey is what one register holds.
type attributeKey struct {
	node lineage.NodeID
	kind lineage.AttributeKind
}

// attributeRow is a row of table node_attribute: what was said last of a node, by the time of the event.
type attributeRow struct {
	attributeKey
	value string
	said  lineage.Moment
	lineage.Sender
}

// foldedAttributes are the registers that a batch touches. A value that is said again, later, is not another version: only
// who said it last changes in its row.
type foldedAttributes struct {
	standing map[attributeKey]attributeRow
	rows     versions[attributeKey, attributeRow]
	// renewed are rows from before the batch whose value was said again.
	renewed map[attributeKey]attributeRow
}

const selectAttributes = `SELECT a.node_id, a.kind, a.value, a.said_at, a.said_key, a.producer, a.source_event
	FROM unnest($2::uuid[], $3::smallint[]) AS touched(node_id, kind)
	CROSS JOIN LATERAL (
		SELECT * FROM node_attribute
		WHERE projection_id = $1 AND node_id = touched.node_id AND kind = touched.kind AND recorded_to = ` + openEnd + `
		OFFSET 0
	) AS a`

// statedAttributes are what the entry says of nodes as such, under name rules.
func (f fact) statedAttributes(names *lineage.NameRules) []lineage.StatedAttribute {
	stated := f.contribution.Attributes
	switch fact := f.event.Fact.(type) {
	case lineage.Snapshot:
		stated = fact.Attributes()
	case lineage.Ownership:
		stated = fact.Attributes()
	}
	for i := range stated {
		stated[i].Node = names.Node(stated[i].Node)
	}
	return stated
}

func loadAttributes(ctx context.Context, tx pgx.Tx, id ID, facts []fact) (*foldedAttributes, error) {
	folded := &foldedAttributes{standing: map[attributeKey]attributeRow{}, renewed: map[attributeKey]attributeRow{}}
	touched := map[attributeKey]bool{}
	var nodes []lineage.Hash
	var kinds []int16
	for _, f := range facts {
		for _, stated := range f.attributes {
			if key := (attributeKey{stated.Node.ID(), stated.Kind}); !touched[key] {
				touched[key] = true
				nodes, kinds = append(nodes, lineage.Hash(key.node)), append(kinds, int16(key.kind))
			}
		}
	}
	if len(nodes) == 0 {
		return folded, nil
	}
	rows, err := tx.Query(ctx, selectAttributes, id, nodes, kinds)
	if err != nil {
		return nil, fmt.Errorf("read attributes: %w", err)
	}
	defer rows.Close()
	for rows.Next() {
		var node lineage.Hash
		var row attributeRow
		if err := rows.Scan(&node, &row.kind, &row.value, &row.said.EffectiveAt, &row.said.Key, &row.Producer, &row.EventID); err != nil {
			return nil, fmt.Errorf("read attribute: %w", err)
		}
		row.node, row.said.EffectiveAt = lineage.NodeID(node), row.said.EffectiveAt.UTC()
		folded.standing[row.attributeKey] = row
	}
	return folded, rows.Err()
}

// fold takes in what one entry says of nodes as such.
func (a *foldedAttributes) fold(f fact) {
	for _, stated := range f.attributes {
		key := attributeKey{stated.Node.ID(), stated.Kind}
		row := attributeRow{key, stated.Value, f.moment(), f.sender()}
		standing, known := a.standing[key]
		switch {
		case known && standing.said.Compare(row.said) >= 0:
			continue
		case known && standing.value == row.value:
			a.renew(row)
		default:
			if known {
				a.rows.close(key, f.entry.Offset)
			}
			a.rows.open(key, row, f.entry.Offset)
		}
		a.standing[key] = row
	}
}

func (a *foldedAttributes) renew(row attributeRow) {
	if opened, ofBatch := a.rows.standing[row.attributeKey]; ofBatch {
		opened.row = row
		return
	}
	a.renewed[row.attributeKey] = row
}

const (
	renewAttribute = `UPDATE node_attribute SET said_at = $4, said_key = $5, producer = $6, source_event = $7
		WHERE projection_id = $1 AND node_id = $2 AND kind = $3 AND recorded_to = ` + openEnd

	closeAttribute = `UPDATE node_attribute SET recorded_to = $4
		WHERE projection_id = $1 AND node_id = $2 AND kind = $3 AND recorded_to = ` + openEnd

	insertAttributes = `INSERT INTO node_attribute (projection_id, node_id, kind, recorded_from, recorded_to, value, said_at, said_key,
			producer, source_event)
		SELECT $1, node_id, kind, recorded_from, recorded_to, value::json, said_at, said_key, producer, source_event
		FROM unnest($2::uuid[], $3::smallint[], $4::bigint[], $5::bigint[], $6::text[], $7::timestamptz[], $8::uuid[], $9::text[], $10::text[])
			AS a(node_id, kind, recorded_from, recorded_to, value, said_at, said_key, producer, source_event)`
)

// queueAttributes renews rows before it closes some of them, and closes before it opens others under the same key.
func (w *writer) queueAttributes(a *foldedAttributes) {
	for key, row := range a.renewed {
		w.batch.Queue(renewAttribute, w.id, lineage.Hash(key.node), int16(key.kind), row.said.EffectiveAt, row.said.Key, row.Producer, row.EventID)
	}
	for key, at := range a.rows.closed {
		w.batch.Queue(closeAttribute, w.id, lineage.Hash(key.node), int16(key.kind), int64(at))
	}
	opened := a.rows.opened
	if len(opened) == 0 {
		return
	}
	w.batch.Queue(insertAttributes, w.id,
		column(opened, func(v *version[attributeRow]) lineage.Hash { return lineage.Hash(v.row.node) }),
		column(opened, func(v *version[attributeRow]) int16 { return int16(v.row.kind) }),
		column(opened, func(v *version[attributeRow]) int64 { return int64(v.from) }),
		column(opened, func(v *version[attributeRow]) int64 { return int64(v.to) }),
		column(opened, func(v *version[attributeRow]) string { return v.row.value }),
		column(opened, func(v *version[attributeRow]) time.Time { return v.row.said.EffectiveAt }),
		column(opened, func(v *version[attributeRow]) lineage.Hash { return v.row.said.Key }),
		column(opened, func(v *version[attributeRow]) string { return v.row.Producer }),
		column(opened, func(v *version[attributeRow]) string { return v.row.EventID }))
}

// selectAttributesAt reads what was known of nodes at a recorded time, what was said last first.
const selectAttributesAt = `SELECT kind, value FROM node_attribute_p{}
	WHERE node_id = ANY($1) AND recorded_from <= $2 AND recorded_to > $2 ORDER BY kind, said_at DESC, said_key DESC`

// attributesAt are the attributes of a node under all of its names.
func attributesAt(ctx context.Context, tx pgx.Tx, at point, members []lineage.NodeID) (lineage.Attributes, error) {
	rows, _ := tx.Query(ctx, at.projection.in(selectAttributesAt), hashesOf(members), at.recordedAt) // ForEachRow reports the error
	var attributes lineage.Attributes
	var kind, last lineage.AttributeKind
	var value []byte
	_, err := pgx.ForEachRow(rows, []any{&kind, &value}, func() error {
		if kind == last {
			return nil // an earlier word, under another name
		}
		last = kind
		return attributes.Add(kind, value)
	})
	if err != nil {
		return attributes, fmt.Errorf("read attributes: %w", err)
	}
	return attributes, nil
}

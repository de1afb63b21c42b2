package projection

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/headwater-data/headwater/lineage"
)

// attributeKey is what one register holds.
type attributeKey struct {
	node lineage.NodeID
	kind lineage.AttributeKind
}

// attributeRow is a row of table node_attribute: what was said last of a node, by the time of the event, of all that counts.
type attributeRow struct {
	attributeKey
	value string
	said  lineage.Moment
}

// foldedAttributes are the registers that a batch touches. A value that is said again, later, is not another version: only
// when it was said last changes in its row.
type foldedAttributes struct {
	evidence *evidence
	standing map[attributeKey]attributeRow
	rows     versions[attributeKey, attributeRow]
	// renewed are rows from before the batch whose value was said again.
	renewed map[attributeKey]attributeRow
	// words are those of the batch.
	words []attributeWord
	// rivals are those of a register that may come to hold, where the batch may withdraw the one that does.
	rivals map[attributeKey][]attributeWord
}

const selectAttributes = `SELECT a.node_id, a.kind, a.value, a.said_at, a.said_key
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

func loadAttributes(ctx context.Context, tx pgx.Tx, id ID, facts []fact, evidence *evidence) (*foldedAttributes, error) {
	folded := &foldedAttributes{
		evidence: evidence, standing: map[attributeKey]attributeRow{}, renewed: map[attributeKey]attributeRow{}, rivals: map[attributeKey][]attributeWord{},
	}
	touched := map[attributeKey]bool{}
	for _, f := range facts {
		for _, stated := range f.attributes {
			touched[attributeKey{stated.Node.ID(), stated.Kind}] = true
		}
	}
	if evidence.withdrawing {
		if err := folded.loadRivals(ctx, tx, id, touched); err != nil {
			return nil, err
		}
	}
	if len(touched) == 0 {
		return folded, nil
	}
	nodes, kinds := columnsOfKeys(touched)
	rows, _ := tx.Query(ctx, selectAttributes, id, nodes, kinds) // ForEachRow reports the error
	var row attributeRow
	_, err := pgx.ForEachRow(rows, []any{(*lineage.Hash)(&row.node), &row.kind, &row.value, &row.said.EffectiveAt, &row.said.Key}, func() error {
		row.said.EffectiveAt = row.said.EffectiveAt.UTC()
		folded.standing[row.attributeKey] = row
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("read attributes: %w", err)
	}
	return folded, nil
}

// add takes in what one entry says of nodes as such, whether it counts or not.
func (a *foldedAttributes) add(f fact, counts bool) {
	for _, stated := range f.attributes {
		row := attributeRow{attributeKey{stated.Node.ID(), stated.Kind}, stated.Value, f.moment()}
		word := attributeWord{row, f.entry.Offset, touchedEvent{f.sender(), f.event.RunHash()}}
		a.words = append(a.words, word)
		if a.evidence.withdrawing {
			a.rivals[row.attributeKey] = append(a.rivals[row.attributeKey], word)
		}
		if standing, known := a.standing[row.attributeKey]; counts && (!known || standing.said.Compare(row.said) < 0) {
			a.hold(row, f.entry.Offset)
		}
	}
}

// hold lets a word rule from an offset on.
func (a *foldedAttributes) hold(row attributeRow, at lineage.Offset) {
	standing, known := a.standing[row.attributeKey]
	if known && standing.value == row.value {
		a.renew(row)
	} else {
		if known {
			a.rows.close(row.attributeKey, at)
		}
		a.rows.open(row.attributeKey, row, at)
	}
	a.standing[row.attributeKey] = row
}

// withdraw lets, of what a withdrawal is about, the latest word hold that counts now.
func (a *foldedAttributes) withdraw(withdrawal lineage.Withdrawal, at lineage.Offset) {
	for key, rivals := range a.rivals {
		if !slices.ContainsFunc(rivals, func(w attributeWord) bool { return w.event.among(withdrawal) }) {
			continue
		}
		holds := a.latest(rivals)
		standing, known := a.standing[key]
		switch {
		case holds != nil && (!known || standing.said.Compare(holds.said) != 0):
			a.hold(holds.attributeRow, at)
		case holds == nil && known:
			a.rows.close(key, at)
			delete(a.standing, key)
		}
	}
}

// latest is the word said last of those that count, or nil.
func (a *foldedAttributes) latest(words []attributeWord) *attributeWord {
	var last *attributeWord
	for i := range words {
		word := &words[i]
		if a.evidence.counts(word.event.Sender, word.event.run) && (last == nil || last.said.Compare(word.said) < 0) {
			last = word
		}
	}
	return last
}

func (a *foldedAttributes) renew(row attributeRow) {
	if opened, ofBatch := a.rows.standing[row.attributeKey]; ofBatch {
		opened.row = row
		return
	}
	a.renewed[row.attributeKey] = row
}

const (
	renewAttribute = `UPDATE node_attribute SET said_at = $4, said_key = $5
		WHERE projection_id = $1 AND node_id = $2 AND kind = $3 AND recorded_to = ` + openEnd

	closeAttribute = `UPDATE node_attribute SET recorded_to = $4
		WHERE projection_id = $1 AND node_id = $2 AND kind = $3 AND recorded_to = ` + openEnd

	insertAttributes = `INSERT INTO node_attribute (projection_id, node_id, kind, recorded_from, recorded_to, value, said_at, said_key)
		SELECT $1, node_id, kind, recorded_from, recorded_to, value::json, said_at, said_key
		FROM unnest($2::uuid[], $3::smallint[], $4::bigint[], $5::bigint[], $6::text[], $7::timestamptz[], $8::uuid[])
			AS a(node_id, kind, recorded_from, recorded_to, value, said_at, said_key)`
)

// queueAttributes renews rows before it closes some of them, and closes before it opens others under the same key.
func (w *writer) queueAttributes(a *foldedAttributes) {
	w.queueWords(a)
	for key, row := range a.renewed {
		w.batch.Queue(renewAttribute, w.id, lineage.Hash(key.node), int16(key.kind), row.said.EffectiveAt, row.said.Key)
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
		column(opened, func(v *version[attributeRow]) lineage.Hash { return v.row.said.Key }))
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

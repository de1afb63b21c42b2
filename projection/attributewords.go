package projection

import (
	"context"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/headwater-data/headwater/lineage"
)

// attributeWord is a row of table attribute_word: what one event said, with the event.
type attributeWord struct {
	attributeRow
	at    lineage.Offset
	event touchedEvent
}

// valueID is the hash under which the value is stored.
func (w attributeWord) valueID() lineage.Hash { return lineage.HashOf("attribute value", w.value) }

// selectRivalWords reads the words of events $2 and, of each of those registers and of registers $3 and $4, the latest other word
// that counts: whatever becomes of the events, nothing that is not among these comes to hold.
const selectRivalWords = `
	WITH touched AS (SELECT * FROM attribute_word WHERE projection_id = $1 AND log_offset = ANY($2)),
		registers AS (SELECT node_id, kind FROM touched UNION SELECT * FROM unnest($3::uuid[], $4::smallint[]))
	SELECT w.node_id, w.kind, v.value, w.said_at, w.said_key, w.log_offset
	FROM (SELECT * FROM touched
		UNION ALL
		SELECT other.* FROM registers AS r CROSS JOIN LATERAL (
			SELECT * FROM attribute_word
			WHERE projection_id = $1 AND node_id = r.node_id AND kind = r.kind AND counts AND log_offset <> ALL($2)
			ORDER BY said_at DESC, said_key DESC LIMIT 1
		) AS other) AS w
	JOIN attribute_value AS v ON v.projection_id = $1 AND v.value_id = w.value_id`

// loadRivals reads the words that may come to hold of the registers that a batch touches, and adds those registers to touched
// of which a withdrawal takes one.
func (a *foldedAttributes) loadRivals(ctx context.Context, tx pgx.Tx, id ID, touched map[attributeKey]bool) error {
	nodes, kinds := columnsOfKeys(touched)
	rows, _ := tx.Query(ctx, selectRivalWords, id, a.evidence.touchedOffsets(), nodes, kinds) // ForEachRow reports the error
	var w attributeWord
	_, err := pgx.ForEachRow(rows, []any{(*lineage.Hash)(&w.node), &w.kind, &w.value, &w.said.EffectiveAt, &w.said.Key, &w.at}, func() error {
		w.said.EffectiveAt, w.event = w.said.EffectiveAt.UTC(), a.evidence.touched[w.at]
		a.rivals[w.attributeKey] = append(a.rivals[w.attributeKey], w)
		touched[w.attributeKey] = true
		return nil
	})
	if err != nil {
		return fmt.Errorf("read what else was said of attributes: %w", err)
	}
	return nil
}

func columnsOfKeys(keys map[attributeKey]bool) (nodes []lineage.Hash, kinds []int16) {
	for key := range keys {
		nodes, kinds = append(nodes, lineage.Hash(key.node)), append(kinds, int16(key.kind))
	}
	return nodes, kinds
}

const (
	insertWords = `INSERT INTO attribute_word (projection_id, node_id, kind, said_at, said_key, value_id, log_offset, counts)
		SELECT $1, * FROM unnest($2::uuid[], $3::smallint[], $4::timestamptz[], $5::uuid[], $6::uuid[], $7::bigint[], $8::boolean[])
		ON CONFLICT DO NOTHING`

	insertValues = `INSERT INTO attribute_value (projection_id, value_id, value)
		SELECT $1, value_id, value::json FROM unnest($2::uuid[], $3::text[]) AS v(value_id, value) ON CONFLICT DO NOTHING`
)

func (w *writer) queueWords(a *foldedAttributes) {
	if len(a.words) == 0 {
		return
	}
	values := map[lineage.Hash]string{}
	for _, word := range a.words {
		values[word.valueID()] = word.value
	}
	ids := sortedKeys(values)
	w.batch.Queue(insertValues, w.id, ids, column(ids, func(id lineage.Hash) string { return values[id] }))
	w.batch.Queue(insertWords, w.id,
		column(a.words, func(word attributeWord) lineage.Hash { return lineage.Hash(word.node) }),
		column(a.words, func(word attributeWord) int16 { return int16(word.kind) }),
		column(a.words, func(word attributeWord) time.Time { return word.said.EffectiveAt }),
		column(a.words, func(word attributeWord) lineage.Hash { return word.said.Key }),
		column(a.words, attributeWord.valueID),
		column(a.words, func(word attributeWord) int64 { return int64(word.at) }),
		column(a.words, func(word attributeWord) bool { return a.evidence.counts(word.event.Sender, word.event.run) }))
}

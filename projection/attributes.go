package projection

import (
	"time"

	"github.com/headwater-data/headwater/lineage"
)

// attributeWord is a row of table attribute_word: what one event said of a node as such. Words are kept and nothing is folded from
// them: which of them holds depends on what counts and on what the caller may see.
type attributeWord struct {
	lineage.StatedAttribute
	fact
}

// valueID is the hash under which the value is stored.
func (w attributeWord) valueID() lineage.Hash { return lineage.HashOf("attribute value", w.Value) }

// jobID is the job that said it, or nil.
func (f *fact) jobID() *lineage.Hash {
	if f.event.Job == (lineage.JobID{}) {
		return nil
	}
	return nullable(lineage.Hash(f.event.Job.Node().ID()))
}

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

// addWords notes what an entry says of nodes as such, whether it counts or not.
func (c *changes) addWords(f fact) {
	for _, stated := range f.attributes {
		c.words = append(c.words, attributeWord{stated, f})
	}
}

const (
	// insertWords keeps, of what one event says twice of a node, what it says first.
	insertWords = `INSERT INTO attribute_word (projection_id, node_id, kind, said_at, said_key, value_id, log_offset, job_id, counts)
		SELECT $1, * FROM unnest($2::uuid[], $3::smallint[], $4::timestamptz[], $5::uuid[], $6::uuid[], $7::bigint[], $8::uuid[], $9::boolean[])
		ON CONFLICT DO NOTHING`

	insertValues = `INSERT INTO attribute_value (projection_id, value_id, value)
		SELECT $1, value_id, value::json FROM unnest($2::uuid[], $3::text[]) AS v(value_id, value) ON CONFLICT DO NOTHING`
)

func (w *writer) queueWords(words []attributeWord, evidence *evidence) {
	if len(words) == 0 {
		return
	}
	values := map[lineage.Hash]string{}
	for _, word := range words {
		values[word.valueID()] = word.Value
	}
	ids := sortedKeys(values)
	w.batch.Queue(insertValues, w.id, ids, column(ids, func(id lineage.Hash) string { return values[id] }))
	w.batch.Queue(insertWords, w.id,
		column(words, func(word attributeWord) lineage.Hash { return lineage.Hash(word.Node.ID()) }),
		column(words, func(word attributeWord) int16 { return int16(word.Kind) }),
		column(words, func(word attributeWord) time.Time { return word.moment().EffectiveAt }),
		column(words, func(word attributeWord) lineage.Hash { return word.moment().Key }),
		column(words, attributeWord.valueID),
		column(words, func(word attributeWord) int64 { return int64(word.entry.Offset) }),
		column(words, func(word attributeWord) *lineage.Hash { return word.jobID() }),
		column(words, func(word attributeWord) bool { return evidence.counts(word.sender(), word.event.RunHash()) }))
}

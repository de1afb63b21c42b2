package projection

import (
	"cmp"
	"encoding/json/v2"
	"fmt"
	"maps"
	"slices"

	"github.com/headwater-data/headwater/lineage"
)

// insertPlaceholders leaves alone what has a row already.
const insertPlaceholders = `INSERT INTO run (projection_id, run_key, run_id, job_namespace, job_name, job_id,
		state, settled, awaits, body, decisions, first_offset, last_epoch, last_offset)
	SELECT $1, run_key, run_id, job_namespace, job_name, job_id, $2, true, 0, body::json, '[]', first_offset, 0, 0
	FROM unnest($3::uuid[], $4::text[], $5::text[], $6::text[], $7::uuid[], $8::text[], $9::bigint[])
		AS r(run_key, run_id, job_namespace, job_name, job_id, body, first_offset)
	ON CONFLICT DO NOTHING`

// addMentionedRuns notes the runs above the run of an event. Whether the event counts does not matter, as with nodes.
func (c *changes) addMentionedRuns(f fact) {
	if c.mentioned == nil {
		c.mentioned = map[lineage.RunKey]lineage.Offset{}
	}
	for _, key := range []lineage.RunKey{f.contribution.Parent, f.contribution.Root} {
		if _, known := c.mentioned[key]; !known && key != (lineage.RunKey{}) {
			c.mentioned[key] = f.entry.Offset
		}
	}
}

// queuePlaceholders writes a row for each mentioned run that has none. The first event of the run itself replaces it.
func (w *writer) queuePlaceholders(mentioned map[lineage.RunKey]lineage.Offset, runs foldedRuns) error {
	var keys []lineage.RunKey
	var bodies []string
	compare := func(a, b lineage.RunKey) int {
		return cmp.Or(a.Job.Node().Compare(b.Job.Node()), cmp.Compare(a.RunID, b.RunID))
	}
	for _, key := range slices.SortedFunc(maps.Keys(mentioned), compare) {
		if _, folded := runs[key.Hash()]; folded {
			continue
		}
		body, err := json.Marshal(lineage.Run{Key: key})
		if err != nil {
			return fmt.Errorf("encode run %s: %w", key.RunID, err)
		}
		keys, bodies = append(keys, key), append(bodies, string(body))
	}
	if len(keys) == 0 {
		return nil
	}
	w.batch.Queue(insertPlaceholders, w.id, int16(lineage.RunUnknown),
		column(keys, func(k lineage.RunKey) lineage.Hash { return k.Hash() }),
		column(keys, func(k lineage.RunKey) string { return k.RunID }),
		column(keys, func(k lineage.RunKey) string { return k.Job.Namespace }),
		column(keys, func(k lineage.RunKey) string { return k.Job.Name }),
		column(keys, func(k lineage.RunKey) lineage.Hash { return lineage.Hash(k.Job.Node().ID()) }),
		bodies,
		column(keys, func(k lineage.RunKey) int64 { return int64(mentioned[k]) }))
	return nil
}

package projection

import "github.com/headwater-data/headwater/lineage"

// A union of column maps is stored as a map of its own, put together from the rows of its parts, which came before it.
const (
	insertUnionInputs = `INSERT INTO column_map_input (projection_id, map_id, input_id)
		SELECT $1, $2, input_id FROM column_map_input WHERE projection_id = $1 AND map_id = ANY($3) ON CONFLICT DO NOTHING`

	insertUnionFields = `INSERT INTO column_map_field (projection_id, map_id, output_id, set_id)
		SELECT $1, $2, output_id, set_id FROM column_map_field WHERE projection_id = $1 AND map_id = ANY($3) ON CONFLICT DO NOTHING`
)

// columnUnionRow is a union of column maps with the first entry of the batch under which it is stated.
type columnUnionRow struct {
	*lineage.ColumnMapUnion
	at lineage.Offset
}

func (c *changes) addColumnUnion(union *lineage.ColumnMapUnion, at lineage.Offset) {
	if c.columnUnions == nil {
		c.columnUnions = map[lineage.Hash]columnUnionRow{}
	}
	if id := union.ID(); c.columnUnions[id].ColumnMapUnion == nil {
		c.columnUnions[id] = columnUnionRow{union, at}
	}
}

// queueColumnUnions comes after queueColumnMaps, which may bring the parts.
func (w *writer) queueColumnUnions(unions map[lineage.Hash]columnUnionRow) {
	for _, id := range sortedKeys(unions) {
		union := unions[id]
		w.batch.Queue(insertColumnMaps, w.id, []lineage.Hash{id}, []int64{int64(union.at)})
		w.batch.Queue(insertUnionInputs, w.id, id, union.Parts)
		w.batch.Queue(insertUnionFields, w.id, id, union.Parts)
	}
}

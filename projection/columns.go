package projection

import "github.com/headwater-data/headwater/lineage"

// Column maps are stored when the event that states one arrives, whatever becomes of what it says: a run keeps their
// hashes alone, and a facet may have megabytes.
const (
	selectKnownMaps = `SELECT map_id FROM column_map WHERE projection_id = $1 AND map_id = ANY($2)`

	insertFields = `INSERT INTO field (projection_id, field_id, dataset_id, path, nested, recorded_from)
		SELECT $1, * FROM unnest($2::uuid[], $3::uuid[], $4::text[], $5::boolean[], $6::bigint[]) ON CONFLICT DO NOTHING`

	insertColumnMaps = `INSERT INTO column_map (projection_id, map_id, recorded_from)
		SELECT $1, * FROM unnest($2::uuid[], $3::bigint[]) ON CONFLICT DO NOTHING`

	insertColumnMapInputs = `INSERT INTO column_map_input (projection_id, map_id, input_id)
		SELECT $1, * FROM unnest($2::uuid[], $3::uuid[]) ON CONFLICT DO NOTHING`

	insertColumnMapFields = `INSERT INTO column_map_field (projection_id, map_id, output_id, set_id)
		SELECT $1, * FROM unnest($2::uuid[], $3::uuid[], $4::uuid[]) ON CONFLICT DO NOTHING`

	insertColumnSets = `INSERT INTO column_set (projection_id, set_id, kind, subtype, masking)
		SELECT $1, * FROM unnest($2::uuid[], $3::smallint[], $4::text[], $5::boolean[]) ON CONFLICT DO NOTHING`

	insertColumnSetInputs = `INSERT INTO column_set_input (projection_id, set_id, input_id)
		SELECT $1, * FROM unnest($2::uuid[], $3::uuid[]) ON CONFLICT DO NOTHING`
)

// columnMapRow is a column map with the first event of the batch that states it.
type columnMapRow struct {
	*lineage.ColumnMap
	at lineage.Offset
}

// addColumnMaps notes the maps that an event states, with the datasets and jobs in them.
func (c *changes) addColumnMaps(columnMaps []*lineage.ColumnMap, at lineage.Offset) {
	for _, m := range columnMaps {
		if _, noted := c.columnMaps[m.ID()]; noted {
			continue
		}
		if c.columnMaps == nil {
			c.columnMaps = map[lineage.Hash]columnMapRow{}
		}
		c.columnMaps[m.ID()] = columnMapRow{m, at}
		c.addNode(m.Output.Node(), at)
		for _, set := range m.Sets() {
			for _, input := range set.Inputs {
				c.addNode(input.Whole(), at)
			}
		}
	}
}

func (w *writer) queueColumnMaps(columnMaps map[lineage.Hash]columnMapRow) {
	if len(columnMaps) == 0 {
		return
	}
	ids := sortedKeys(columnMaps)
	var rows columnMapRows
	for _, id := range ids {
		rows.add(columnMaps[id])
	}
	w.queueFields(rows.fields)
	w.batch.Queue(insertColumnMaps, w.id, ids, column(ids, func(id lineage.Hash) int64 { return int64(columnMaps[id].at) }))
	w.batch.Queue(insertColumnMapInputs, w.id, rows.inputsOf, rows.inputs)
	w.batch.Queue(insertColumnMapFields, w.id, rows.outputsOf, rows.outputs, rows.outputSets)
	w.queueColumnSets(rows.sets)
}

// columnMapRows collects the rows of column maps, in columns.
type columnMapRows struct {
	fields                         map[lineage.NodeID]fieldRow
	sets                           map[lineage.Hash]*lineage.InputSet
	inputsOf, inputs               []lineage.Hash
	outputsOf, outputs, outputSets []lineage.Hash
}

// fieldRow is a row of table field.
type fieldRow struct {
	lineage.Node
	at lineage.Offset
}

func (r *columnMapRows) add(m columnMapRow) {
	named := map[lineage.NodeID]bool{}
	for _, set := range m.Sets() {
		if r.sets == nil {
			r.sets = map[lineage.Hash]*lineage.InputSet{}
		}
		r.sets[set.ID()] = set
		for _, input := range set.Inputs {
			r.addField(input, m.at)
			if whole := input.Whole().ID(); !named[whole] {
				named[whole] = true
				r.inputsOf, r.inputs = append(r.inputsOf, m.ID()), append(r.inputs, lineage.Hash(whole))
			}
		}
	}
	if len(m.Whole) > 0 {
		r.addOutput(m, m.Output.Node(), m.Whole)
	}
	for _, field := range m.Fields {
		r.addOutput(m, m.Output.Field(field.Path), field.Sets)
	}
}

func (r *columnMapRows) addOutput(m columnMapRow, output lineage.Node, sets []*lineage.InputSet) {
	r.addField(output, m.at)
	add := func(set lineage.Hash) {
		r.outputsOf, r.outputs = append(r.outputsOf, m.ID()), append(r.outputs, lineage.Hash(output.ID()))
		r.outputSets = append(r.outputSets, set)
	}
	for _, set := range sets {
		add(set.ID())
	}
	if len(sets) == 0 {
		add(lineage.Hash{})
	}
}

// addField notes a node that is a field, with the first event that names it.
func (r *columnMapRows) addField(node lineage.Node, at lineage.Offset) {
	if node.Kind != lineage.NodeField {
		return
	}
	if r.fields == nil {
		r.fields = map[lineage.NodeID]fieldRow{}
	}
	id := node.ID()
	if known, ok := r.fields[id]; !ok || at < known.at {
		r.fields[id] = fieldRow{node, at}
	}
}

func (w *writer) queueFields(fields map[lineage.NodeID]fieldRow) {
	ids := sortedKeys(fields)
	w.batch.Queue(insertFields, w.id,
		column(ids, func(id lineage.NodeID) lineage.Hash { return lineage.Hash(id) }),
		column(ids, func(id lineage.NodeID) lineage.Hash { return lineage.Hash(fields[id].Whole().ID()) }),
		column(ids, func(id lineage.NodeID) string { return string(fields[id].Path) }),
		column(ids, func(id lineage.NodeID) bool { return len(fields[id].Path.Wholes()) > 0 }),
		column(ids, func(id lineage.NodeID) int64 { return int64(fields[id].at) }))
}

func (w *writer) queueColumnSets(sets map[lineage.Hash]*lineage.InputSet) {
	ids := sortedKeys(sets)
	w.batch.Queue(insertColumnSets, w.id, ids,
		column(ids, func(id lineage.Hash) int16 { return int16(sets[id].Kind) }),
		column(ids, func(id lineage.Hash) string { return sets[id].Subtype }),
		column(ids, func(id lineage.Hash) bool { return sets[id].Masking }))
	var of, inputs []lineage.Hash
	for _, id := range ids {
		for _, input := range sets[id].Inputs {
			of, inputs = append(of, id), append(inputs, lineage.Hash(input.ID()))
		}
	}
	w.batch.Queue(insertColumnSetInputs, w.id, of, inputs)
}

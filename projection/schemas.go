package projection

import (
	"encoding/json/v2"
	"fmt"

	"github.com/headwater-data/headwater/lineage"
)

// Schemas are stored when the event that states one arrives, whatever becomes of what it says: a run keeps their hashes
// alone, and a schema may have thousands of fields.
const (
	selectKnownSchemas = `SELECT schema_id FROM dataset_schema WHERE projection_id = $1 AND schema_id = ANY($2)`

	insertSchemas = `INSERT INTO dataset_schema (projection_id, schema_id, recorded_from, fields)
		SELECT $1, schema_id, recorded_from, fields::json FROM unnest($2::uuid[], $3::bigint[], $4::text[]) AS s(schema_id, recorded_from, fields)
		ON CONFLICT DO NOTHING`
)

// schemaRow is a schema with the first event of the batch that states it.
type schemaRow struct {
	*lineage.Schema
	at lineage.Offset
}

func (c *changes) addSchemas(schemas []*lineage.Schema, at lineage.Offset) {
	for _, schema := range schemas {
		if c.schemas == nil {
			c.schemas = map[lineage.Hash]schemaRow{}
		}
		if _, noted := c.schemas[schema.ID()]; !noted {
			c.schemas[schema.ID()] = schemaRow{schema, at}
		}
	}
}

func (w *writer) queueSchemas(schemas map[lineage.Hash]schemaRow) error {
	if len(schemas) == 0 {
		return nil
	}
	ids := sortedKeys(schemas)
	encoded := make([]string, len(ids))
	for i, id := range ids {
		fields, err := json.Marshal(schemas[id].Fields)
		if err != nil {
			return fmt.Errorf("encode schema %s: %w", id, err)
		}
		encoded[i] = string(fields)
	}
	w.batch.Queue(insertSchemas, w.id, ids, column(ids, func(id lineage.Hash) int64 { return int64(schemas[id].at) }), encoded)
	return nil
}

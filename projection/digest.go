package projection

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"

	"github.com/jackc/pgx/v5"

	"github.com/headwater-data/headwater/lineage"
)

// Digests are hashes of what a projection holds, taken at one position.
type Digests struct {
	Cursor lineage.Position
	// State is of what is believed now: equal for every order in which the same events arrive.
	State string
	// History is of all rows with their recorded times: equal between live and replay.
	History string
	// Raw is of what was said, whatever names are made of it: equal between folds under different name rules.
	Raw string
	// Tables is what History is made of, in a fixed order.
	Tables []TableDigest
}

// TableDigest is the hash of one table's rows.
type TableDigest struct {
	Table  string `json:"table"`
	Rows   int64  `json:"rows"`
	Digest string `json:"digest"`
}

// content is the rows of one table as a digest takes them.
type content struct {
	table string
	// columns of the rows that stand for projection $1.
	query string
}

var historyContent = []content{
	{"node_name", `SELECT name_id, node_id, namespace, name, recorded_from FROM node_name WHERE projection_id = $1`},
	{"unresolved", `SELECT node_id, misfit, recorded_from FROM unresolved WHERE projection_id = $1`},
	{"unresolved_use", `SELECT node_id, log_offset, producer, event_id, event_time, job_namespace, job_name, run_id, counts
		FROM unresolved_use WHERE projection_id = $1`},
	{"name_dismissal", `SELECT node_id, dismissed, event_time, event_key, said_by, reason, recorded_from, recorded_to
		FROM name_dismissal WHERE projection_id = $1`},
	{"name_rule_set", `SELECT revision, rules::text, event_time, said_by, reason, recorded_from
		FROM name_rule_set WHERE projection_id = $1`},
	{"node", `SELECT node_id, kind, namespace, name, recorded_from FROM node WHERE projection_id = $1`},
	{"run", `SELECT run_key, run_id, job_namespace, job_name, job_id, parent_run_key, state, settled, awaits, began_at, nominal_start, publications,
		body::text, decisions::text, first_offset, last_epoch, last_offset, weighed_epoch, weighed_offset FROM run WHERE projection_id = $1`},
	{"run_parent", `SELECT run_key, recorded_from, recorded_to, parent_run_key, parent_job_id FROM run_parent WHERE projection_id = $1`},
	{"run_event", `SELECT run_key, log_offset, producer, event_id, event_type, event_time, effective_at, received_at,
		warnings::text, contribution::text FROM run_event WHERE projection_id = $1`},
	{"declaration", `SELECT log_offset, producer, event_id, job_namespace, job_name, event_time, effective_at, received_at,
		warnings::text, contribution::text, payload::text, about, counts FROM declaration WHERE projection_id = $1`},
	{"withdrawal", `SELECT subject, recorded_from, recorded_to, undone, body::text FROM withdrawal WHERE projection_id = $1`},
	{"field", `SELECT field_id, dataset_id, path, nested, recorded_from FROM field WHERE projection_id = $1`},
	{"column_map", `SELECT map_id, recorded_from FROM column_map WHERE projection_id = $1`},
	{"column_map_input", `SELECT map_id, input_id FROM column_map_input WHERE projection_id = $1`},
	{"column_map_field", `SELECT map_id, output_id, set_id FROM column_map_field WHERE projection_id = $1`},
	{"column_set", `SELECT set_id, kind, subtype, masking FROM column_set WHERE projection_id = $1`},
	{"column_set_input", `SELECT set_id, input_id FROM column_set_input WHERE projection_id = $1`},
	{"flow", `SELECT flow_id, job_id, input_count, recorded_from FROM flow WHERE projection_id = $1`},
	{"flow_input", `SELECT flow_id, input_id, since, until, recorded_from, spanned_from FROM flow_input WHERE projection_id = $1`},
	{"statement", `SELECT timeline_id, effective_at, statement_key, recorded_from, recorded_to, level, content_id, output_id, speaks,
		origin, publication, derivation, run_id, run_state, job_version, producer, source_event, valid_until
		FROM statement WHERE projection_id = $1`},
	{"write", `SELECT timeline_id, level, content_id, job_id, output_id, origin, valid_from, first_key, valid_to, stated_from,
		recorded_from, recorded_to
		FROM write WHERE projection_id = $1`},
	{"alias", `SELECT content_id, name_id, dataset_id, source, canonical, reason, recorded_from FROM alias WHERE projection_id = $1`},
	{"registered_alias", `SELECT alias_key, body::text FROM registered_alias WHERE projection_id = $1`},
	{"attribute_word", `SELECT node_id, kind, said_at, said_key, value_id, log_offset, job_id, counts FROM attribute_word WHERE projection_id = $1`},
	{"attribute_value", `SELECT value_id, value::text FROM attribute_value WHERE projection_id = $1`},
	{"dataset_schema", `SELECT schema_id, recorded_from, fields::text FROM dataset_schema WHERE projection_id = $1`},
	{"declared_snapshot", `SELECT scope_id, effective_at, snapshot_key, recorded_from, producer, scope, source_event, timelines, levels,
		jobs, outputs, contents, counts FROM declared_snapshot WHERE projection_id = $1`},
}

// stateContent leaves out offsets, received times and decisions' places, the flows and column maps that nothing refers to
// any more, and what depends on whether a withdrawal came before its subject: that it was undone, and its place among the
// events of a run.
var stateContent = []content{
	{"node_name", `SELECT name_id, node_id, namespace, name FROM node_name WHERE projection_id = $1`},
	{"unresolved", `SELECT node_id, misfit FROM unresolved WHERE projection_id = $1`},
	{"unresolved_use", `SELECT node_id, producer, event_id, event_time, job_namespace, job_name, run_id, counts
		FROM unresolved_use WHERE projection_id = $1`},
	{"name_dismissal", `SELECT node_id, dismissed, event_time, event_key, said_by, reason
		FROM name_dismissal WHERE projection_id = $1 AND recorded_to = ` + openEnd},
	{"name_rule_set", `SELECT revision, rules::text, event_time, said_by, reason FROM name_rule_set WHERE projection_id = $1`},
	{"node", `SELECT node_id, kind, namespace, name FROM node WHERE projection_id = $1`},
	{"run", `SELECT run_key, state, settled, awaits, began_at, publications, body::text FROM run WHERE projection_id = $1`},
	{"run_parent", `SELECT run_key, parent_run_key, parent_job_id FROM run_parent WHERE projection_id = $1 AND recorded_to = ` + openEnd},
	{"run_event", `SELECT run_key, producer, event_id, event_type, event_time, effective_at, warnings::text, contribution::text
		FROM run_event WHERE projection_id = $1 AND event_type <> 'EvidenceWithdrawn'`},
	{"declaration", `SELECT producer, event_id, job_namespace, job_name, event_time, effective_at, warnings::text, contribution::text,
		payload::text, about, counts FROM declaration WHERE projection_id = $1`},
	{"withdrawal", `SELECT subject, body::text FROM withdrawal
		WHERE projection_id = $1 AND recorded_to = ` + openEnd + ` AND NOT undone`},
	{"field", `SELECT field_id, dataset_id, path, nested FROM field WHERE projection_id = $1`},
	{"column_map", `SELECT map_id FROM column_map m WHERE projection_id = $1` + mapIsStated},
	{"column_map_input", `SELECT map_id, input_id FROM column_map_input m WHERE projection_id = $1` + mapIsStated},
	{"column_map_field", `SELECT map_id, output_id, set_id FROM column_map_field m WHERE projection_id = $1` + mapIsStated},
	{"column_set", `SELECT set_id, kind, subtype, masking FROM column_set WHERE projection_id = $1`},
	{"column_set_input", `SELECT set_id, input_id FROM column_set_input WHERE projection_id = $1`},
	{"flow_input", `SELECT flow_id, input_id, since, until FROM flow_input f WHERE projection_id = $1 AND EXISTS (SELECT FROM statement s
		WHERE s.projection_id = $1 AND s.content_id = f.flow_id AND s.recorded_to = ` + openEnd + `)`},
	{"statement", `SELECT timeline_id, effective_at, statement_key, level, content_id, output_id, speaks, origin, publication,
		derivation, run_id, run_state, job_version, producer, source_event, valid_until FROM statement WHERE projection_id = $1 AND recorded_to = ` + openEnd},
	{"write", `SELECT timeline_id, level, content_id, job_id, output_id, origin, valid_from, first_key, valid_to, stated_from
		FROM write WHERE projection_id = $1 AND recorded_to = ` + openEnd},
	{"alias", `SELECT content_id, name_id, dataset_id, source, canonical, reason FROM alias a WHERE projection_id = $1 AND EXISTS (SELECT
		FROM statement s WHERE s.projection_id = $1 AND s.level = 4 AND s.content_id = a.content_id AND s.recorded_to = ` + openEnd + `)`},
	{"registered_alias", `SELECT alias_key, body::text FROM registered_alias WHERE projection_id = $1`},
	{"attribute_word", `SELECT node_id, kind, said_at, said_key, value_id, job_id, counts FROM attribute_word WHERE projection_id = $1`},
	{"attribute_value", `SELECT value_id, value::text FROM attribute_value WHERE projection_id = $1`},
	{"dataset_schema", `SELECT schema_id, fields::text FROM dataset_schema WHERE projection_id = $1`},
	{"declared_snapshot", `SELECT scope_id, effective_at, snapshot_key, producer, scope, source_event, timelines, levels,
		jobs, outputs, contents, counts FROM declared_snapshot WHERE projection_id = $1`},
}

// mapIsStated holds of the column maps m that a believed statement refers to.
const mapIsStated = ` AND EXISTS (SELECT FROM statement s
		WHERE s.projection_id = $1 AND s.level = 2 AND s.content_id = m.map_id AND s.recorded_to = ` + openEnd + `)`

// digestQuery adds up the rows' hashes, so that their order does not count: SHA-256 cut to two 64-bit lanes, each summed
// exactly, as numeric.
const digestQuery = `SELECT count(*), coalesce(sum(('x' || left(h, 16))::bit(64)::bigint), 0)::text || ':' ||
		coalesce(sum(('x' || substr(h, 17, 16))::bit(64)::bigint), 0)::text
	FROM (SELECT encode(sha256(convert_to(content::text, 'UTF8')), 'hex') AS h FROM (%s) AS content) AS hashed`

// Digest hashes a projection in one snapshot.
func (s *Store) Digest(ctx context.Context, id ID) (Digests, error) {
	var digests Digests
	options := pgx.TxOptions{IsoLevel: pgx.RepeatableRead, AccessMode: pgx.ReadOnly}
	err := pgx.BeginTxFunc(ctx, s.pool, options, func(tx pgx.Tx) error {
		// Rows are hashed as text, in which times stand in the session's zone and style.
		if _, err := tx.Exec(ctx, `SET LOCAL TimeZone TO 'UTC'; SET LOCAL DateStyle TO 'ISO'`); err != nil {
			return fmt.Errorf("set the session's time zone: %w", err)
		}
		const cursor = `SELECT cursor_epoch, cursor_offset FROM projection WHERE projection_id = $1`
		if err := tx.QueryRow(ctx, cursor, id).Scan(&digests.Cursor.Epoch, &digests.Cursor.Offset); err != nil {
			return fmt.Errorf("read the cursor: %w", err)
		}
		state, err := digestTables(ctx, tx, id, stateContent)
		if err != nil {
			return err
		}
		raw, err := digestTables(ctx, tx, id, rawContent)
		if err != nil {
			return err
		}
		if digests.Tables, err = digestTables(ctx, tx, id, historyContent); err != nil {
			return err
		}
		digests.State, digests.History, digests.Raw = combine(state), combine(digests.Tables), combine(raw)
		return nil
	})
	return digests, err
}

func digestTables(ctx context.Context, tx pgx.Tx, id ID, contents []content) ([]TableDigest, error) {
	tables := make([]TableDigest, len(contents))
	for i, content := range contents {
		var sums string
		tables[i].Table = content.table
		if err := tx.QueryRow(ctx, fmt.Sprintf(digestQuery, content.query), id).Scan(&tables[i].Rows, &sums); err != nil {
			return nil, fmt.Errorf("digest %s: %w", content.table, err)
		}
		tables[i].Digest = hexSHA256(sums)
	}
	return tables, nil
}

func combine(tables []TableDigest) string {
	var text string
	for _, table := range tables {
		text += fmt.Sprintf("%s %d %s\n", table.Table, table.Rows, table.Digest)
	}
	return hexSHA256(text)
}

func hexSHA256(text string) string {
	sum := sha256.Sum256([]byte(text))
	return hex.EncodeToString(sum[:])
}

package projection

import (
	"context"
	"encoding/json/v2"
	"fmt"
	"slices"

	"github.com/jackc/pgx/v5"

	"github.com/headwater-data/headwater/lineage"
)

// mostVersions bounds the versions of a schema in an answer; the latest are there.
const mostVersions = 100

const (
	// selectSchemaVersions reads the latest versions of the schemas of datasets, with the first statement behind each.
	selectSchemaVersions = `SELECT w.origin, w.valid_from, w.valid_to, s.producer, s.source_event, d.fields
		FROM write_p{} w
		JOIN dataset_schema_p{} d ON d.projection_id = {} AND d.schema_id = w.content_id
		CROSS JOIN LATERAL (
			SELECT producer, source_event FROM statement_p{}
			WHERE projection_id = {} AND timeline_id = w.timeline_id AND content_id = w.content_id
				AND effective_at BETWEEN coalesce(w.stated_from, w.valid_from) AND w.valid_to
				AND recorded_from <= $2 AND recorded_to > $2
			ORDER BY effective_at, statement_key LIMIT 1
		) AS s
		WHERE w.level = 3 AND w.output_id = ANY($1) AND w.recorded_from <= $2 AND w.recorded_to > $2
		ORDER BY w.valid_from DESC, w.timeline_id, w.first_key LIMIT $3`

	// selectSchemaJobs reads the jobs that may have stated a schema of datasets or ended one: who does also writes the
	// dataset, or creates or drops it.
	selectSchemaJobs = `SELECT DISTINCT job_id, NULL, NULL FROM write_p{}
		WHERE level = 1 AND output_id = ANY($1) AND recorded_from <= $2 AND recorded_to > $2 AND job_id IS NOT NULL
		UNION SELECT r.job_id, d.job_namespace, d.job_name FROM statement_p{} s ` + statingJob + `
		WHERE s.level = 5 AND s.output_id = ANY($1) AND s.recorded_from <= $2 AND s.recorded_to > $2`
)

// schemaSources says what the origin of a statement makes of a schema.
var schemaSources = map[lineage.Origin]lineage.SchemaSource{
	lineage.Observed: lineage.WrittenSchema, lineage.Declared: lineage.DeclaredSchema, lineage.Manual: lineage.DeclaredSchema,
}

// schemas reads the versions of the schemas of datasets, as jobs state them that the caller may see. Mostly these are all,
// and the writes tell.
func (w *walk) schemas(ctx context.Context, datasets []lineage.NodeID) ([]lineage.SchemaVersion, error) {
	var versions []lineage.SchemaVersion
	var jobs []statingJobOf
	var batch pgx.Batch
	batch.Queue(w.at.projection.in(selectSchemaVersions), hashesOf(datasets), w.at.recordedAt, mostVersions).Query(func(rows pgx.Rows) (err error) {
		versions, err = pgx.CollectRows(rows, scanSchemaVersion)
		return err
	})
	w.queueSchemaJobs(&batch, datasets, &jobs)
	if err := w.tx.SendBatch(ctx, &batch).Close(); err != nil {
		return nil, fmt.Errorf("read schemas: %w", err)
	}
	shown, err := w.shownJobs(ctx, jobs)
	if err != nil {
		return nil, err
	}
	if w.isFormer() || slices.ContainsFunc(datasets, w.wasAnothers) || slices.ContainsFunc(jobs, func(job statingJobOf) bool { return !shown(job) }) {
		if versions, err = w.shownSchemas(ctx, datasets); err != nil {
			return nil, err
		}
	}
	carried, err := w.carriedSchemas(ctx, datasets)
	if err != nil {
		return nil, err
	}
	versions = append(versions, carried...)
	for i := range versions {
		versions[i].Columns = w.columnCase(datasets[0])
	}
	return versions, nil
}

// queueSchemaJobs reads the jobs that stated schemas of datasets, as far as some may be hidden.
func (w *walk) queueSchemaJobs(batch *pgx.Batch, datasets []lineage.NodeID, jobs *[]statingJobOf) {
	if w.request.SeesAll {
		return
	}
	batch.Queue(w.at.projection.in(selectSchemaJobs), hashesOf(datasets), w.at.recordedAt).Query(func(rows pgx.Rows) (err error) {
		*jobs, err = pgx.CollectRows(rows, pgx.RowToStructByPos[statingJobOf])
		return err
	})
}

// columnCase is the rule for the columns of what a dataset shows under.
func (w *walk) columnCase(dataset lineage.NodeID) lineage.NameCase {
	return w.view.Names.Columns(w.known[w.classOf(dataset).canonical].Namespace)
}

func scanSchemaVersion(row pgx.CollectableRow) (version lineage.SchemaVersion, err error) {
	var origin lineage.Origin
	var encoded []byte
	if err := row.Scan(&origin, &version.From, &version.To, &version.Producer, &version.EventID, &encoded); err != nil {
		return version, err
	}
	version.Source, version.From, version.To = schemaSources[origin], version.From.UTC(), version.To.UTC()
	version.Schema, err = decodeSchema(encoded)
	return version, err
}

// decodeSchema reads a schema as table dataset_schema has it.
func decodeSchema(encoded []byte) (*lineage.Schema, error) {
	var fields []lineage.Field
	if err := json.Unmarshal(encoded, &fields); err != nil {
		return nil, fmt.Errorf("read the fields of a schema: %w", err)
	}
	return lineage.NewSchema(fields), nil
}

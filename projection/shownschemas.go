package projection

import (
	"context"
	"fmt"
	"slices"

	"github.com/jackc/pgx/v5"

	"github.com/headwater-data/headwater/lineage"
)

const (
	// selectSchemaStatements reads all that was stated of the schemas of datasets, in order, with the jobs behind it.
	selectSchemaStatements = `SELECT s.timeline_id, s.origin, s.effective_at, s.statement_key, s.content_id, s.speaks, s.valid_until,
			s.producer, s.source_event, of_dataset.output_id, r.job_id, d.job_namespace, d.job_name
		FROM (SELECT DISTINCT timeline_id, output_id FROM write_p{} WHERE level = 3 AND output_id = ANY($1)) AS of_dataset
		JOIN statement_p{} s ON s.projection_id = {} AND s.timeline_id = of_dataset.timeline_id
		` + statingJob + `
		WHERE s.recorded_from <= $2 AND s.recorded_to > $2
		ORDER BY s.timeline_id, s.effective_at, s.statement_key`

	selectSchemas = `SELECT schema_id, fields FROM dataset_schema_p{} WHERE projection_id = {} AND schema_id = ANY($1)`
)

// schemaStatement is what was said once of the schema of a dataset.
type schemaStatement struct {
	timeline lineage.Hash
	origin   lineage.Origin
	lineage.Mark
	sender lineage.Sender
	output lineage.NodeID
	job    statingJobOf
}

// shownSchemas are the versions that datasets would have had if none had been stated but by the jobs that the caller may
// see, of the datasets that have the names now. The stored versions do not tell: a hidden job, or one that wrote to what had
// the name before, may have been the first to state what another repeats, or have stated another in between.
func (w *walk) shownSchemas(ctx context.Context, datasets []lineage.NodeID) ([]lineage.SchemaVersion, error) {
	rows, _ := w.tx.Query(ctx, w.at.projection.in(selectSchemaStatements), hashesOf(datasets), w.at.recordedAt) // CollectRows reports the error
	statements, err := pgx.CollectRows(rows, scanSchemaStatement)
	if err != nil {
		return nil, fmt.Errorf("read what was stated of schemas: %w", err)
	}
	shown, err := w.shownJobs(ctx, column(statements, func(s schemaStatement) statingJobOf { return s.job }))
	if err != nil {
		return nil, err
	}
	statements = slices.DeleteFunc(statements, func(s schemaStatement) bool {
		return !shown(s.job) || s.EffectiveAt.Before(w.began(s.output)) || w.isFormer() && s.EffectiveAt.After(w.at.validAt)
	})
	var versions []schemaWrite
	for len(statements) > 0 {
		of := 1
		for of < len(statements) && statements[of].timeline == statements[0].timeline {
			of++
		}
		versions = append(versions, schemaWrites(statements[:of])...)
		statements = statements[of:]
	}
	slices.SortStableFunc(versions, func(a, b schemaWrite) int { return b.From.Compare(a.From) })
	return w.withFields(ctx, versions[:min(len(versions), mostVersions)])
}

func scanSchemaStatement(row pgx.CollectableRow) (s schemaStatement, err error) {
	var output lineage.Hash
	err = row.Scan(&s.timeline, &s.origin, &s.EffectiveAt, &s.Key, &s.Content, &s.Speaks, &s.Until,
		&s.sender.Producer, &s.sender.EventID, &output, &s.job.Job, &s.job.Namespace, &s.job.Name)
	s.output, s.EffectiveAt, s.Until = lineage.NodeID(output), s.EffectiveAt.UTC(), s.Until.UTC()
	return s, err
}

// schemaWrite is a version whose fields were not read yet.
type schemaWrite struct {
	lineage.SchemaVersion
	content lineage.Hash
}

// schemaWrites are the versions that the statements of one timeline give, in order.
func schemaWrites(statements []schemaStatement) []schemaWrite {
	marks := column(statements, func(s schemaStatement) lineage.Mark { return s.Mark })
	_, writes := lineage.NewWholeTimeline(nil, nil).Change(nil, marks)
	versions := make([]schemaWrite, len(writes))
	for i, write := range writes {
		first := statements[slices.IndexFunc(statements, func(s schemaStatement) bool {
			return s.Content == write.Content && !s.EffectiveAt.Before(write.Since)
		})]
		versions[i] = schemaWrite{
			lineage.SchemaVersion{Source: schemaSources[first.origin], From: write.From.EffectiveAt, To: write.To, Sender: first.sender},
			write.Content,
		}
	}
	return versions
}

// withFields reads the fields of versions.
func (w *walk) withFields(ctx context.Context, writes []schemaWrite) ([]lineage.SchemaVersion, error) {
	contents := column(writes, func(s schemaWrite) lineage.Hash { return s.content })
	rows, _ := w.tx.Query(ctx, w.at.projection.in(selectSchemas), contents) // ForEachRow reports the error
	schemas := map[lineage.Hash]*lineage.Schema{}
	var id lineage.Hash
	var encoded []byte
	if _, err := pgx.ForEachRow(rows, []any{&id, &encoded}, func() (err error) {
		schemas[id], err = decodeSchema(encoded)
		return err
	}); err != nil {
		return nil, fmt.Errorf("read schemas: %w", err)
	}
	versions := make([]lineage.SchemaVersion, len(writes))
	for i, write := range writes {
		versions[i] = write.SchemaVersion
		versions[i].Schema = schemas[write.content]
	}
	return versions, nil
}

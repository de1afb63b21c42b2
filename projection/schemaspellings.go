package projection

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5"

	"github.com/headwater-data/headwater/lineage"
)

// selectSchemasAt reads the schemas that datasets have at a time.
const selectSchemasAt = `SELECT w.output_id, w.origin, w.valid_from, w.valid_to, d.fields
	FROM write_p{} w JOIN dataset_schema_p{} d ON d.projection_id = {} AND d.schema_id = w.content_id
	WHERE w.level = 3 AND w.output_id = ANY($1) AND w.recorded_from <= $2 AND w.recorded_to > $2 AND w.valid_from <= $3 AND w.valid_to > $3`

// spellFields gives the fields of the answer that a name rule folds the spelling of the schema that their dataset has then.
func (w *walk) spellFields(ctx context.Context) error {
	var datasets []lineage.NodeID // and their other names
	asked := map[lineage.NodeID]bool{}
	for i := range w.nodes {
		dataset := w.nodes[i].Whole().ID()
		if folds := w.view.Names.Columns(w.nodes[i].Namespace) != lineage.CasePreserve; w.nodes[i].Kind == lineage.NodeField && folds && !asked[dataset] {
			asked[dataset] = true
			datasets = append(datasets, w.classOf(dataset).members...)
		}
	}
	if len(datasets) == 0 {
		return nil
	}
	schemas, err := w.schemasAt(ctx, datasets)
	if err != nil {
		return err
	}
	spellings := map[lineage.NodeID]map[lineage.FieldPath]lineage.FieldPath{}
	for dataset, versions := range schemas {
		if holds := lineage.NewSchemaHistory(versions, nil).At(w.at.validAt); holds != nil {
			spellings[dataset] = holds.Spellings()
		}
	}
	for i := range w.nodes {
		if w.nodes[i].Kind == lineage.NodeField {
			w.nodes[i].Spelled = spellings[w.nodes[i].Whole().ID()][w.nodes[i].Path]
		}
	}
	return nil
}

// schemasAt reads the schemas that hold of datasets, by what these show under, as jobs state them that the caller may see.
func (w *walk) schemasAt(ctx context.Context, datasets []lineage.NodeID) (map[lineage.NodeID][]lineage.SchemaVersion, error) {
	schemas := map[lineage.NodeID][]lineage.SchemaVersion{}
	var jobs []statingJobOf
	var batch pgx.Batch
	batch.Queue(w.at.projection.in(selectSchemasAt), hashesOf(datasets), w.at.recordedAt, w.at.validAt).Query(func(rows pgx.Rows) error {
		var dataset lineage.Hash
		var origin lineage.Origin
		var version lineage.SchemaVersion
		var encoded []byte
		_, err := pgx.ForEachRow(rows, []any{&dataset, &origin, &version.From, &version.To, &encoded}, func() (err error) {
			canonical := w.classOf(lineage.NodeID(dataset)).canonical
			version.Source, version.Columns = schemaSources[origin], w.columnCase(canonical)
			version.Schema, err = decodeSchema(encoded)
			schemas[canonical] = append(schemas[canonical], version)
			return err
		})
		return err
	})
	w.queueSchemaJobs(&batch, datasets, &jobs)
	if err := w.tx.SendBatch(ctx, &batch).Close(); err != nil {
		return nil, fmt.Errorf("read the schemas of the answer: %w", err)
	}
	shown, err := w.shownJobs(ctx, jobs)
	if err != nil {
		return nil, err
	}
	for _, job := range jobs {
		if !shown(job) {
			return w.eachSchema(ctx, datasets)
		}
	}
	return schemas, nil
}

// eachSchema is schemasAt where a hidden job may have stated some of them.
func (w *walk) eachSchema(ctx context.Context, datasets []lineage.NodeID) (map[lineage.NodeID][]lineage.SchemaVersion, error) {
	schemas := map[lineage.NodeID][]lineage.SchemaVersion{}
	for _, dataset := range datasets {
		class := w.classOf(dataset)
		if _, read := schemas[class.canonical]; read {
			continue
		}
		versions, err := w.schemas(ctx, class.members)
		if err != nil {
			return nil, err
		}
		schemas[class.canonical] = versions
	}
	return schemas, nil
}

package projection

import (
	"context"
	"fmt"
	"slices"

	"github.com/jackc/pgx/v5"

	"github.com/headwater-data/headwater/lineage"
)

// mostReaders bounds the runs that are asked for the schema of what they read.
const mostReaders = 5

const (
	selectSaidOfInputs = `SELECT effective_at, producer, event_id, contribution FROM run_event_p{}
		WHERE projection_id = {} AND run_key = ANY($1) AND log_offset <= $2 AND contribution IS NOT NULL`

	selectSchema = `SELECT fields FROM dataset_schema_p{} WHERE projection_id = {} AND schema_id = $1`
)

// readSchema is the schema that one of the last runs shows which the caller may see reading a dataset; nil where none does.
// What is read is often a part, so it counts only where nobody spoke who writes or describes the dataset.
func (w *walk) readSchema(ctx context.Context, dataset lineage.NodeID, members []lineage.NodeID) (*lineage.SchemaVersion, error) {
	steps, err := w.steps(ctx, Downstream, []lineage.NodeID{dataset})
	if err != nil {
		return nil, err
	}
	slices.SortStableFunc(steps, func(a, b step) int { return b.passage.lastObservedAt.Compare(a.passage.lastObservedAt) })
	var runs []lineage.Hash
	for _, s := range steps {
		if run := s.passage.run; !run.IsZero() && !slices.Contains(runs, run) && len(runs) < mostReaders {
			runs = append(runs, run)
		}
	}
	if len(runs) == 0 {
		return nil, nil
	}
	seen, err := w.lastRead(ctx, runs, members)
	if err != nil || seen.Value.IsZero() {
		return nil, err
	}
	var encoded []byte
	if err := w.tx.QueryRow(ctx, w.at.projection.in(selectSchema), seen.Value).Scan(&encoded); err != nil {
		return nil, fmt.Errorf("read schema %s: %w", seen.Value, err)
	}
	schema, err := decodeSchema(encoded)
	if err != nil {
		return nil, err
	}
	return &lineage.SchemaVersion{
		Schema: schema, Source: lineage.ReadSchema, From: seen.at.EffectiveAt, To: lineage.Forever, Sender: seen.Sender,
		Columns: w.columnCase(dataset),
	}, nil
}

// schemaRead is the schema of an input as one event shows it.
type schemaRead struct {
	at    lineage.Moment
	Value lineage.Hash
	lineage.Sender
}

// lastRead finds the schema that the events of runs show last by the point, of those that were not withdrawn then.
func (w *walk) lastRead(ctx context.Context, runs []lineage.Hash, members []lineage.NodeID) (schemaRead, error) {
	rows, _ := w.tx.Query(ctx, w.at.projection.in(selectSaidOfInputs), runs, w.at.recordedAt) // ForEachRow reports the error
	var reads []schemaRead
	var read schemaRead
	var kept []byte
	_, err := pgx.ForEachRow(rows, []any{&read.at.EffectiveAt, &read.Producer, &read.EventID, &kept}, func() error {
		var said lineage.Contribution
		if err := said.Decode(kept); err != nil {
			return err
		}
		read.at = lineage.Moment{EffectiveAt: read.at.EffectiveAt.UTC(), Key: said.Key}
		for _, stated := range said.Schemas {
			id := w.view.Names.Node(stated.Dataset.Node()).ID()
			if stated.Read && slices.Contains(members, id) && !read.at.EffectiveAt.After(w.at.validAt) {
				read.Value = stated.Schema
				reads = append(reads, read)
			}
		}
		return nil
	})
	if err != nil {
		return schemaRead{}, fmt.Errorf("read contributions: %w", err)
	}
	withdrawn, err := withdrawnAt(ctx, w.tx, w.at, column(reads, func(r schemaRead) lineage.Hash { return r.Sender.Hash() }))
	var last schemaRead
	for _, read := range reads {
		if !withdrawn[read.Sender.Hash()] && read.at.Compare(last.at) > 0 {
			last = read
		}
	}
	return last, err
}

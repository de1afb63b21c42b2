package projection

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/headwater-data/headwater/lineage"
)

// point is a point in both times of one projection.
type point struct {
	projection ID
	validAt    time.Time
	recordedAt lineage.Offset
	lookback   time.Duration
	// writes are the queries that read writes at this point.
	writes *writeQueries
	// limit is after how many rows of each query to end; nil for no end.
	limit *int
}

// args are those of writeQueries.
func (p point) args(keys []lineage.Hash) []any {
	return []any{p.validAt, p.lookback, p.recordedAt, keys, p.limit}
}

// passage is a write at a point, with the last statement behind it.
type passage struct {
	timeline       lineage.Hash
	flow           lineage.Hash
	output         lineage.NodeID
	job            *lineage.NodeID
	origin         lineage.Origin
	validFrom      time.Time
	validTo        time.Time
	publication    lineage.Publication
	derivation     lineage.Derivation
	speaks         bool
	lastObservedAt time.Time
	// until is when a roll-back ended that statement, else lineage.Forever.
	until       time.Time
	jobVersion  string
	producer    string
	sourceEvent string
	// run is the key of the run behind it, where runID is set.
	run      lineage.Hash
	runID    string
	runState lineage.RunState
	// formerly is set where the output had another name when it was written, which another dataset has now.
	formerly *formerly
}

const (
	selectFlowInputsOf = `SELECT flow_id, input_id FROM flow_input_p{} WHERE projection_id = {} AND flow_id = ANY($1)`

	selectNodesByID = `SELECT node_id, kind, namespace, name, recorded_from FROM node_p{}
		WHERE projection_id = {} AND node_id = ANY($1)`
)

// passages reads the writes at a point that one of its queries finds by keys.
func (w *walk) passages(ctx context.Context, at point, query string, keys []lineage.Hash) ([]*passage, error) {
	parts, err := readParts(ctx, w, keys, func(ctx context.Context, tx pgx.Tx, keys []lineage.Hash) ([]*passage, error) {
		return selectPassages(ctx, tx, at, query, keys)
	})
	return slices.Concat(parts...), err
}

func selectPassages(ctx context.Context, tx pgx.Tx, at point, query string, keys []lineage.Hash) ([]*passage, error) {
	rows, _ := tx.Query(ctx, at.projection.in(query), at.args(keys)...) // CollectRows reports the error
	passages, err := pgx.CollectRows(rows, func(row pgx.CollectableRow) (*passage, error) {
		p := &passage{}
		var output lineage.Hash
		var job *lineage.Hash
		err := row.Scan(&p.timeline, &p.flow, &output, &job, &p.origin, &p.validFrom, &p.validTo,
			&p.publication, &p.derivation, &p.speaks, &p.lastObservedAt, &p.jobVersion, &p.producer, &p.sourceEvent,
			&p.run, &p.runID, &p.runState, &p.until)
		p.output, p.job = lineage.NodeID(output), (*lineage.NodeID)(job)
		p.validFrom, p.validTo, p.lastObservedAt = p.validFrom.UTC(), p.validTo.UTC(), p.lastObservedAt.UTC()
		return p, err
	})
	if err != nil {
		return nil, fmt.Errorf("read writes: %w", err)
	}
	return passages, nil
}

// flowInputs reads the inputs of the passages' flows.
func (w *walk) flowInputs(ctx context.Context, passages []*passage) (map[lineage.Hash][]lineage.NodeID, error) {
	flows := map[lineage.Hash]bool{}
	for _, p := range passages {
		flows[p.flow] = true
	}
	parts, err := readParts(ctx, w, sortedKeys(flows), func(ctx context.Context, tx pgx.Tx, flows []lineage.Hash) (map[lineage.Hash][]lineage.NodeID, error) {
		return selectInputs(ctx, tx, w.at.projection.in(selectFlowInputsOf), flows)
	})
	return joinLists(parts), err
}

// readers finds the flows that nodes feed, each with those of the nodes that do.
func (w *walk) readers(ctx context.Context, nodes []lineage.Hash) (map[lineage.Hash][]lineage.NodeID, error) {
	parts, err := readParts(ctx, w, nodes, func(ctx context.Context, tx pgx.Tx, nodes []lineage.Hash) (map[lineage.Hash][]lineage.NodeID, error) {
		return selectInputs(ctx, tx, w.at.projection.in(w.at.writes.readers), w.at.args(nodes)...)
	})
	return joinLists(parts), err
}

// joinLists joins the lists of the same keys.
func joinLists[K comparable, V any](parts []map[K][]V) map[K][]V {
	if len(parts) == 1 {
		return parts[0]
	}
	joined := map[K][]V{}
	for _, part := range parts {
		for key, list := range part {
			joined[key] = append(joined[key], list...)
		}
	}
	return joined
}

// selectInputs reads flows and inputs. A flow without an input is there all the same.
func selectInputs(ctx context.Context, tx pgx.Tx, query string, args ...any) (map[lineage.Hash][]lineage.NodeID, error) {
	rows, _ := tx.Query(ctx, query, args...) // ForEachRow reports the error
	inputs := map[lineage.Hash][]lineage.NodeID{}
	var flow lineage.Hash
	var input *lineage.Hash
	_, err := pgx.ForEachRow(rows, []any{&flow, &input}, func() error {
		of := inputs[flow]
		if input != nil {
			of = append(of, lineage.NodeID(*input))
		}
		inputs[flow] = of
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("read the inputs of flows: %w", err)
	}
	return inputs, nil
}

func selectNodes(ctx context.Context, tx pgx.Tx, projection ID, ids []lineage.Hash) (map[lineage.NodeID]nodeRecord, error) {
	rows, _ := tx.Query(ctx, projection.in(selectNodesByID), ids) // ForEachRow reports the error
	nodes := make(map[lineage.NodeID]nodeRecord, len(ids))
	var id lineage.Hash
	var node nodeRecord
	_, err := pgx.ForEachRow(rows, []any{&id, &node.Kind, &node.Namespace, &node.Name, &node.recordedFrom}, func() error {
		nodes[lineage.NodeID(id)] = node
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("read nodes: %w", err)
	}
	return nodes, nil
}

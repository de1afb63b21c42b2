package projection

import (
	"context"
	"fmt"
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
	jobVersion     string
	producer       string
	sourceEvent    string
	// run is the key of the run behind it, where runID is set.
	run      lineage.Hash
	runID    string
	runState lineage.RunState
}

const (
	selectFlowInputsOf = `SELECT flow_id, input_id FROM flow_input_p{} WHERE projection_id = {} AND flow_id = ANY($1)`

	selectNodesByID = `SELECT node_id, kind, namespace, name, recorded_from FROM node_p{}
		WHERE projection_id = {} AND node_id = ANY($1)`
)

// selectPassages reads the writes at a point that one of its queries finds at nodes.
func selectPassages(ctx context.Context, tx pgx.Tx, at point, query string, nodes []lineage.Hash) ([]*passage, error) {
	rows, _ := tx.Query(ctx, at.projection.in(query), at.args(nodes)...) // CollectRows reports the error
	passages, err := pgx.CollectRows(rows, func(row pgx.CollectableRow) (*passage, error) {
		p := &passage{}
		var output lineage.Hash
		var job *lineage.Hash
		err := row.Scan(&p.timeline, &p.flow, &output, &job, &p.origin, &p.validFrom, &p.validTo,
			&p.publication, &p.derivation, &p.speaks, &p.lastObservedAt, &p.jobVersion, &p.producer, &p.sourceEvent,
			&p.run, &p.runID, &p.runState)
		p.output, p.job = lineage.NodeID(output), (*lineage.NodeID)(job)
		p.validFrom, p.validTo, p.lastObservedAt = p.validFrom.UTC(), p.validTo.UTC(), p.lastObservedAt.UTC()
		return p, err
	})
	if err != nil {
		return nil, fmt.Errorf("read writes: %w", err)
	}
	return passages, nil
}

// selectFlowInputs reads the inputs of the passages' flows.
func selectFlowInputs(ctx context.Context, tx pgx.Tx, at point, passages []*passage) (map[lineage.Hash][]lineage.NodeID, error) {
	flows := map[lineage.Hash]bool{}
	for _, p := range passages {
		flows[p.flow] = true
	}
	return selectInputs(ctx, tx, at.projection.in(selectFlowInputsOf), sortedKeys(flows))
}

// selectReaders finds the flows that nodes feed, each with those of the nodes that do.
func selectReaders(ctx context.Context, tx pgx.Tx, at point, nodes []lineage.Hash) (map[lineage.Hash][]lineage.NodeID, error) {
	return selectInputs(ctx, tx, at.projection.in(at.writes.readers), at.args(nodes)...)
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

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
}

// passage is a write at a point, with the last statement behind it.
type passage struct {
	timeline       lineage.Hash
	flow           lineage.Hash
	output         lineage.NodeID
	job            *lineage.NodeID
	inputCount     int
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
	runID          string
	runState       lineage.RunState
}

// selectWritesAt reads the writes that hold at a point, or ended within the lookback before it. The lateral query walks
// the primary key of statement backwards from the point, so its cost does not grow with the length of the timeline.
const selectWritesAt = `
	SELECT w.timeline_id, w.flow_id, w.output_id, f.job_id, f.input_count, w.origin, w.valid_from, w.valid_to,
		s.publication, s.derivation, s.speaks, s.effective_at, s.job_version, s.producer, s.source_event,
		coalesce(r.run_id, ''), coalesce(r.state, 0)
	FROM write w
	JOIN flow f ON f.projection_id = $1 AND f.flow_id = w.flow_id
	CROSS JOIN LATERAL (
		SELECT * FROM statement
		WHERE projection_id = $1 AND timeline_id = w.timeline_id AND flow_id = w.flow_id
			AND effective_at BETWEEN w.valid_from AND least(w.valid_to, $2)
			AND recorded_from <= $4 AND recorded_to > $4
		ORDER BY effective_at DESC, statement_key DESC LIMIT 1
	) s
	LEFT JOIN run r ON r.projection_id = $1 AND r.run_key = s.run_key
	WHERE w.projection_id = $1 AND w.valid_from <= $2 AND w.valid_to > $2 - $3::interval
		AND w.recorded_from <= $4 AND w.recorded_to > $4`

const (
	// selectWritesInto reads the writes into the nodes $5.
	selectWritesInto = selectWritesAt + ` AND w.output_id = ANY($5)`

	// selectWritesFrom reads the writes of flows that the nodes $5 feed; a job feeds those of its flows that name no inputs.
	selectWritesFrom = selectWritesAt + ` AND w.flow_id = ANY(ARRAY(
		SELECT flow_id FROM flow_input WHERE projection_id = $1 AND input_id = ANY($5)
		UNION SELECT flow_id FROM flow WHERE projection_id = $1 AND job_id = ANY($5) AND input_count = 0))`

	// selectWritesOf reads the writes of the jobs $5.
	selectWritesOf = selectWritesAt + ` AND w.flow_id = ANY(ARRAY(SELECT flow_id FROM flow WHERE projection_id = $1 AND job_id = ANY($5)))`

	selectFlowInputsOf = `SELECT flow_id, input_id FROM flow_input
		WHERE projection_id = $1 AND flow_id = ANY($2) AND ($3::uuid[] IS NULL OR input_id = ANY($3))`

	selectNodesByID = `SELECT node_id, kind, namespace, name FROM node
		WHERE projection_id = $1 AND node_id = ANY($2) AND recorded_from <= $3`
)

func selectPassages(ctx context.Context, tx pgx.Tx, at point, query string, nodes []lineage.Hash) ([]*passage, error) {
	rows, _ := tx.Query(ctx, query, at.projection, at.validAt, at.lookback, at.recordedAt, nodes) // CollectRows reports the error
	passages, err := pgx.CollectRows(rows, func(row pgx.CollectableRow) (*passage, error) {
		p := &passage{}
		var output lineage.Hash
		var job *lineage.Hash
		err := row.Scan(&p.timeline, &p.flow, &output, &job, &p.inputCount, &p.origin, &p.validFrom, &p.validTo,
			&p.publication, &p.derivation, &p.speaks, &p.lastObservedAt, &p.jobVersion, &p.producer, &p.sourceEvent,
			&p.runID, &p.runState)
		p.output, p.job = lineage.NodeID(output), (*lineage.NodeID)(job)
		p.validFrom, p.validTo, p.lastObservedAt = p.validFrom.UTC(), p.validTo.UTC(), p.lastObservedAt.UTC()
		return p, err
	})
	if err != nil {
		return nil, fmt.Errorf("read writes: %w", err)
	}
	return passages, nil
}

// selectFlowInputs reads the inputs of the passages' flows; only those among near, unless near is nil.
func selectFlowInputs(ctx context.Context, tx pgx.Tx, at point, passages []*passage, near []lineage.Hash) (map[lineage.Hash][]lineage.NodeID, error) {
	flows := map[lineage.Hash][]lineage.NodeID{}
	for _, p := range passages {
		flows[p.flow] = nil
	}
	rows, err := tx.Query(ctx, selectFlowInputsOf, at.projection, sortedKeys(flows), near)
	if err != nil {
		return nil, fmt.Errorf("read flows: %w", err)
	}
	defer rows.Close()
	for rows.Next() {
		var flow, input lineage.Hash
		if err := rows.Scan(&flow, &input); err != nil {
			return nil, fmt.Errorf("read flow: %w", err)
		}
		flows[flow] = append(flows[flow], lineage.NodeID(input))
	}
	return flows, rows.Err()
}

func selectNodes(ctx context.Context, tx pgx.Tx, at point, ids []lineage.Hash) ([]lineage.NodeID, []lineage.Node, error) {
	rows, err := tx.Query(ctx, selectNodesByID, at.projection, ids, at.recordedAt)
	if err != nil {
		return nil, nil, fmt.Errorf("read nodes: %w", err)
	}
	defer rows.Close()
	var found []lineage.NodeID
	var nodes []lineage.Node
	for rows.Next() {
		var id lineage.Hash
		var node lineage.Node
		if err := rows.Scan(&id, &node.Kind, &node.Namespace, &node.Name); err != nil {
			return nil, nil, fmt.Errorf("read node: %w", err)
		}
		found, nodes = append(found, lineage.NodeID(id)), append(nodes, node)
	}
	return found, nodes, rows.Err()
}

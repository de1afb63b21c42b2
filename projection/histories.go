package projection

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5"

	"github.com/headwater-data/headwater/lineage"
)

// history is what the events of a run contributed one by one. It is read where it does not help that a run is a join: when
// evidence is taken out of it.
type history struct {
	contributions []lineage.Contribution
	// broken tells that a version that kept no contributions folded some of the events. Then the run stays as it is until
	// a replay.
	broken bool
}

const (
	// selectTouched finds events by their ids alone, which a hash index holds: hardly two producers use one id.
	selectTouched = `SELECT e.log_offset, e.producer, e.event_id, e.run_key
		FROM unnest($2::text[], $3::text[]) AS sought(producer, event_id)
		CROSS JOIN LATERAL (
			SELECT * FROM run_event WHERE projection_id = $1 AND event_id = sought.event_id AND producer = sought.producer OFFSET 0
		) AS e
		UNION
		SELECT e.log_offset, e.producer, e.event_id, e.run_key
		FROM unnest($4::uuid[]) AS sought(run_key)
		CROSS JOIN LATERAL (
			SELECT * FROM run_event WHERE projection_id = $1 AND run_key = sought.run_key AND event_type <> $5 OFFSET 0
		) AS e`
	selectContributions = `SELECT e.* FROM unnest($2::uuid[]) AS sought(run_key)
		CROSS JOIN LATERAL (
			SELECT run_key, event_type, event_time, effective_at, producer, event_id, contribution FROM run_event
			WHERE projection_id = $1 AND run_key = sought.run_key AND event_type <> $3 OFFSET 0
		) AS e`
)

// loadTouched gives the events of runs that have been folded, of those with some ids and of some runs as a whole.
func loadTouched(ctx context.Context, tx pgx.Tx, id ID, events []lineage.Sender, runs []lineage.Hash) (map[lineage.Offset]touchedEvent, error) {
	touched := map[lineage.Offset]touchedEvent{}
	var at lineage.Offset
	var event touchedEvent
	producers, eventIDs := columnsOf(events)
	rows, _ := tx.Query(ctx, selectTouched, id, producers, eventIDs, runs, lineage.EvidenceWithdrawn) // ForEachRow reports the error
	_, err := pgx.ForEachRow(rows, []any{&at, &event.Producer, &event.EventID, &event.run}, func() error {
		touched[at] = event
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("find withdrawn events: %w", err)
	}
	return touched, nil
}

// loadHistories reads what the events of runs contributed.
func loadHistories(ctx context.Context, tx pgx.Tx, id ID, runs []lineage.Hash) (map[lineage.Hash]*history, error) {
	histories := make(map[lineage.Hash]*history, len(runs))
	for _, run := range runs {
		histories[run] = &history{}
	}
	rows, _ := tx.Query(ctx, selectContributions, id, runs, lineage.EvidenceWithdrawn) // CollectRows reports the error
	_, err := pgx.CollectRows(rows, func(row pgx.CollectableRow) (any, error) {
		var run lineage.Hash
		var eventType lineage.EventType
		c, kept, err := scanContribution(row, &run, &eventType)
		if err != nil {
			return nil, err
		}
		c.Type = eventType
		history := histories[run]
		history.contributions = append(history.contributions, c)
		history.broken = history.broken || !kept
		return nil, nil
	})
	if err != nil {
		return nil, fmt.Errorf("read contributions: %w", err)
	}
	return histories, nil
}

// scanContribution reads other columns and then those of a contribution. kept is false for one that was not kept.
func scanContribution(row pgx.CollectableRow, others ...any) (c lineage.Contribution, kept bool, err error) {
	var encoded []byte
	err = row.Scan(append(others, &c.EventTime, &c.EffectiveAt, &c.Producer, &c.EventID, &encoded)...)
	if err != nil || encoded == nil {
		return c, false, err
	}
	c.EventTime, c.EffectiveAt = c.EventTime.UTC(), c.EffectiveAt.UTC()
	return c, true, c.Decode(encoded)
}

func columnsOf(events []lineage.Sender) (producers, eventIDs []string) {
	return column(events, func(e lineage.Sender) string { return e.Producer }),
		column(events, func(e lineage.Sender) string { return e.EventID })
}

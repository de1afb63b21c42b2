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

// declaration is what a JobEvent or a DatasetEvent contributes; job is zero for the latter.
type declaration struct {
	job          lineage.JobID
	contribution lineage.Contribution
}

const (
	// selectRunsOfEvents and selectDeclarations find events by their ids alone, which a hash index holds: hardly two
	// producers use one id.
	selectRunsOfEvents = `SELECT sought.producer, sought.event_id, e.run_key
		FROM unnest($2::text[], $3::text[]) AS sought(producer, event_id)
		CROSS JOIN LATERAL (
			SELECT run_key FROM run_event
			WHERE projection_id = $1 AND event_id = sought.event_id AND producer = sought.producer OFFSET 0
		) AS e`
	selectDeclarations = `SELECT d.* FROM unnest($2::text[], $3::text[]) AS sought(producer, event_id)
		CROSS JOIN LATERAL (
			SELECT job_namespace, job_name, event_time, effective_at, producer, event_id, contribution FROM declaration
			WHERE projection_id = $1 AND event_id = sought.event_id AND producer = sought.producer OFFSET 0
		) AS d`
	selectContributions = `SELECT e.* FROM unnest($2::uuid[]) AS sought(run_key)
		CROSS JOIN LATERAL (
			SELECT run_key, event_type, event_time, effective_at, producer, event_id, contribution FROM run_event
			WHERE projection_id = $1 AND run_key = sought.run_key AND event_type <> $3 OFFSET 0
		) AS e`
)

// runsOfEvents gives the run of each event that has been folded, by lineage.Sender.Hash.
func runsOfEvents(ctx context.Context, tx pgx.Tx, id ID, events []lineage.Sender) (map[lineage.Hash]lineage.Hash, error) {
	runs := map[lineage.Hash]lineage.Hash{}
	var event lineage.Sender
	var run lineage.Hash
	producers, eventIDs := columnsOf(events)
	rows, _ := tx.Query(ctx, selectRunsOfEvents, id, producers, eventIDs) // ForEachRow reports the error
	_, err := pgx.ForEachRow(rows, []any{&event.Producer, &event.EventID, &run}, func() error {
		runs[event.Hash()] = run
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("find the runs of withdrawn events: %w", err)
	}
	return runs, nil
}

// loadDeclarations gives what each event declared that has been folded, by lineage.Sender.Hash.
func loadDeclarations(ctx context.Context, tx pgx.Tx, id ID, events []lineage.Sender) (map[lineage.Hash]declaration, error) {
	producers, eventIDs := columnsOf(events)
	rows, _ := tx.Query(ctx, selectDeclarations, id, producers, eventIDs) // CollectRows reports the error
	found, err := pgx.CollectRows(rows, func(row pgx.CollectableRow) (d declaration, err error) {
		d.contribution, _, err = scanContribution(row, &d.job.Namespace, &d.job.Name)
		return d, err
	})
	if err != nil {
		return nil, fmt.Errorf("read withdrawn declarations: %w", err)
	}
	declarations := make(map[lineage.Hash]declaration, len(found))
	for _, d := range found {
		declarations[d.contribution.Sender.Hash()] = d
	}
	return declarations, nil
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

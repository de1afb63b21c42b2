package projection

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5"

	"github.com/headwater-data/headwater/lineage"
)

const (
	statedColumns = `log_offset, received_at, payload, job_namespace, job_name, event_time, effective_at, producer, event_id, contribution`

	// selectStated finds events by their ids alone, as selectTouched does.
	selectStated = `SELECT d.* FROM unnest($2::text[], $3::text[]) AS sought(producer, event_id)
		CROSS JOIN LATERAL (
			SELECT ` + statedColumns + ` FROM declaration
			WHERE projection_id = $1 AND event_id = sought.event_id AND producer = sought.producer OFFSET 0
		) AS d`
	// selectRivals leaves out what does not count, unless it may do so after the batch.
	selectRivals = `SELECT ` + statedColumns + ` FROM declaration
		WHERE projection_id = $1 AND about = ANY($2) AND (counts OR log_offset = ANY($3))`
)

// loadStated reads again what some events stated that are about no run.
func loadStated(ctx context.Context, tx pgx.Tx, id ID, names *lineage.NameRules, events []lineage.Sender) ([]fact, error) {
	producers, eventIDs := columnsOf(events)
	return queryStated(ctx, tx, names, selectStated, id, producers, eventIDs)
}

// loadRivals reads the facts about some things, of each of which the latest holds.
func loadRivals(ctx context.Context, tx pgx.Tx, id ID, names *lineage.NameRules, about []lineage.Hash, touched []int64) (map[lineage.Hash][]fact, error) {
	rivals := make(map[lineage.Hash][]fact, len(about))
	if len(about) == 0 {
		return rivals, nil
	}
	facts, err := queryStated(ctx, tx, names, selectRivals, id, about, touched)
	for _, f := range facts {
		rivals[f.about] = append(rivals[f.about], f)
	}
	return rivals, err
}

func queryStated(ctx context.Context, tx pgx.Tx, names *lineage.NameRules, query string, args ...any) ([]fact, error) {
	rows, _ := tx.Query(ctx, query, args...) // CollectRows reports the error
	facts, err := pgx.CollectRows(rows, func(row pgx.CollectableRow) (fact, error) { return scanStated(row, names) })
	if err != nil {
		return nil, fmt.Errorf("read what withdrawn events stated: %w", err)
	}
	return facts, nil
}

// scanStated gives the fact that was folded, without what has been stored of it for good.
func scanStated(row pgx.CollectableRow, names *lineage.NameRules) (fact, error) {
	f := fact{event: lineage.Event{Kind: lineage.DatasetEvent}}
	var payload []byte
	var err error
	f.contribution, _, err = scanContribution(row, &f.entry.Offset, &f.entry.ReceivedAt, &payload, &f.event.Job.Namespace, &f.event.Job.Name)
	if err != nil {
		return f, err
	}
	f.entry.Producer, f.entry.EventID, f.event.EventTime = f.contribution.Producer, f.contribution.EventID, f.contribution.EventTime
	if payload == nil {
		if f.event.Job != (lineage.JobID{}) {
			f.event.Kind = lineage.JobEvent
		}
		f.declared = declaredBy(f, names)
		return f, nil
	}
	f.entry.Format, f.entry.Payload = lineage.FormatPlatform, payload
	if f.entry.Content, err = lineage.ContentHash(payload); err != nil {
		return f, err
	}
	f = readFact(f.entry, names)
	return f, f.err
}

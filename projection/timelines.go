package projection

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/headwater-data/headwater/lineage"
)

// writeRow is a row of table write.
type writeRow struct {
	statementKey // the first statement
	flow         lineage.Hash
	output       lineage.NodeID
	origin       lineage.Origin
	to           time.Time
}

// foldedTimelines are the windows on the timelines that a batch touches.
type foldedTimelines map[lineage.Hash]*lineage.Timeline

// selectMarks reads, of each touched timeline, the window that lineage.Timeline asks for: the statement before the
// first change, those between, the next one, and the next one that speaks.
const selectMarks = `
	SELECT touched.timeline_id, s.effective_at, s.statement_key, s.flow_id, s.speaks
	FROM unnest($2::uuid[], $3::timestamptz[], $4::uuid[], $5::timestamptz[], $6::uuid[])
		AS touched(timeline_id, first_at, first_key, last_at, last_key)
	CROSS JOIN LATERAL (
		(SELECT effective_at, statement_key, flow_id, speaks FROM statement
		WHERE projection_id = $1 AND timeline_id = touched.timeline_id AND recorded_to = ` + openEnd + `
			AND (effective_at, statement_key) < (first_at, first_key)
		ORDER BY effective_at DESC, statement_key DESC LIMIT 1)
		UNION
		(SELECT effective_at, statement_key, flow_id, speaks FROM statement
		WHERE projection_id = $1 AND timeline_id = touched.timeline_id AND recorded_to = ` + openEnd + `
			AND (effective_at, statement_key) BETWEEN (first_at, first_key) AND (last_at, last_key))
		UNION
		(SELECT effective_at, statement_key, flow_id, speaks FROM statement
		WHERE projection_id = $1 AND timeline_id = touched.timeline_id AND recorded_to = ` + openEnd + `
			AND (effective_at, statement_key) > (last_at, last_key)
		ORDER BY effective_at, statement_key LIMIT 1)
		UNION
		(SELECT effective_at, statement_key, flow_id, speaks FROM statement
		WHERE projection_id = $1 AND timeline_id = touched.timeline_id AND recorded_to = ` + openEnd + `
			AND (effective_at, statement_key) > (last_at, last_key) AND speaks
		ORDER BY effective_at, statement_key LIMIT 1)
	) AS s`

// selectWrites reads the writes that may cover a window; lineage.NewTimeline keeps those that do.
const selectWrites = `
	SELECT w.timeline_id, w.flow_id, w.valid_from, w.first_key, w.valid_to
	FROM unnest($2::uuid[], $3::timestamptz[], $4::timestamptz[]) AS touched(timeline_id, first_at, last_at)
	CROSS JOIN LATERAL (
		SELECT * FROM write
		WHERE projection_id = $1 AND timeline_id = touched.timeline_id AND recorded_to = ` + openEnd + `
			AND valid_from <= touched.last_at AND valid_to >= touched.first_at
		OFFSET 0
	) AS w`

// openEnd is lineage.OpenEnd in SQL.
const openEnd = "9223372036854775807"

func loadTimelines(ctx context.Context, tx pgx.Tx, id ID, changes []statementChange) (foldedTimelines, error) {
	marks, err := loadMarks(ctx, tx, id, changes)
	if err != nil {
		return nil, err
	}
	writes, err := loadWrites(ctx, tx, id, marks)
	if err != nil {
		return nil, err
	}
	timelines := make(foldedTimelines, len(changes))
	for _, change := range changes {
		if timelines[change.timeline] != nil {
			continue
		}
		timelines[change.timeline] = lineage.NewTimeline(marks[change.timeline], writes[change.timeline])
	}
	return timelines, nil
}

func loadMarks(ctx context.Context, tx pgx.Tx, id ID, changes []statementChange) (map[lineage.Hash][]lineage.Mark, error) {
	type span struct{ first, last statementRow }
	spans := map[lineage.Hash]*span{}
	for _, change := range changes {
		for _, rows := range [][]statementRow{change.removed, change.added} {
			for _, row := range rows {
				s, ok := spans[change.timeline]
				if !ok {
					s = &span{row, row}
					spans[change.timeline] = s
				}
				if compareRows(row, s.first) < 0 {
					s.first = row
				}
				if compareRows(row, s.last) > 0 {
					s.last = row
				}
			}
		}
	}
	var timelines, firstKeys, lastKeys []lineage.Hash
	var firstAt, lastAt []time.Time
	for timeline, s := range spans {
		timelines = append(timelines, timeline)
		firstAt, firstKeys = append(firstAt, s.first.moment().EffectiveAt), append(firstKeys, s.first.key)
		lastAt, lastKeys = append(lastAt, s.last.moment().EffectiveAt), append(lastKeys, s.last.key)
	}
	rows, err := tx.Query(ctx, selectMarks, id, timelines, firstAt, firstKeys, lastAt, lastKeys)
	if err != nil {
		return nil, fmt.Errorf("read statements: %w", err)
	}
	defer rows.Close()
	marks := map[lineage.Hash][]lineage.Mark{}
	for rows.Next() {
		var timeline lineage.Hash
		var mark lineage.Mark
		if err := rows.Scan(&timeline, &mark.EffectiveAt, &mark.Key, &mark.Flow, &mark.Speaks); err != nil {
			return nil, fmt.Errorf("read statement: %w", err)
		}
		mark.EffectiveAt = mark.EffectiveAt.UTC()
		marks[timeline] = append(marks[timeline], mark)
	}
	return marks, rows.Err()
}

func loadWrites(ctx context.Context, tx pgx.Tx, id ID, marks map[lineage.Hash][]lineage.Mark) (map[lineage.Hash][]lineage.Write, error) {
	var timelines []lineage.Hash
	var firstAt, lastAt []time.Time
	for timeline, window := range marks {
		first, last := window[0].EffectiveAt, window[0].EffectiveAt
		for _, mark := range window {
			if mark.EffectiveAt.Before(first) {
				first = mark.EffectiveAt
			}
			if mark.EffectiveAt.After(last) {
				last = mark.EffectiveAt
			}
		}
		timelines, firstAt, lastAt = append(timelines, timeline), append(firstAt, first), append(lastAt, last)
	}
	rows, err := tx.Query(ctx, selectWrites, id, timelines, firstAt, lastAt)
	if err != nil {
		return nil, fmt.Errorf("read writes: %w", err)
	}
	defer rows.Close()
	writes := map[lineage.Hash][]lineage.Write{}
	for rows.Next() {
		var timeline lineage.Hash
		var write lineage.Write
		if err := rows.Scan(&timeline, &write.Flow, &write.From.EffectiveAt, &write.From.Key, &write.To); err != nil {
			return nil, fmt.Errorf("read write: %w", err)
		}
		write.From.EffectiveAt, write.To = write.From.EffectiveAt.UTC(), write.To.UTC()
		writes[timeline] = append(writes[timeline], write)
	}
	return writes, rows.Err()
}

// fold takes in one change and notes which rows it closes and opens.
func (t foldedTimelines) fold(change statementChange, changes *changes) {
	var removed []lineage.Moment
	for _, row := range change.removed {
		changes.statementRows.close(row.statementKey, change.at)
		removed = append(removed, row.moment())
	}
	var added []lineage.Mark
	for _, row := range change.added {
		changes.statementRows.open(row.statementKey, row, change.at)
		added = append(added, row.mark())
	}
	statement := slices.Concat(change.added, change.removed)[0] // all are of one output and origin
	closed, opened := t[change.timeline].Change(removed, added)
	if changes.rewritten == nil {
		changes.rewritten = map[lineage.Hash]bool{}
	}
	for _, write := range closed {
		changes.rewritten[write.Flow] = true
		changes.writes.close(writeKey(change.timeline, write), change.at)
	}
	for _, write := range opened {
		changes.rewritten[write.Flow] = true
		key := writeKey(change.timeline, write)
		changes.writes.open(key, writeRow{key, write.Flow, statement.output, statement.origin, write.To}, change.at)
	}
}

func writeKey(timeline lineage.Hash, write lineage.Write) statementKey {
	return statementKey{timeline, write.From.EffectiveAt.UnixMicro(), write.From.Key}
}

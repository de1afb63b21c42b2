package projection

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/headwater-data/headwater/lineage"
)

// selectMarks reads, of each touched timeline, the window that lineage.Timeline asks for: the statement before the
// first change, those between, the next one, and the next one that speaks.
const selectMarks = `
	SELECT touched.timeline_id, s.effective_at, s.statement_key, s.content_id, s.speaks, s.valid_until
	FROM unnest($2::uuid[], $3::timestamptz[], $4::uuid[], $5::timestamptz[], $6::uuid[])
		AS touched(timeline_id, first_at, first_key, last_at, last_key)
	CROSS JOIN LATERAL (
		(SELECT effective_at, statement_key, content_id, speaks, valid_until FROM statement
		WHERE projection_id = $1 AND timeline_id = touched.timeline_id AND recorded_to = ` + openEnd + `
			AND (effective_at, statement_key) < (first_at, first_key)
		ORDER BY effective_at DESC, statement_key DESC LIMIT 1)
		UNION
		(SELECT effective_at, statement_key, content_id, speaks, valid_until FROM statement
		WHERE projection_id = $1 AND timeline_id = touched.timeline_id AND recorded_to = ` + openEnd + `
			AND (effective_at, statement_key) BETWEEN (first_at, first_key) AND (last_at, last_key))
		UNION
		(SELECT effective_at, statement_key, content_id, speaks, valid_until FROM statement
		WHERE projection_id = $1 AND timeline_id = touched.timeline_id AND recorded_to = ` + openEnd + `
			AND (effective_at, statement_key) > (last_at, last_key)
		ORDER BY effective_at, statement_key LIMIT 1)
		UNION
		(SELECT effective_at, statement_key, content_id, speaks, valid_until FROM statement
		WHERE projection_id = $1 AND timeline_id = touched.timeline_id AND recorded_to = ` + openEnd + `
			AND (effective_at, statement_key) > (last_at, last_key) AND speaks
		ORDER BY effective_at, statement_key LIMIT 1)
	) AS s`

// selectWrites reads the writes that cover a window: the one in which it begins and those that begin within it.
const selectWrites = `
	SELECT touched.timeline_id, w.content_id, w.valid_from, w.first_key, coalesce(w.stated_from, w.valid_from), w.valid_to
	FROM unnest($2::uuid[], $3::timestamptz[], $4::uuid[], $5::timestamptz[]) AS touched(timeline_id, first_at, first_key, last_at)
	CROSS JOIN LATERAL (
		(SELECT * FROM write
		WHERE projection_id = $1 AND timeline_id = touched.timeline_id AND recorded_to = ` + openEnd + `
			AND (valid_from, first_key) <= (touched.first_at, touched.first_key)
		ORDER BY valid_from DESC, first_key DESC LIMIT 1)
		UNION ALL
		(SELECT * FROM write
		WHERE projection_id = $1 AND timeline_id = touched.timeline_id AND recorded_to = ` + openEnd + `
			AND (valid_from, first_key) > (touched.first_at, touched.first_key) AND valid_from <= touched.last_at)
	) AS w
	WHERE w.valid_to >= touched.first_at`

const (
	// selectRolledBack finds the timelines for which a window is not enough: a roll-back ended a statement within it or
	// later. The index holds only what was ended.
	selectRolledBack = `
	SELECT touched.timeline_id
	FROM unnest($2::uuid[], $3::timestamptz[], $4::uuid[]) AS touched(timeline_id, first_at, first_key)
	WHERE EXISTS (
		SELECT FROM statement WHERE projection_id = $1 AND timeline_id = touched.timeline_id
			AND valid_until < ` + forever + ` AND recorded_to = ` + openEnd + `
			AND valid_until >= coalesce((
				SELECT effective_at FROM statement
				WHERE projection_id = $1 AND timeline_id = touched.timeline_id AND recorded_to = ` + openEnd + `
					AND (effective_at, statement_key) < (first_at, first_key)
				ORDER BY effective_at DESC, statement_key DESC LIMIT 1), '-infinity'))`

	selectAllMarks = `SELECT timeline_id, effective_at, statement_key, content_id, speaks, valid_until FROM statement
		WHERE projection_id = $1 AND timeline_id = ANY($2) AND recorded_to = ` + openEnd

	selectAllWrites = `SELECT timeline_id, content_id, valid_from, first_key, coalesce(stated_from, valid_from), valid_to FROM write
		WHERE projection_id = $1 AND timeline_id = ANY($2) AND recorded_to = ` + openEnd
)

// forever is lineage.Forever in SQL.
const forever = "'9999-12-31 23:59:59+00'::timestamptz"

// openEnd is lineage.OpenEnd in SQL.
const openEnd = "9223372036854775807"

func loadMarks(ctx context.Context, tx pgx.Tx, id ID, windows map[lineage.Hash]*window) (map[lineage.Hash][]lineage.Mark, error) {
	var timelines, firstKeys, lastKeys []lineage.Hash
	var firstAt, lastAt []time.Time
	for timeline, s := range windows {
		timelines = append(timelines, timeline)
		firstAt, firstKeys = append(firstAt, s.first.moment().EffectiveAt), append(firstKeys, s.first.key)
		lastAt, lastKeys = append(lastAt, s.last.moment().EffectiveAt), append(lastKeys, s.last.key)
	}
	return queryMarks(ctx, tx, selectMarks, id, timelines, firstAt, firstKeys, lastAt, lastKeys)
}

func queryMarks(ctx context.Context, tx pgx.Tx, query string, args ...any) (map[lineage.Hash][]lineage.Mark, error) {
	rows, err := tx.Query(ctx, query, args...)
	if err != nil {
		return nil, fmt.Errorf("read statements: %w", err)
	}
	defer rows.Close()
	marks := map[lineage.Hash][]lineage.Mark{}
	for rows.Next() {
		var timeline lineage.Hash
		var mark lineage.Mark
		if err := rows.Scan(&timeline, &mark.EffectiveAt, &mark.Key, &mark.Content, &mark.Speaks, &mark.Until); err != nil {
			return nil, fmt.Errorf("read statement: %w", err)
		}
		mark.EffectiveAt, mark.Until = mark.EffectiveAt.UTC(), mark.Until.UTC()
		marks[timeline] = append(marks[timeline], mark)
	}
	return marks, rows.Err()
}

func loadWrites(ctx context.Context, tx pgx.Tx, id ID, marks map[lineage.Hash][]lineage.Mark) (map[lineage.Hash][]lineage.Write, error) {
	var timelines, firstKeys []lineage.Hash
	var firstAt, lastAt []time.Time
	compare := func(a, b lineage.Mark) int { return a.Moment.Compare(b.Moment) }
	for timeline, window := range marks {
		first, last := slices.MinFunc(window, compare), slices.MaxFunc(window, compare)
		timelines, lastAt = append(timelines, timeline), append(lastAt, last.EffectiveAt)
		firstAt, firstKeys = append(firstAt, first.EffectiveAt), append(firstKeys, first.Key)
	}
	return queryWrites(ctx, tx, selectWrites, id, timelines, firstAt, firstKeys, lastAt)
}

func queryWrites(ctx context.Context, tx pgx.Tx, query string, args ...any) (map[lineage.Hash][]lineage.Write, error) {
	rows, err := tx.Query(ctx, query, args...)
	if err != nil {
		return nil, fmt.Errorf("read writes: %w", err)
	}
	defer rows.Close()
	writes := map[lineage.Hash][]lineage.Write{}
	for rows.Next() {
		var timeline lineage.Hash
		var write lineage.Write
		if err := rows.Scan(&timeline, &write.Content, &write.From.EffectiveAt, &write.From.Key, &write.Since, &write.To); err != nil {
			return nil, fmt.Errorf("read write: %w", err)
		}
		write.From.EffectiveAt, write.Since, write.To = write.From.EffectiveAt.UTC(), write.Since.UTC(), write.To.UTC()
		writes[timeline] = append(writes[timeline], write)
	}
	return writes, rows.Err()
}

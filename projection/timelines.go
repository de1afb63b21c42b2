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
	level        lineage.Level
	content      lineage.Hash
	// job is zero where the timeline belongs to none.
	job    lineage.Hash
	output lineage.NodeID
	origin lineage.Origin
	// since is before the write begins where a roll-back uncovered an earlier statement.
	since time.Time
	to    time.Time
}

// uncovered is column stated_from.
func (w writeRow) uncovered() *time.Time {
	if !w.since.Before(w.moment().EffectiveAt) {
		return nil
	}
	return &w.since
}

// foldedTimelines are the windows on the timelines that a batch touches.
type foldedTimelines map[lineage.Hash]*lineage.Timeline

func loadTimelines(ctx context.Context, tx pgx.Tx, id ID, changes []statementChange) (foldedTimelines, error) {
	windows := windowsOf(changes)
	whole, err := rolledBack(ctx, tx, id, windows)
	if err != nil {
		return nil, err
	}
	timelines := make(foldedTimelines, len(windows))
	if err := timelines.loadWhole(ctx, tx, id, whole); err != nil {
		return nil, err
	}
	for _, timeline := range whole {
		delete(windows, timeline)
	}
	return timelines, timelines.loadWindows(ctx, tx, id, windows)
}

// window is what a batch touches of one timeline.
type window struct {
	first, last statementRow
	// ended tells that one of the touched statements was or is ended by a roll-back.
	ended bool
}

func windowsOf(changes []statementChange) map[lineage.Hash]*window {
	windows := map[lineage.Hash]*window{}
	for _, change := range changes {
		for _, rows := range [][]statementRow{change.removed, change.added} {
			for _, row := range rows {
				s, ok := windows[change.timeline]
				if !ok {
					s = &window{first: row, last: row}
					windows[change.timeline] = s
				}
				if compareRows(row, s.first) < 0 {
					s.first = row
				}
				if compareRows(row, s.last) > 0 {
					s.last = row
				}
				s.ended = s.ended || row.validUntil().Before(lineage.Forever)
			}
		}
	}
	return windows
}

// rolledBack lists the timelines that must be read as a whole.
func rolledBack(ctx context.Context, tx pgx.Tx, id ID, windows map[lineage.Hash]*window) ([]lineage.Hash, error) {
	var whole, timelines, firstKeys []lineage.Hash
	var firstAt []time.Time
	for timeline, s := range windows {
		if s.ended {
			whole = append(whole, timeline)
			continue
		}
		timelines, firstAt, firstKeys = append(timelines, timeline), append(firstAt, s.first.moment().EffectiveAt), append(firstKeys, s.first.key)
	}
	rows, _ := tx.Query(ctx, selectRolledBack, id, timelines, firstAt, firstKeys) // CollectRows reports the error
	found, err := pgx.CollectRows(rows, pgx.RowTo[lineage.Hash])
	if err != nil {
		return nil, fmt.Errorf("find timelines with roll-backs: %w", err)
	}
	return append(whole, found...), nil
}

func (t foldedTimelines) loadWhole(ctx context.Context, tx pgx.Tx, id ID, timelines []lineage.Hash) error {
	if len(timelines) == 0 {
		return nil
	}
	marks, err := queryMarks(ctx, tx, selectAllMarks, id, timelines)
	if err != nil {
		return err
	}
	writes, err := queryWrites(ctx, tx, selectAllWrites, id, timelines)
	if err != nil {
		return err
	}
	for _, timeline := range timelines {
		t[timeline] = lineage.NewWholeTimeline(marks[timeline], writes[timeline])
	}
	return nil
}

func (t foldedTimelines) loadWindows(ctx context.Context, tx pgx.Tx, id ID, windows map[lineage.Hash]*window) error {
	marks, err := loadMarks(ctx, tx, id, windows)
	if err != nil {
		return err
	}
	writes, err := loadWrites(ctx, tx, id, marks)
	if err != nil {
		return err
	}
	for timeline := range windows {
		t[timeline] = lineage.NewTimeline(marks[timeline], writes[timeline])
	}
	return nil
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
	statement := slices.Concat(change.added, change.removed)[0] // all are of one level, job, output and origin
	closed, opened := t[change.timeline].Change(removed, added)
	for _, write := range closed {
		changes.writes.close(writeKey(change.timeline, write), change.at)
	}
	for _, write := range opened {
		key := writeKey(change.timeline, write)
		changes.writes.open(key, writeRow{
			statementKey: key, level: statement.level, content: write.Content, job: statement.job, output: statement.output,
			origin: statement.origin, since: write.Since, to: write.To,
		}, change.at)
	}
	if statement.level == lineage.FlowLevel {
		changes.noteRewritten(closed, change.at)
		changes.noteRewritten(opened, change.at)
	}
}

func writeKey(timeline lineage.Hash, write lineage.Write) statementKey {
	return statementKey{timeline, write.From.EffectiveAt.UnixMicro(), write.From.Key}
}

package projection

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/headwater-data/headwater/lineage"
)

// snapshotRow is a row of table declared_snapshot.
type snapshotRow struct {
	lineage.SnapshotScope
	*lineage.StoredSnapshot
	at lineage.Offset
}

// foldedSnapshots are, by scope, the snapshots that a batch brings and their neighbours. Nothing that a projection has
// stands between those of one scope, so that each finds its own neighbours among them.
type foldedSnapshots map[lineage.Hash]*lineage.SnapshotLine

// selectNeighbours reads the snapshots before and after the places where others come.
const selectNeighbours = `
	SELECT came.scope_id, s.effective_at, s.snapshot_key, s.producer, s.source_event,
		s.timelines, s.levels, s.jobs, s.outputs, s.contents
	FROM unnest($2::uuid[], $3::timestamptz[], $4::uuid[]) AS came(scope_id, at, key)
	CROSS JOIN LATERAL (
		(SELECT * FROM declared_snapshot
		WHERE projection_id = $1 AND scope_id = came.scope_id AND (effective_at, snapshot_key) < (came.at, came.key)
		ORDER BY effective_at DESC, snapshot_key DESC LIMIT 1)
		UNION ALL
		(SELECT * FROM declared_snapshot
		WHERE projection_id = $1 AND scope_id = came.scope_id AND (effective_at, snapshot_key) > (came.at, came.key)
		ORDER BY effective_at, snapshot_key LIMIT 1)
	) AS s`

func loadSnapshots(ctx context.Context, tx pgx.Tx, id ID, facts []fact) (foldedSnapshots, error) {
	var scopes, keys []lineage.Hash
	var times []time.Time
	for _, f := range facts {
		if snapshot, is := f.snapshot(); is {
			moment := f.moment()
			scopes = append(scopes, lineage.SnapshotScope{Producer: f.entry.Producer, Scope: snapshot.Scope}.ID())
			times, keys = append(times, moment.EffectiveAt), append(keys, moment.Key)
		}
	}
	if len(scopes) == 0 {
		return nil, nil
	}
	return queryNeighbours(ctx, tx, id, scopes, times, keys)
}

func queryNeighbours(ctx context.Context, tx pgx.Tx, id ID, scopes []lineage.Hash, times []time.Time, keys []lineage.Hash) (foldedSnapshots, error) {
	rows, err := tx.Query(ctx, selectNeighbours, id, scopes, times, keys)
	if err != nil {
		return nil, fmt.Errorf("read declared snapshots: %w", err)
	}
	defer rows.Close()
	snapshots := foldedSnapshots{}
	for _, scope := range scopes {
		snapshots[scope] = &lineage.SnapshotLine{}
	}
	for rows.Next() {
		var scope lineage.Hash
		var timelines, jobs, outputs, contents []lineage.Hash
		var levels []int16
		s := &lineage.StoredSnapshot{}
		err := rows.Scan(&scope, &s.EffectiveAt, &s.Moment.Key, &s.Producer, &s.EventID, &timelines, &levels, &jobs, &outputs, &contents)
		if err != nil {
			return nil, fmt.Errorf("read declared snapshot: %w", err)
		}
		s.EffectiveAt = s.EffectiveAt.UTC()
		s.Members = make([]lineage.Member, len(timelines))
		for i := range timelines {
			s.Members[i] = lineage.Member{
				Timeline: timelines[i], Level: lineage.Level(levels[i]), Job: jobs[i], Output: lineage.NodeID(outputs[i]), Content: contents[i],
			}
		}
		snapshots[scope].Insert(s) // two may have the same neighbour
	}
	return snapshots, rows.Err()
}

// snapshot is the one that an entry declares, if it does.
func (f fact) snapshot() (lineage.Snapshot, bool) {
	snapshot, is := f.event.Fact.(lineage.Snapshot)
	return snapshot, is
}

// fold takes in a snapshot and notes what it states and what it ends.
func (s foldedSnapshots) fold(f fact, changes *changes) {
	snapshot, is := f.snapshot()
	if !is {
		return
	}
	scope := lineage.SnapshotScope{Producer: f.entry.Producer, Scope: snapshot.Scope}
	stated := statementRows(f.declared, 0)
	stored := storedSnapshot(f, stated)
	begun, ceased, inserted := s[scope.ID()].Insert(stored)
	if !inserted {
		return
	}
	changes.snapshots = append(changes.snapshots, snapshotRow{scope, stored, f.entry.Offset})
	for _, dataset := range snapshot.Datasets {
		changes.addNamed(dataset.Node(), f)
	}
	for _, flow := range snapshot.Flows {
		changes.addNode(flow.Job.Node(), f.entry.Offset)
	}
	for _, ended := range begun {
		row := absenceRow(ended)
		stated[row.statementKey] = row
	}
	before := map[statementKey]statementRow{}
	for _, ended := range ceased {
		row := absenceRow(ended)
		before[row.statementKey] = row
	}
	changes.addStatements(f.entry.Offset, before, stated)
	changes.addFlows(f.declared, f.entry.Offset)
}

// storedSnapshot is what is kept of a snapshot that states rows.
func storedSnapshot(f fact, stated map[statementKey]statementRow) *lineage.StoredSnapshot {
	stored := &lineage.StoredSnapshot{
		Moment: f.moment(), Sender: f.sender(),
		Members: make([]lineage.Member, 0, len(stated)),
	}
	for _, row := range stated {
		stored.Members = append(stored.Members, lineage.Member{
			Timeline: row.timeline, Level: row.level, Job: row.job, Output: row.output, Content: row.content,
		})
	}
	slices.SortFunc(stored.Members, lineage.Member.Compare)
	return stored
}

// absenceRow states that nothing holds any more.
func absenceRow(ended lineage.Ended) statementRow {
	return statementRow{
		statementKey: statementKey{timeline: ended.Timeline, at: ended.At.EffectiveAt.UnixMicro(), key: ended.At.Moment.Key},
		level:        ended.Level, until: lineage.Forever.UnixMicro(), job: ended.Job, output: ended.Output, speaks: true,
		origin: lineage.Declared, derivation: lineage.ByManifest, sender: ended.At.Sender,
	}
}

const insertSnapshot = `INSERT INTO declared_snapshot (projection_id, scope_id, effective_at, snapshot_key, recorded_from, producer,
		scope, source_event, timelines, levels, jobs, outputs, contents)
	VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13)`

func (w *writer) queueSnapshots(snapshots []snapshotRow) {
	for _, s := range snapshots {
		w.batch.Queue(insertSnapshot, w.id, s.SnapshotScope.ID(), s.EffectiveAt, s.Moment.Key, int64(s.at), s.SnapshotScope.Producer, s.Scope, s.EventID,
			column(s.Members, func(m lineage.Member) lineage.Hash { return m.Timeline }),
			column(s.Members, func(m lineage.Member) int16 { return int16(m.Level) }),
			column(s.Members, func(m lineage.Member) lineage.Hash { return m.Job }),
			column(s.Members, func(m lineage.Member) lineage.Hash { return lineage.Hash(m.Output) }),
			column(s.Members, func(m lineage.Member) lineage.Hash { return m.Content }))
	}
}

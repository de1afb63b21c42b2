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

// selectNeighbours reads the snapshots before and after the places where others come, of those that count; $5 are the offsets
// of some to leave out.
const selectNeighbours = `
	SELECT came.scope_id, s.effective_at, s.snapshot_key, s.producer, s.source_event,
		s.timelines, s.levels, s.jobs, s.outputs, s.contents
	FROM unnest($2::uuid[], $3::timestamptz[], $4::uuid[]) AS came(scope_id, at, key)
	CROSS JOIN LATERAL (
		(SELECT * FROM declared_snapshot
		WHERE projection_id = $1 AND scope_id = came.scope_id AND counts AND recorded_from <> ALL($5) AND (effective_at, snapshot_key) < (came.at, came.key)
		ORDER BY effective_at DESC, snapshot_key DESC LIMIT 1)
		UNION ALL
		(SELECT * FROM declared_snapshot
		WHERE projection_id = $1 AND scope_id = came.scope_id AND counts AND recorded_from <> ALL($5) AND (effective_at, snapshot_key) > (came.at, came.key)
		ORDER BY effective_at, snapshot_key LIMIT 1)
	) AS s`

// loadSnapshots reads the neighbours of the snapshots among facts, which are those of the batch and those that it withdraws or
// restores.
func loadSnapshots(ctx context.Context, tx pgx.Tx, id ID, facts []fact, evidence *evidence) (foldedSnapshots, error) {
	var places snapshotPlaces
	for _, f := range facts {
		if snapshot, is := f.snapshot(); is {
			places.add(f.scope(snapshot).ID(), f.moment())
		}
	}
	if len(places.scopes) == 0 {
		return nil, nil
	}
	snapshots, err := queryNeighbours(ctx, tx, id, places, evidence.touchedOffsets())
	if err != nil {
		return nil, err
	}
	for _, f := range evidence.stated {
		if snapshot, is := f.snapshot(); is && evidence.counts(f.sender(), lineage.Hash{}) {
			snapshots[f.scope(snapshot).ID()].Insert(storedSnapshot(f, statementRows(f.declared, 0)))
		}
	}
	return snapshots, nil
}

// snapshotPlaces are where snapshots stand in their scopes.
type snapshotPlaces struct {
	scopes, keys []lineage.Hash
	times        []time.Time
}

func (p *snapshotPlaces) add(scope lineage.Hash, at lineage.Moment) {
	p.scopes, p.times, p.keys = append(p.scopes, scope), append(p.times, at.EffectiveAt), append(p.keys, at.Key)
}

func queryNeighbours(ctx context.Context, tx pgx.Tx, id ID, places snapshotPlaces, without []int64) (foldedSnapshots, error) {
	rows, err := tx.Query(ctx, selectNeighbours, id, places.scopes, places.times, places.keys, without)
	if err != nil {
		return nil, fmt.Errorf("read declared snapshots: %w", err)
	}
	defer rows.Close()
	snapshots := foldedSnapshots{}
	for _, scope := range places.scopes {
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

// scope is that of a snapshot which the entry declares.
func (f fact) scope(snapshot lineage.Snapshot) lineage.SnapshotScope {
	return lineage.SnapshotScope{Producer: f.entry.Producer, Scope: snapshot.Scope}
}

// addSnapshot stores a snapshot, whether it counts or not.
func (c *changes) addSnapshot(f fact, snapshot lineage.Snapshot) {
	at := f.entry.Offset
	c.snapshots = append(c.snapshots, snapshotRow{f.scope(snapshot), storedSnapshot(f, statementRows(f.declared, 0)), at})
	for _, dataset := range snapshot.Datasets {
		c.addNamed(dataset.Node(), f)
	}
	for _, flow := range snapshot.Flows {
		c.addNode(flow.Job.Node(), at)
	}
	for i := range f.declared {
		if schema, ok := f.declared[i].Content.(*lineage.Schema); ok {
			c.addSchemas([]*lineage.Schema{schema}, at)
		}
	}
}

// state takes in a snapshot and notes what it states and what it ends.
func (s foldedSnapshots) state(f fact, at lineage.Offset, changes *changes) {
	snapshot, _ := f.snapshot()
	stated := statementRows(f.declared, 0)
	begun, ceased, inserted := s[f.scope(snapshot).ID()].Insert(storedSnapshot(f, stated))
	if !inserted {
		return
	}
	changes.addStatements(at, absences(ceased, nil), absences(begun, stated))
	changes.addFlows(f.declared, at)
}

// retract takes a snapshot away: what it ended goes on, and the next one ends what the one before stated.
func (s foldedSnapshots) retract(f fact, at lineage.Offset, changes *changes) {
	snapshot, _ := f.snapshot()
	begun, ceased, removed := s[f.scope(snapshot).ID()].Remove(f.moment())
	if removed {
		changes.addStatements(at, absences(ceased, statementRows(f.declared, 0)), absences(begun, nil))
	}
}

// absences adds, to the rows of what is stated, those of what ends.
func absences(ends []lineage.Ended, stated map[statementKey]statementRow) map[statementKey]statementRow {
	if stated == nil {
		stated = make(map[statementKey]statementRow, len(ends))
	}
	for _, ended := range ends {
		row := absenceRow(ended)
		stated[row.statementKey] = row
	}
	return stated
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
		scope, source_event, timelines, levels, jobs, outputs, contents, counts)
	VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14) ON CONFLICT DO NOTHING`

func (w *writer) queueSnapshots(snapshots []snapshotRow, evidence *evidence) {
	for _, s := range snapshots {
		w.batch.Queue(insertSnapshot, w.id, s.SnapshotScope.ID(), s.EffectiveAt, s.Moment.Key, int64(s.at), s.SnapshotScope.Producer, s.Scope, s.EventID,
			column(s.Members, func(m lineage.Member) lineage.Hash { return m.Timeline }),
			column(s.Members, func(m lineage.Member) int16 { return int16(m.Level) }),
			column(s.Members, func(m lineage.Member) lineage.Hash { return m.Job }),
			column(s.Members, func(m lineage.Member) lineage.Hash { return lineage.Hash(m.Output) }),
			column(s.Members, func(m lineage.Member) lineage.Hash { return m.Content }),
			evidence.counts(s.Sender, lineage.Hash{}))
	}
}

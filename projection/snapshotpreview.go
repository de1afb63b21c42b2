package projection

import (
	"bytes"
	"cmp"
	"context"
	"slices"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/headwater-data/headwater/lineage"
)

// SnapshotPreview compares a snapshot that is not stored with its neighbours in the active projection.
type SnapshotPreview struct {
	// PreviousAt and NextAt are when the snapshots before and after it were made; zero where there is none.
	PreviousAt, NextAt time.Time
	// Changes go by level, job and output.
	Changes   []SnapshotChange
	Unchanged int
	View      View
}

// SnapshotChange is a timeline in which a snapshot and the one before it state different things. Added and Removed are
// both false where both state something.
type SnapshotChange struct {
	Level          lineage.Level
	Added, Removed bool
	// Job is nil for a schema.
	Job    *lineage.Node
	Output lineage.Node
	// InputsAdded and InputsRemoved are set for a flow.
	InputsAdded, InputsRemoved []lineage.Node
}

// PreviewSnapshot compares what a snapshot would state at a time with what the one before it states, of the same
// producer and scope.
func (s *Store) PreviewSnapshot(ctx context.Context, producer string, snapshot lineage.Snapshot, effectiveAt time.Time) (SnapshotPreview, error) {
	scope := lineage.SnapshotScope{Producer: producer, Scope: snapshot.Scope}
	// Behind any that is stored of the same time, so that one that was declared already is compared with itself.
	moment := lineage.Moment{EffectiveAt: effectiveAt, Key: lastKey}
	var preview SnapshotPreview
	err := s.read(ctx, func(tx pgx.Tx, view View) error {
		preview.View = view
		names, err := s.names(ctx, tx, view.ID)
		if err != nil {
			return err
		}
		statements := snapshot.Under(names).Statements(moment, lineage.Sender{Producer: producer})
		var places snapshotPlaces
		places.add(scope.ID(), moment)
		lines, err := queryNeighbours(ctx, tx, view.ID, places, []int64{})
		if err != nil {
			return err
		}
		var before lineage.StoredSnapshot
		for _, neighbour := range *lines[scope.ID()] {
			if neighbour.Compare(moment) < 0 {
				before, preview.PreviousAt = *neighbour, neighbour.EffectiveAt
			} else {
				preview.NextAt = neighbour.EffectiveAt
			}
		}
		comparison := compareSnapshots(statements, before.Members)
		preview.Unchanged = comparison.unchanged
		preview.Changes, err = comparison.resolve(ctx, tx, view)
		return err
	})
	return preview, err
}

// lastKey is behind that of any event.
var lastKey = lineage.Hash(bytes.Repeat([]byte{0xff}, len(lineage.Hash{})))

// snapshotComparison is how statements differ from the members of an older snapshot.
type snapshotComparison struct {
	changes   []memberChange
	unchanged int
}

// memberChange has what is stated now, what was stated before, or both.
type memberChange struct {
	now    *lineage.Statement
	before *lineage.Member
}

func compareSnapshots(statements []lineage.Statement, members []lineage.Member) snapshotComparison {
	var c snapshotComparison
	stated := map[lineage.Hash]bool{}
	for i := range statements {
		now := &statements[i]
		timeline := now.TimelineID()
		stated[timeline] = true
		change := memberChange{now: now}
		if place, found := slices.BinarySearchFunc(members, lineage.Member{Timeline: timeline}, lineage.Member.Compare); found {
			change.before = &members[place]
			if change.before.Content == now.Content.ID() {
				c.unchanged++
				continue
			}
		}
		c.changes = append(c.changes, change)
	}
	for i := range members {
		if !stated[members[i].Timeline] {
			c.changes = append(c.changes, memberChange{before: &members[i]})
		}
	}
	return c
}

// resolve gives the changes with the names behind what was stated before.
func (c snapshotComparison) resolve(ctx context.Context, tx pgx.Tx, view View) ([]SnapshotChange, error) {
	var flows, ids []lineage.Hash
	for _, change := range c.changes {
		if change.before != nil {
			ids = append(ids, change.before.Job, lineage.Hash(change.before.Output))
			if change.before.Level == lineage.FlowLevel {
				flows = append(flows, change.before.Content)
			}
		}
	}
	inputs, err := selectInputs(ctx, tx, view.ID.in(selectFlowInputsOf), flows)
	if err != nil {
		return nil, err
	}
	for _, of := range inputs {
		for _, input := range of {
			ids = append(ids, lineage.Hash(input))
		}
	}
	known, err := selectNodes(ctx, tx, view.ID, ids)
	if err != nil {
		return nil, err
	}
	changes := make([]SnapshotChange, len(c.changes))
	for i, change := range c.changes {
		changes[i] = change.named(known, inputs)
	}
	slices.SortFunc(changes, compareChanges)
	return changes, nil
}

// named is the change with the names of what it is about.
func (m memberChange) named(known map[lineage.NodeID]nodeRecord, inputs map[lineage.Hash][]lineage.NodeID) SnapshotChange {
	change := SnapshotChange{Added: m.before == nil, Removed: m.now == nil}
	now, before := map[lineage.Node]bool{}, map[lineage.Node]bool{}
	if m.before != nil {
		change.Level, change.Output = m.before.Level, known[m.before.Output].Node
		if job, ofJob := known[lineage.NodeID(m.before.Job)]; ofJob {
			change.Job = &job.Node
		}
		for _, input := range inputs[m.before.Content] {
			before[known[input].Node] = true
		}
	}
	if m.now != nil {
		change.Level, change.Output = m.now.Content.Level(), m.now.Output
		if flow := m.now.Flow(); flow != nil {
			change.Job = new(m.now.Job.Node())
			for _, input := range flow.Inputs {
				now[input] = true
			}
		}
	}
	change.InputsAdded, change.InputsRemoved = nodesBeside(now, before), nodesBeside(before, now)
	return change
}

func compareChanges(a, b SnapshotChange) int {
	job := func(c SnapshotChange) lineage.Node {
		if c.Job == nil {
			return lineage.Node{}
		}
		return *c.Job
	}
	return cmp.Or(cmp.Compare(a.Level, b.Level), job(a).Compare(job(b)), a.Output.Compare(b.Output))
}

package lineage

import (
	"bytes"
	"slices"
)

// Member is a timeline that a snapshot states something in.
type Member struct {
	Timeline Hash
	Level    Level
	// Job is zero where the timeline belongs to none.
	Job    Hash
	Output NodeID
	// Content is what it states.
	Content Hash
}

// Compare orders members by timeline.
func (m Member) Compare(other Member) int { return bytes.Compare(m.Timeline[:], other.Timeline[:]) }

// Absence is the content of a statement that nothing holds any more.
type Absence Level

// ID is the zero Hash: an absence has no content.
func (Absence) ID() Hash { return Hash{} }

// Level implements Content.
func (a Absence) Level() Level { return Level(a) }

// StoredSnapshot is what the fold keeps of a snapshot: its place among those of its scope and what it states.
type StoredSnapshot struct {
	Moment
	Sender
	// Members are sorted by timeline.
	Members []Member
}

// Ends gives the members of the snapshot before that the snapshot leaves out: where there is one before, they end at
// its time. That is the law of snapshots. It looks at neighbours only, so that one that comes late changes what the
// next one ends and nothing beyond, and the order of arrival leaves no trace.
func (s *StoredSnapshot) Ends(before *StoredSnapshot) []Member {
	if before == nil {
		return nil
	}
	var ended []Member
	for _, member := range before.Members {
		if _, found := slices.BinarySearchFunc(s.Members, member, Member.Compare); !found {
			ended = append(ended, member)
		}
	}
	return ended
}

// SnapshotLine is the snapshots of one scope, or a stretch of them without a gap, in order.
type SnapshotLine []*StoredSnapshot

// Ended is a member that ends at a snapshot.
type Ended struct {
	Member
	At *StoredSnapshot
}

// Insert puts a snapshot in its place and tells which ends begin and which cease by that, beside what it states itself.
// One that stands there already changes nothing; the result is then not inserted.
func (l *SnapshotLine) Insert(s *StoredSnapshot) (begun, ceased []Ended, inserted bool) {
	i, found := l.find(s.Moment)
	if found {
		return nil, nil, false
	}
	*l = slices.Insert(*l, i, s)
	with, without := l.ends(i)
	return with, without, true
}

// Remove takes the snapshot of a moment away, and tells which ends begin and which cease by that, beside what it stated
// itself. Where none stands there nothing changes; the result is then not removed.
func (l *SnapshotLine) Remove(at Moment) (begun, ceased []Ended, removed bool) {
	i, found := l.find(at)
	if !found {
		return nil, nil, false
	}
	with, without := l.ends(i)
	*l = slices.Delete(*l, i, i+1)
	return without, with, true
}

func (l *SnapshotLine) find(at Moment) (int, bool) {
	return slices.BinarySearchFunc(*l, at, func(s *StoredSnapshot, at Moment) int { return s.Moment.Compare(at) })
}

// ends gives what ends at snapshot i and at the next one, as the line has them and as it would without snapshot i.
func (l *SnapshotLine) ends(i int) (with, without []Ended) {
	var before *StoredSnapshot
	if i > 0 {
		before = (*l)[i-1]
	}
	s := (*l)[i]
	with = endedAt(s, s.Ends(before))
	if i+1 < len(*l) {
		after := (*l)[i+1]
		with = append(with, endedAt(after, after.Ends(s))...)
		without = endedAt(after, after.Ends(before))
	}
	return with, without
}

func endedAt(at *StoredSnapshot, members []Member) []Ended {
	ended := make([]Ended, len(members))
	for i, member := range members {
		ended[i] = Ended{member, at}
	}
	return ended
}

package lineage_test

import (
	"encoding/json/v2"
	"errors"
	"slices"
	"strconv"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/headwater-data/headwater/lineage"
)

// shopSnapshot declares a -> b by job j, c by job k, and that job d uses b.
func shopSnapshot() lineage.Snapshot {
	dataset := func(name string, fields ...lineage.Field) lineage.SnapshotDataset {
		return lineage.SnapshotDataset{DatasetID: lineage.DatasetID{Namespace: "n", Name: name}, Fields: fields}
	}
	job := func(name string) lineage.JobID { return lineage.JobID{Namespace: "dbt", Name: name} }
	return lineage.Snapshot{
		Scope:    "dbt/shop/prod",
		Datasets: []lineage.SnapshotDataset{dataset("a"), dataset("b", lineage.Field{Name: "id", Type: "bigint"}), dataset("c")},
		Flows: []lineage.SnapshotFlow{
			{Job: job("j"), JobVersion: "1", Inputs: []int{0}, Outputs: []int{1}},
			{Job: job("k"), Outputs: []int{2}},
			{Job: job("d"), Inputs: []int{1}},
		},
	}
}

func readSnapshot(t *testing.T, snapshot lineage.Snapshot) (lineage.Event, error) {
	t.Helper()
	payload, err := lineage.EncodeFact(snapshot, lineage.Attribution{EventTime: tenOClock})
	require.NoError(t, err)
	return lineage.Decode(lineage.FormatPlatform, payload, lineage.DefaultLimits())
}

func TestSnapshotStatesWhatEachJobMakesOfWhat(t *testing.T) {
	event, err := readSnapshot(t, shopSnapshot())
	require.NoError(t, err)
	snapshot, ok := event.Fact.(lineage.Snapshot)
	require.True(t, ok)
	sender := lineage.Sender{Producer: "ci", EventID: "1"}
	statements := snapshot.Statements(lineage.Moment{EffectiveAt: event.EventTime, Key: lineage.HashOf("1")}, sender)
	require.Len(t, statements, 4)
	require.Equal(t, []string{"[d] <- b", "[k] -> c", "a -> b"}, sketch(statements[:3]))
	for _, s := range statements {
		require.Equal(t, lineage.Declared, s.Origin)
		require.Equal(t, lineage.ByManifest, s.Derivation)
		require.True(t, s.Speaks, "the author knows where there are no inputs")
		require.Equal(t, sender, s.Sender)
		require.Equal(t, tenOClock, s.EffectiveAt)
	}
	schema := statements[3]
	require.Equal(t, lineage.SchemaLevel, schema.Content.Level())
	require.Zero(t, schema.Job)
}

// sketch writes statements of flows for people, sorted.
func sketch(statements []lineage.Statement) []string {
	var list []string
	for _, s := range statements {
		inputs := s.Flow().Inputs
		switch {
		case s.Output.Kind == lineage.NodeJob:
			list = append(list, "["+s.Output.Name+"] <- "+inputs[0].Name)
		case len(inputs) == 0:
			list = append(list, "["+s.Job.Name+"] -> "+s.Output.Name)
		default:
			list = append(list, inputs[0].Name+" -> "+s.Output.Name)
		}
	}
	slices.Sort(list)
	return list
}

func TestSnapshotsOfTwoAuthorsAndScopesKeepTimelinesOfTheirOwn(t *testing.T) {
	timeline := func(producer, scope string) lineage.Hash {
		snapshot := shopSnapshot()
		snapshot.Scope = scope
		return snapshot.Statements(lineage.Moment{EffectiveAt: tenOClock}, lineage.Sender{Producer: producer})[0].TimelineID()
	}
	require.Equal(t, timeline("ci", "prod"), timeline("ci", "prod"))
	require.NotEqual(t, timeline("ci", "prod"), timeline("ci", "dev"))
	require.NotEqual(t, timeline("ci", "prod"), timeline("laptop", "prod"))
}

func TestSnapshotThatContradictsItselfIsRefused(t *testing.T) {
	for code, spoil := range map[string]func(*lineage.Snapshot){
		"missing_name":       func(s *lineage.Snapshot) { s.Scope = "" },
		"duplicate_dataset":  func(s *lineage.Snapshot) { s.Datasets[1] = s.Datasets[0] },
		"duplicate_job":      func(s *lineage.Snapshot) { s.Flows[1].Job = s.Flows[0].Job },
		"unknown_dataset":    func(s *lineage.Snapshot) { s.Flows[0].Inputs = []int{3} },
		"bad_fields":         func(s *lineage.Snapshot) { s.Datasets[0].Fields = []lineage.Field{{Name: ""}} },
		"bad_job_version":    func(s *lineage.Snapshot) { s.Flows[0].JobVersion = "\x00" },
		"snapshot_too_large": func(s *lineage.Snapshot) { s.Flows[0].Inputs = make([]int, lineage.MaxSnapshotEntries) },
	} {
		snapshot := shopSnapshot()
		spoil(&snapshot)
		_, err := readSnapshot(t, snapshot)
		invalid, ok := errors.AsType[*lineage.InvalidError](err)
		require.True(t, ok, "%s: %v", code, err)
		require.Equal(t, code, invalid.Code)
	}
}

func TestSnapshotWithoutATimeIsRefused(t *testing.T) {
	payload, err := json.Marshal(map[string]any{"type": "DeclaredSnapshot", "fact": shopSnapshot()})
	require.NoError(t, err)
	_, err = lineage.Decode(lineage.FormatPlatform, payload, lineage.DefaultLimits())
	require.ErrorContains(t, err, "eventTime")
}

// drawnLine draws the snapshots of one scope, each stating something in some of a few timelines.
var drawnLine = rapid.Custom(func(t *rapid.T) []*lineage.StoredSnapshot {
	line := make([]*lineage.StoredSnapshot, rapid.IntRange(1, 7).Draw(t, "snapshots"))
	for i := range line {
		id := strconv.Itoa(i)
		s := &lineage.StoredSnapshot{Moment: lineage.Moment{EffectiveAt: drawnTimes.Draw(t, "at"), Key: lineage.HashOf(id)}}
		for timeline := range byte(3) {
			if rapid.Bool().Draw(t, "states") {
				content := rapid.SampledFrom([]lineage.Hash{lineage.HashOf("a"), lineage.HashOf("b")}).Draw(t, "content")
				s.Members = append(s.Members, lineage.Member{Timeline: lineage.Hash{timeline + 1}, Content: content})
			}
		}
		line[i] = s
	}
	return line
})

// TestSnapshotsInAnyOrderLeaveWhatTheLatestOfEachTimeStates folds snapshots as a projection does and asks what holds.
func TestSnapshotsInAnyOrderLeaveWhatTheLatestOfEachTimeStates(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		snapshots := drawnLine.Draw(t, "line")
		var line lineage.SnapshotLine
		stores := map[lineage.Hash]*timelineStore{}
		change := func(timeline lineage.Hash, removed []lineage.Moment, added []lineage.Mark) {
			if stores[timeline] == nil {
				stores[timeline] = &timelineStore{}
			}
			store := stores[timeline]
			first, last := span([]timelineChange{{removed, added}})
			closed, opened := store.window(first, last).Change(removed, added)
			store.apply(t, timelineChange{removed, added}, closed, opened)
		}
		for _, s := range rapid.Permutation(snapshots).Draw(t, "arrival") {
			begun, ceased, inserted := line.Insert(s)
			require.True(t, inserted)
			for _, end := range ceased {
				change(end.Timeline, []lineage.Moment{end.At.Moment}, nil)
			}
			for _, end := range begun {
				change(end.Timeline, nil, []lineage.Mark{{Moment: end.At.Moment, Speaks: true, Until: lineage.Forever}})
			}
			for _, member := range s.Members {
				change(member.Timeline, nil, []lineage.Mark{{Moment: s.Moment, Content: member.Content, Speaks: true, Until: lineage.Forever}})
			}
			_, _, again := line.Insert(s)
			require.False(t, again)
		}
		for minute := range 7 {
			when := tenOClock.Add(time.Duration(minute) * time.Minute)
			for timeline := range byte(3) {
				var holds []lineage.Hash
				if store := stores[lineage.Hash{timeline + 1}]; store != nil {
					for _, write := range writtenAt(store.writes, when) {
						holds = append(holds, write.Content)
					}
				}
				require.Equal(t, statedBy(latestAt(snapshots, when), lineage.Hash{timeline + 1}), holds, "at minute %d", minute)
			}
		}
	})
}

// latestAt is the snapshot that holds at a time, or nil.
func latestAt(snapshots []*lineage.StoredSnapshot, when time.Time) *lineage.StoredSnapshot {
	var latest *lineage.StoredSnapshot
	for _, s := range snapshots {
		if !s.EffectiveAt.After(when) && (latest == nil || s.Compare(latest.Moment) > 0) {
			latest = s
		}
	}
	return latest
}

func statedBy(s *lineage.StoredSnapshot, timeline lineage.Hash) []lineage.Hash {
	if s == nil {
		return nil
	}
	for _, member := range s.Members {
		if member.Timeline == timeline {
			return []lineage.Hash{member.Content}
		}
	}
	return nil
}

func TestTablesOfASnapshotThatRulesUniteHaveTheFieldsOfTheFirstThatTellsThem(t *testing.T) {
	rules, err := lineage.NewNameRules(lineage.NameRuleSet{Namespaces: []lineage.NamespaceRule{{Namespace: "w", Case: lineage.CaseLower}}})
	require.NoError(t, err)
	dataset := func(name string, fields ...string) lineage.SnapshotDataset {
		d := lineage.SnapshotDataset{DatasetID: lineage.DatasetID{Namespace: "w", Name: name}}
		for _, field := range fields {
			d.Fields = append(d.Fields, lineage.Field{Name: field})
		}
		return d
	}
	s := lineage.Snapshot{Scope: "s", Datasets: []lineage.SnapshotDataset{dataset("T"), dataset("t", "id"), dataset("tT", "x"), dataset("TT", "y")}}
	var fields []string
	for _, d := range s.Under(rules).Datasets {
		for _, field := range d.Fields {
			fields = append(fields, d.Name+"."+field.Name)
		}
	}
	require.Equal(t, []string{"t.id", "tt.x"}, fields)
}

package projection_test

import (
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/headwater-data/headwater/lineage"
)

// model is one job of a project: what it makes of what.
type model struct {
	output string
	inputs []string
}

// snapshotOf declares models, each made by a job of its name.
func snapshotOf(scope string, models ...model) lineage.Snapshot {
	snapshot := lineage.Snapshot{Scope: scope}
	places := map[string]int{}
	place := func(name string) int {
		if _, known := places[name]; !known {
			places[name] = len(places)
			snapshot.Datasets = append(snapshot.Datasets, lineage.SnapshotDataset{DatasetID: lineage.DatasetID{Namespace: "warehouse", Name: name}})
		}
		return places[name]
	}
	for _, m := range models {
		flow := lineage.SnapshotFlow{Job: lineage.JobID{Namespace: "dbt", Name: "model." + m.output}, Outputs: []int{place(m.output)}}
		for _, input := range m.inputs {
			flow.Inputs = append(flow.Inputs, place(input))
		}
		snapshot.Flows = append(snapshot.Flows, flow)
	}
	return snapshot
}

// declare logs a snapshot that was made some minutes after noon.
func (b *bundle) declare(minute int, snapshot lineage.Snapshot) {
	payload, err := lineage.EncodeFact(snapshot, lineage.Attribution{EventTime: at(minute), By: "test"})
	require.NoError(b.t, err)
	b.logged(lineage.FormatPlatform, payload)
}

func TestDBTModelRemovedFromTheManifestEnds(t *testing.T) {
	b := setup(t)
	b.declare(0, snapshotOf("shop", model{"orders", []string{"raw"}}, model{"daily", []string{"orders"}}))
	b.declare(60, snapshotOf("shop", model{"orders", []string{"raw"}}))
	b.fold(b.active, 1)
	require.Equal(t, []string{"orders→daily", "raw→orders"}, b.upstreamAt(30, "daily"))
	require.Empty(t, b.upstreamAt(90, "daily"), "nor does it lapse: whoever declared it took it back")
	require.Equal(t, []string{"raw→orders"}, b.upstreamAt(90, "orders"))
}

func TestLateSnapshotEndsNothingThatANewerOneStates(t *testing.T) {
	b := setup(t)
	b.declare(60, snapshotOf("shop", model{"daily", []string{"orders"}}, model{"orders", []string{"raw"}}))
	b.declare(0, snapshotOf("shop", model{"orders", []string{"old"}}, model{"weekly", []string{"orders"}}))
	b.fold(b.active, 1)
	require.Equal(t, []string{"old→orders"}, b.upstreamAt(30, "orders"))
	require.Empty(t, b.upstreamAt(30, "daily"))
	require.Equal(t, []string{"orders→daily", "raw→orders"}, b.upstreamAt(90, "daily"))
	require.Equal(t, []string{"old→orders", "orders→weekly"}, b.upstreamAt(30, "weekly"))
	require.Empty(t, b.upstreamAt(90, "weekly"))
}

func TestSnapshotsOfOtherScopesLeaveEachOtherAlone(t *testing.T) {
	b := setup(t)
	b.declare(0, snapshotOf("prod", model{"daily", []string{"orders"}}))
	b.declare(10, snapshotOf("dev", model{"scratch", []string{"orders"}}))
	b.fold(b.active, 1)
	require.Equal(t, []string{"orders→daily"}, b.upstreamAt(90, "daily"))
}

func TestSnapshotLeavesWhatRunsDidAlone(t *testing.T) {
	b := setup(t)
	b.complete(story{run: "r", job: "model.daily", minute: 5, inputs: []string{"orders"}, outputs: []string{"daily"}})
	b.declare(0, snapshotOf("prod", model{"daily", []string{"customers"}}))
	b.declare(10, snapshotOf("prod", model{"weekly", []string{"customers"}}))
	b.fold(b.active, 1)
	require.Equal(t, []string{"orders→daily"}, b.upstreamAt(90, "daily"))
}

// TestSnapshotsGiveOneStateInAnyOrderAndOneHistoryHoweverTheLogIsCut shuffles snapshots of two scopes.
func TestSnapshotsGiveOneStateInAnyOrderAndOneHistoryHoweverTheLogIsCut(t *testing.T) {
	b := setup(t)
	random := rand.New(rand.NewPCG(11, 4))
	type declaration struct {
		minute   int
		snapshot lineage.Snapshot
	}
	var declarations []declaration
	for i := range 12 {
		var models []model
		for m := range 4 {
			if random.IntN(3) > 0 {
				models = append(models, model{fmt.Sprint("m", m), []string{fmt.Sprint("t", random.IntN(2))}})
			}
		}
		declarations = append(declarations, declaration{i / 2, snapshotOf([]string{"prod", "dev"}[random.IntN(2)], models...)})
	}
	var state string
	for round := range 4 {
		b.log = nil
		for _, d := range declarations {
			payload, err := lineage.EncodeFact(d.snapshot, lineage.Attribution{EventTime: at(d.minute)})
			require.NoError(t, err)
			b.log = append(b.log, entryOf(payload, lineage.FormatPlatform, lineage.Offset(len(b.log)+1), noon.Add(48*time.Hour)))
		}
		var history string
		for _, size := range []int{1, 5, 100} {
			shadow, err := b.store.Create(b.ctx, fmt.Sprintf("round-%d-%d", round, size), nil)
			require.NoError(t, err)
			b.fold(shadow.ID, size)
			got, err := b.store.Digest(b.ctx, shadow.ID)
			require.NoError(t, err)
			if state == "" {
				state = got.State
			}
			if history == "" {
				history = got.History
			}
			require.Equal(t, state, got.State, "round %d, batches of %d", round, size)
			require.Equal(t, history, got.History, "round %d, batches of %d", round, size)
		}
		random.Shuffle(len(declarations), func(i, j int) { declarations[i], declarations[j] = declarations[j], declarations[i] })
	}
}

func TestPreviewTellsWhatASnapshotWouldChange(t *testing.T) {
	b := setup(t)
	b.declare(0, snapshotOf("shop", model{"orders", []string{"raw"}}, model{"daily", []string{"orders"}}, model{"gone", []string{"orders"}}))
	b.fold(b.active, 1)
	next := snapshotOf("shop", model{"orders", []string{"raw"}}, model{"daily", []string{"customers"}}, model{"weekly", []string{"daily"}})
	preview, err := b.store.PreviewSnapshot(b.ctx, "test", next, at(60))
	require.NoError(t, err)
	require.Equal(t, at(0), preview.PreviousAt)
	require.Zero(t, preview.NextAt)
	require.Equal(t, 1, preview.Unchanged)
	var got []string
	for _, change := range preview.Changes {
		kind := "changed"
		switch {
		case change.Added:
			kind = "added"
		case change.Removed:
			kind = "removed"
		}
		got = append(got, fmt.Sprint(kind, " ", change.Job.Name, " ", change.Output.Name, " +", len(change.InputsAdded), " -", len(change.InputsRemoved)))
	}
	require.Equal(t, []string{
		"changed model.daily daily +1 -1", "removed model.gone gone +0 -1", "added model.weekly weekly +1 -0",
	}, got)

	first, err := b.store.PreviewSnapshot(b.ctx, "somebody else", next, at(60))
	require.NoError(t, err)
	require.Zero(t, first.PreviousAt, "snapshots of others are not compared with")
	require.Len(t, first.Changes, 3)
}

func TestSnapshotOverwritesNoManualStatement(t *testing.T) {
	b := setup(t)
	b.stateEdge(5, edge("upload", "daily"))
	b.declare(0, snapshotOf("prod", model{"daily", []string{"orders"}}))
	b.declare(10, snapshotOf("prod", model{"daily", []string{"orders"}}))
	b.jobEvent(20, "daily_job", []string{"customers"}, []string{"daily"})
	b.jobEvent(30, "daily_job", []string{"customers"}, []string{"daily"})
	b.declare(40, snapshotOf("prod", model{"weekly", []string{"orders"}}))
	b.fold(b.active, 1)
	require.Equal(t, []string{"customers→daily", "upload→daily"}, b.upstreamAt(90, "daily"))
}

func TestPreviewOfWhatWasDeclaredAlreadyChangesNothing(t *testing.T) {
	b := setup(t)
	snapshot := snapshotOf("shop", model{"orders", []string{"raw"}})
	b.declare(0, snapshot)
	b.fold(b.active, 1)
	preview, err := b.store.PreviewSnapshot(b.ctx, "test", snapshot, at(0))
	require.NoError(t, err)
	require.Equal(t, at(0), preview.PreviousAt)
	require.Zero(t, preview.NextAt)
	require.Empty(t, preview.Changes)
	require.Equal(t, 1, preview.Unchanged)
}

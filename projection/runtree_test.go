package projection_test

import (
	"encoding/json/v2"
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/headwater-data/headwater/lineage"
	"github.com/headwater-data/headwater/projection"
)

// under is an event of a run below others, and for a nominal time where minute is 0 or more.
func (b *bundle) under(run story, nominal int, parent, root *story) {
	facets := map[string]any{}
	reference := func(s *story) map[string]any {
		return map[string]any{"run": map[string]any{"runId": s.run}, "job": map[string]any{"namespace": "scheduler", "name": s.job}}
	}
	if parent != nil {
		named := reference(parent)
		if root != nil {
			named["root"] = reference(root)
		}
		facets["parent"] = named
	}
	if nominal >= 0 {
		facets["nominalTime"] = map[string]any{"nominalStartTime": at(nominal).Format(time.RFC3339)}
	}
	var members map[string]any
	require.NoError(b.t, json.Unmarshal(run.document(), &members))
	members["run"] = map[string]any{"runId": run.run, "facets": facets}
	document, err := json.Marshal(members, json.Deterministic(true))
	require.NoError(b.t, err)
	b.logged(lineage.FormatOpenLineage, document)
}

func (b *bundle) detail(s story) projection.RunDetail {
	b.t.Helper()
	detail, err := b.store.RunDetail(b.ctx, runKey(s).Hash())
	require.NoError(b.t, err)
	return detail
}

// outline writes a tree with an indent a level, and a question mark behind placeholders.
func outline(tree projection.RunTree) []string {
	var lines []string
	for _, run := range tree.Runs {
		line := fmt.Sprintf("%*s%s %s", 2*run.Depth, "", run.Key.RunID, run.State)
		if run.Placeholder {
			line += "?"
		}
		lines = append(lines, line)
	}
	return lines
}

var (
	dag    = story{run: "dag", job: "shop", kind: lineage.Start}
	task   = story{run: "task", job: "shop.load", kind: lineage.Start}
	action = story{run: "action", job: "spark.load", kind: lineage.Complete}
)

func TestTreeShowsMissingParentsAsPlaceholdersUntilTheyCome(t *testing.T) {
	b := setup(t)
	b.under(action, -1, &task, &dag)
	b.fold(b.active, 100)
	require.Equal(t, []string{"task UNKNOWN?", "  action COMPLETED"}, outline(b.detail(action).Tree))
	root := b.detail(dag)
	require.True(t, root.Placeholder(), "the root has a place as well")
	require.Equal(t, []string{"task UNKNOWN?", "  action COMPLETED"}, outline(b.detail(task).Tree))
	list, err := b.store.ListRuns(b.ctx, projection.RunFilter{Parent: new(runKey(task)), Limit: 10})
	require.NoError(t, err)
	require.Len(t, list.Runs, 1, "the children of a placeholder are listed")
	list, err = b.store.ListRuns(b.ctx, projection.RunFilter{Limit: 10})
	require.NoError(t, err)
	require.Len(t, list.Runs, 1, "a placeholder is not")

	b.under(task, -1, &dag, nil)
	b.under(dag, -1, nil, nil)
	b.fold(b.active, 100)
	for _, run := range []story{dag, task, action} {
		require.Equal(t, []string{"dag STARTED", "  task STARTED", "    action COMPLETED"}, outline(b.detail(run).Tree))
	}
	list, err = b.store.ListRuns(b.ctx, projection.RunFilter{Limit: 10})
	require.NoError(t, err)
	require.Equal(t, "dag", list.Runs[0].Key.RunID, "a run begins with its own first event")
}

func TestTreeIsTheSameWhicheverRunCameFirst(t *testing.T) {
	tell := []func(*bundle){
		func(b *bundle) { b.under(dag, -1, nil, nil) },
		func(b *bundle) { b.under(task, -1, &dag, nil) },
		func(b *bundle) { b.under(action, -1, &task, &dag) },
	}
	orders := [][]int{{0, 1, 2}, {2, 1, 0}, {1, 2, 0}}
	b := setup(t)
	var states []string
	for i, order := range orders {
		b.log = nil
		for _, run := range order {
			tell[run](b)
		}
		for j := range b.log {
			b.log[j].ReceivedAt = noon.Add(48 * time.Hour)
		}
		live, err := b.store.Create(b.ctx, fmt.Sprint("live-", i), nil)
		require.NoError(t, err)
		b.fold(live.ID, 1)
		replayed, err := b.store.Create(b.ctx, fmt.Sprint("replayed-", i), nil)
		require.NoError(t, err)
		b.fold(replayed.ID, 3)
		want, err := b.store.Digest(b.ctx, live.ID)
		require.NoError(t, err)
		got, err := b.store.Digest(b.ctx, replayed.ID)
		require.NoError(t, err)
		require.Equal(t, want, got, "%v", order)
		states = append(states, want.State)
	}
	require.Equal(t, states[0], states[1])
	require.Equal(t, states[0], states[2])
}

func TestCycleOfParentsIsCutAndFlagged(t *testing.T) {
	b := setup(t)
	b.under(dag, -1, &action, nil)
	b.under(task, -1, &dag, nil)
	b.under(action, -1, &task, nil)
	self := story{run: "self", job: "odd", kind: lineage.Start}
	b.under(self, -1, &self, nil)
	b.fold(b.active, 100)
	tree := b.detail(task).Tree
	require.True(t, tree.Cyclic)
	require.Equal(t, []string{"action COMPLETED", "  dag STARTED", "    task STARTED"}, outline(tree))
	require.True(t, b.detail(self).Tree.Cyclic)
	require.Len(t, b.detail(self).Tree.Runs, 1)
}

func TestTreeIsBounded(t *testing.T) {
	b := setup(t)
	for i := range 250 {
		b.under(story{run: fmt.Sprint("task-", i), job: "shop.load", kind: lineage.Start}, -1, &dag, nil)
	}
	b.fold(b.active, 1000)
	tree := b.detail(dag).Tree
	require.True(t, tree.Cut)
	require.Len(t, tree.Runs, 201)
}

func TestAttemptsAreTheRunsOfTheJobForTheSame(t *testing.T) {
	b := setup(t)
	first, retry := story{run: "try-1", job: "shop.load", kind: lineage.Fail}, story{run: "try-2", job: "shop.load", kind: lineage.Complete}
	b.under(first, 0, &dag, nil)
	b.under(retry, 0, &dag, nil)
	b.under(story{run: "yesterday", job: "shop.load", kind: lineage.Complete}, 1, &dag, nil)
	b.under(story{run: "other", job: "shop.check", kind: lineage.Complete}, 0, &dag, nil)
	b.under(story{run: "again-1", job: "alone", kind: lineage.Fail}, 0, nil, nil)
	b.under(story{run: "again-2", job: "alone", kind: lineage.Complete}, 0, nil, nil)
	b.under(story{run: "neither", job: "alone", kind: lineage.Complete}, -1, nil, nil)
	b.fold(b.active, 100)
	attempts := func(s story) []string {
		ids := []string{}
		for _, run := range b.detail(s).Attempts {
			ids = append(ids, run.Key.RunID)
		}
		return ids
	}
	require.Equal(t, []string{"try-2"}, attempts(first))
	require.Equal(t, []string{"try-1"}, attempts(retry))
	require.Equal(t, []string{"again-2"}, attempts(story{run: "again-1", job: "alone"}))
	require.Empty(t, attempts(story{run: "neither", job: "alone"}))
}

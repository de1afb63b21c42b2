package projection_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/headwater-data/headwater/lineage"
	"github.com/headwater-data/headwater/projection"
)

// tellTask tells of a task that runs an application, whose action and which itself copy in to out.
func tellTask(b *bundle, minute int) {
	run := func(name string) string { return fmt.Sprint(name, "-", minute) }
	task := story{run: run("t"), job: "task", minute: minute + 3, inputs: []string{"in"}, outputs: []string{"out"}}
	application := story{run: run("a"), job: "application", kind: lineage.Start, minute: minute, within: &task}
	b.tell(application)
	b.complete(story{run: run("x"), job: "action", minute: minute + 1, inputs: []string{"in"}, outputs: []string{"out"}, within: &application})
	b.complete(task)
}

// byJobs writes the edges of an answer with their jobs and those folded in.
func byJobs(answer projection.TraverseAnswer) []string {
	list := []string{}
	for _, edge := range answer.Edges {
		line := fmt.Sprintf("%s→%s by %s", edge.From.Name, edge.To.Name, edge.Job.Name)
		for _, job := range edge.Folded {
			line += " with " + job.Name
		}
		list = append(list, line)
	}
	return list
}

func TestCollapsedViewShowsOneEdgeWhereTaskAndActionSayTheSame(t *testing.T) {
	b := setup(t)
	tellTask(b, 1)
	b.fold(b.active, 100)
	r := request(dataset("out"), projection.Upstream)
	require.ElementsMatch(t, []string{"in→out by action", "in→out by task"}, byJobs(b.traverse(r)))
	r.Collapse = true
	require.Equal(t, []string{"in→out by task with action"}, byJobs(b.traverse(r)))
	r.Start, r.Directions = dataset("in"), []projection.Direction{projection.Downstream}
	require.Equal(t, []string{"in→out by task with action"}, byJobs(b.traverse(r)))

	r.Show = hiding("application")
	require.Len(t, b.traverse(r).Edges, 2, "what joins action and task is hidden")
	r.Show = hiding("task")
	require.Equal(t, []string{"in→out by action"}, byJobs(b.traverse(r)))
}

func TestCollapseGoesByWhatWasKnownOfParents(t *testing.T) {
	b := setup(t)
	task := story{run: "t", job: "task", minute: 3, inputs: []string{"in"}, outputs: []string{"out"}}
	action := story{run: "x", job: "action", minute: 1, inputs: []string{"in"}, outputs: []string{"out"}}
	b.complete(action)
	b.complete(task)
	before := lineage.Offset(len(b.log))
	action.kind, action.minute, action.within = lineage.Other, 0, &task
	b.tell(action)
	b.fold(b.active, 2)

	r := request(dataset("out"), projection.Upstream)
	r.Collapse = true
	require.Equal(t, []string{"in→out by task with action"}, byJobs(b.traverse(r)))
	r.RecordedAt = before
	require.Len(t, b.traverse(r).Edges, 2, "nobody had said yet what the action is part of")
}

func TestParentOfARunMayChange(t *testing.T) {
	b := setup(t)
	first, second := story{run: "p1", job: "first"}, story{run: "p2", job: "second"}
	child := story{run: "c", job: "child", kind: lineage.Running, minute: 1, within: &first}
	b.tell(child)
	child.minute, child.within = 2, &second
	b.tell(child)
	b.fold(b.active, 1)
	const query = `SELECT string_agg(recorded_from || '-' || nullif(recorded_to, 9223372036854775807), ' ' ORDER BY recorded_from) FROM run_parent`
	var rows *string
	require.NoError(t, b.pool.QueryRow(b.ctx, query).Scan(&rows))
	require.Equal(t, "1-2", *rows, "and one since 2")
}

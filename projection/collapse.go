package projection

import (
	"context"
	"fmt"
	"maps"
	"slices"

	"github.com/jackc/pgx/v5"

	"github.com/headwater-data/headwater/lineage"
)

// mostContainers is how many runs around a run are looked at. It also ends chains that bite their own tail.
const mostContainers = 16

// selectContainers finds, of runs $1, the jobs of the runs that they were part of at $2, the innermost first.
const selectContainers = `WITH RECURSIVE above AS (
		SELECT run_key AS run, parent_run_key AS parent, parent_job_id AS job, 1 AS level FROM run_parent_p{}
		WHERE projection_id = {} AND run_key = ANY($1) AND recorded_from <= $2 AND recorded_to > $2
		UNION ALL
		SELECT above.run, next.parent_run_key, next.parent_job_id, level + 1
		FROM above CROSS JOIN LATERAL (
			SELECT parent_run_key, parent_job_id FROM run_parent_p{}
			WHERE projection_id = {} AND run_key = above.parent AND recorded_from <= $2 AND recorded_to > $2
		) AS next
		WHERE level < $3
	)
	SELECT run, job FROM above ORDER BY run, level`

// collapse folds the edges of jobs into those of the jobs that they ran within, where both say the same.
func (w *walk) collapse(ctx context.Context) error {
	groups := parallel(w.edges)
	runs := map[lineage.Hash]bool{}
	for _, group := range groups {
		for _, i := range group {
			if w.edges[i].RunID != "" {
				runs[w.runs[i]] = true
			}
		}
	}
	if len(runs) == 0 {
		return nil
	}
	containers, err := w.containers(ctx, sortedKeys(runs))
	if err != nil {
		return err
	}
	within := make([][]lineage.JobID, len(w.edges))
	for i, run := range w.runs {
		within[i] = containers[run]
	}
	w.edges = collapsed(w.edges, groups, within)
	return nil
}

// parallel groups the edges that go from one node to another in the same way, where there are several; each is given by its
// index.
func parallel(edges []Edge) [][]int {
	type ends struct {
		from, to lineage.Node
		way      string
	}
	between := map[ends][]int{}
	for i, edge := range edges {
		of := ends{from: edge.From, to: edge.To}
		if len(edge.Transformations) > 0 {
			of.way = fmt.Sprint(edge.Transformations)
		}
		between[of] = append(between[of], i)
	}
	maps.DeleteFunc(between, func(_ ends, group []int) bool { return len(group) == 1 })
	return slices.Collect(maps.Values(between))
}

// containers gives the jobs that runs ran within, the innermost first, as far as the caller may see one after the other.
func (w *walk) containers(ctx context.Context, runs []lineage.Hash) (map[lineage.Hash][]lineage.JobID, error) {
	rows, _ := w.tx.Query(ctx, w.at.projection.in(selectContainers), runs, w.at.recordedAt, mostContainers) // ForEachRow reports the error
	chains := map[lineage.Hash][]lineage.NodeID{}
	var ids []lineage.NodeID
	var run, job lineage.Hash
	_, err := pgx.ForEachRow(rows, []any{&run, &job}, func() error {
		chains[run] = append(chains[run], lineage.NodeID(job))
		ids = append(ids, lineage.NodeID(job))
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("read what runs are part of: %w", err)
	}
	if err := w.learn(ctx, ids); err != nil {
		return nil, err
	}
	containers := make(map[lineage.Hash][]lineage.JobID, len(chains))
	for run, chain := range chains {
		for _, id := range chain {
			job := w.known[id]
			if !job.shown {
				break
			}
			containers[run] = append(containers[run], lineage.JobID{Namespace: job.Namespace, Name: job.Name})
		}
	}
	return containers, nil
}

// collapsed leaves out each edge that a parallel one says as well, whose job its run ran within. within are the jobs around
// the run of each edge. An edge that holds is not folded into one that lapsed, nor are jobs that claim to run within each
// other.
func collapsed(edges []Edge, groups [][]int, within [][]lineage.JobID) []Edge {
	folds := func(inner, outer int) bool {
		in, out := edges[inner], edges[outer]
		return in.Job != nil && out.Job != nil && *in.Job != *out.Job && (in.Lapsed || !out.Lapsed) &&
			slices.Equal(in.Transformations, out.Transformations) &&
			slices.Contains(within[inner], *out.Job) && !slices.Contains(within[outer], *in.Job)
	}
	folded := make([]bool, len(edges))
	inner := make([][]lineage.JobID, len(edges))
	for _, group := range groups {
		for _, i := range group {
			for _, o := range group {
				if folds(i, o) {
					folded[i] = true
					inner[o] = append(inner[o], *edges[i].Job)
				}
			}
		}
	}
	var left []Edge
	for i, edge := range edges {
		if !folded[i] {
			edge.Folded = slices.Compact(slices.SortedFunc(slices.Values(inner[i]), compareJobs))
			left = append(left, edge)
		}
	}
	return left
}

func compareJobs(a, b lineage.JobID) int { return a.Node().Compare(b.Node()) }

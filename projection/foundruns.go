package projection

import (
	"context"
	"slices"

	"github.com/jackc/pgx/v5"

	"github.com/headwater-data/headwater/lineage"
)

// foundRun is a row of selectFoundRuns.
type foundRun struct {
	lineage.RunKey
	placeholder bool
	// namedBy are the jobs whose runs name a placeholder.
	namedBy []lineage.Node
}

func scanFoundRun(row pgx.CollectableRow, runID string) (foundRun, error) {
	found := foundRun{RunKey: lineage.RunKey{RunID: runID}}
	var namespaces, names []string
	err := row.Scan(&found.Job.Namespace, &found.Job.Name, &found.placeholder, &namespaces, &names)
	for i := range namespaces {
		found.namedBy = append(found.namedBy, lineage.JobID{Namespace: namespaces[i], Name: names[i]}.Node())
	}
	return found, err
}

// shownRuns leaves out the runs that do not exist for a caller, and placeholders where there is anything else.
func shownRuns(ctx context.Context, found []foundRun, show Show) ([]lineage.RunKey, error) {
	if show != nil {
		var jobs []lineage.Node
		for _, run := range found {
			jobs = append(append(jobs, run.Job.Node()), run.namedBy...)
		}
		answers, err := show.ask(ctx, jobs)
		if err != nil {
			return nil, err
		}
		shown := make(map[lineage.Node]bool, len(jobs))
		for i, job := range jobs {
			shown[job] = answers[i]
		}
		found = slices.DeleteFunc(found, func(run foundRun) bool {
			return !shown[run.Job.Node()] || run.placeholder && !slices.ContainsFunc(run.namedBy, func(job lineage.Node) bool { return shown[job] })
		})
	}
	if slices.ContainsFunc(found, func(run foundRun) bool { return !run.placeholder }) {
		found = slices.DeleteFunc(found, func(run foundRun) bool { return run.placeholder })
	}
	return column(found, func(run foundRun) lineage.RunKey { return run.RunKey }), nil
}

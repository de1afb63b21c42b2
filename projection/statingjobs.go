package projection

import (
	"context"

	"github.com/headwater-data/headwater/lineage"
)

// What is said of a dataset, whoever writes it, stands in one timeline for all jobs. The job behind a statement is that of its
// run, or of the event that declares it.

// statingJob joins to a statement s the job behind it: r.job_id, or d.job_namespace and d.job_name, or none.
const statingJob = `LEFT JOIN run_p{} r ON r.projection_id = {} AND r.run_key = s.statement_key
		LEFT JOIN LATERAL (
			SELECT job_namespace, job_name FROM declaration_p{}
			WHERE event_id = s.source_event AND producer = s.producer AND s.run_id = '' LIMIT 1
		) d ON true`

// statingJobOf is a row of what statingJob joins.
type statingJobOf struct {
	Job             *lineage.Hash
	Namespace, Name *string
}

// id is false where no job is behind the statement.
func (j statingJobOf) id() (lineage.NodeID, bool) {
	switch {
	case j.Job != nil:
		return lineage.NodeID(*j.Job), true
	case j.Name != nil && *j.Name != "":
		return lineage.JobID{Namespace: *j.Namespace, Name: *j.Name}.Node().ID(), true
	default:
		return lineage.NodeID{}, false
	}
}

// shownJobs looks up the jobs behind statements, and tells of each whether the caller may see it. What has none is shown.
func (w *walk) shownJobs(ctx context.Context, jobs []statingJobOf) (func(statingJobOf) bool, error) {
	var ids []lineage.NodeID
	for _, job := range jobs {
		if id, is := job.id(); is {
			ids = append(ids, id)
		}
	}
	return func(job statingJobOf) bool {
		id, is := job.id()
		return !is || w.known[id].shown
	}, w.learn(ctx, ids)
}

package projection

import "github.com/headwater-data/headwater/lineage"

const (
	closeRunParent = `UPDATE run_parent SET recorded_to = $3 WHERE projection_id = $1 AND run_key = $2 AND recorded_to = ` + openEnd

	insertRunParents = `INSERT INTO run_parent (projection_id, run_key, recorded_from, recorded_to, parent_run_key, parent_job_id)
		SELECT $1, * FROM unnest($2::uuid[], $3::bigint[], $4::bigint[], $5::uuid[], $6::uuid[])`
)

// runParentRow is a row of table run_parent.
type runParentRow struct {
	run    lineage.Hash
	parent lineage.RunKey
}

// noteParent notes where the parent of a run is another one than before; none is the zero RunKey.
func (c *changes) noteParent(run lineage.Hash, before, after lineage.RunKey, at lineage.Offset) {
	if before == after {
		return
	}
	if before != (lineage.RunKey{}) {
		c.parents.close(run, at)
	}
	if after != (lineage.RunKey{}) {
		c.parents.open(run, runParentRow{run, after}, at)
	}
}

func (w *writer) queueRunParents(parents versions[lineage.Hash, runParentRow]) {
	for run, at := range parents.closed {
		w.batch.Queue(closeRunParent, w.id, run, int64(at))
	}
	opened := parents.opened
	if len(opened) == 0 {
		return
	}
	w.batch.Queue(insertRunParents, w.id,
		column(opened, func(v *version[runParentRow]) lineage.Hash { return v.row.run }),
		column(opened, func(v *version[runParentRow]) int64 { return int64(v.from) }),
		column(opened, func(v *version[runParentRow]) int64 { return int64(v.to) }),
		column(opened, func(v *version[runParentRow]) lineage.Hash { return v.row.parent.Hash() }),
		column(opened, func(v *version[runParentRow]) lineage.Hash { return lineage.Hash(v.row.parent.Job.Node().ID()) }))
}

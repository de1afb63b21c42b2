package projection

import (
	"context"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/headwater-data/headwater/lineage"
)

// selectNameChanges reads, at any valid time, when names $3 passed from one dataset to another: when they were created and
// dropped as such, and when datasets were renamed to them and away from them, with the other name, each with the job that says
// so. It reads what a renaming was to in place of what was said of existence.
const selectNameChanges = `
	SELECT s.output_id, s.content_id, NULL::uuid, s.effective_at, r.job_id, d.job_namespace, d.job_name
	FROM statement_p{} s ` + statingJob + `
	WHERE s.level = 5 AND s.output_id = ANY($3) AND s.valid_until > $1 AND s.recorded_from <= $2 AND s.recorded_to > $2
	UNION ALL
	SELECT a.name_id, NULL, a.dataset_id, s.effective_at, r.job_id, d.job_namespace, d.job_name
	FROM (
		SELECT name_id, dataset_id, content_id FROM alias_p{} WHERE name_id = ANY($3) AND source = 2
		UNION SELECT name_id, dataset_id, content_id FROM alias_p{} WHERE dataset_id = ANY($3) AND source = 2
	) AS a
	CROSS JOIN LATERAL (
		SELECT DISTINCT timeline_id FROM write_p{}
		WHERE level = 4 AND content_id = a.content_id AND recorded_from <= $2 AND recorded_to > $2 OFFSET 0
	) AS w
	CROSS JOIN LATERAL (
		SELECT * FROM statement_p{}
		WHERE projection_id = {} AND timeline_id = w.timeline_id AND content_id = a.content_id AND valid_until > $1
			AND recorded_from <= $2 AND recorded_to > $2 OFFSET 0
	) AS s ` + statingJob

// nameChange is a row of it.
type nameChange struct {
	node lineage.NodeID
	// life is what was said of the existence of node; nil where it was renamed to of.
	life *lineage.Hash
	of   lineage.NodeID
	at   time.Time
	by   statingJobOf
}

func scanNameChange(row pgx.CollectableRow) (c nameChange, err error) {
	var node lineage.Hash
	var of *lineage.Hash
	err = row.Scan(&node, &c.life, &of, &c.at, &c.by.Job, &c.by.Namespace, &c.by.Name)
	if c.node, c.at = lineage.NodeID(node), c.at.UTC(); of != nil {
		c.of = lineage.NodeID(*of)
	}
	return c, err
}

// learnNameChanges reads when the names of renamings passed from one dataset to another, as far as the caller may see both
// and the job that says so, and ends the renamings of which the old name was taken.
func (w *walk) learnNameChanges(ctx context.Context, claims []aliasClaim) error {
	asked := map[lineage.NodeID]bool{}
	for _, claim := range claims {
		for _, name := range []lineage.NodeID{claim.name, claim.of} {
			if _, known := w.changes[name]; claim.Source == lineage.ByRename && !known {
				asked[name] = true
			}
		}
	}
	if len(asked) > 0 {
		if err := w.selectNameChanges(ctx, sortedKeys(asked)); err != nil {
			return err
		}
	}
	for i := range claims {
		claim := &claims[i]
		claim.EndRename(w.changes[claim.name], w.changes[claim.of])
		if claim.Passed && !claim.To.After(w.at.validAt) && claim.To.After(w.passed[claim.name]) {
			w.passed[claim.name] = claim.To
		}
	}
	return nil
}

func (w *walk) selectNameChanges(ctx context.Context, names []lineage.NodeID) error {
	rows, _ := w.tx.Query(ctx, w.at.projection.in(selectNameChanges), w.at.validAt, w.at.recordedAt, hashesOf(names)) // CollectRows reports the error
	read, err := pgx.CollectRows(rows, scanNameChange)
	if err != nil {
		return fmt.Errorf("read when names passed from one dataset to another: %w", err)
	}
	var ends []lineage.NodeID
	for _, change := range read {
		if change.life == nil {
			ends = append(ends, change.node, change.of)
		}
	}
	if err := w.learn(ctx, ends); err != nil {
		return err
	}
	shown, err := w.shownJobs(ctx, column(read, func(c nameChange) statingJobOf { return c.by }))
	if err != nil {
		return err
	}
	changes := map[lineage.NodeID]*lineage.NameChanges{}
	for _, name := range names {
		changes[name] = &lineage.NameChanges{}
	}
	for _, change := range read {
		of, to := changes[change.node], changes[change.of]
		switch {
		case !shown(change.by):
		case change.life == nil && w.known[change.node].shown && w.known[change.of].shown:
			if of != nil {
				of.Left = append(of.Left, change.at)
			}
			if to != nil {
				to.Given = append(to.Given, change.at)
			}
		case change.life == nil:
		case *change.life == lineage.Created.ID():
			of.Created = append(of.Created, change.at)
		default:
			of.Dropped = append(of.Dropped, change.at)
		}
	}
	for name, of := range changes {
		w.changes[name] = *of
	}
	return nil
}

// beginTogether lets the names of one dataset begin when one of them did, where they were names of one before that: a path and
// the table at it pass to another dataset together.
func (w *walk) beginTogether(aliases []lineage.AliasClaim) {
	for changed := true; changed; {
		changed = false
		for _, alias := range aliases {
			name, of := alias.Name.Node().ID(), alias.Of.Node().ID()
			if w.began(of).After(w.began(name)) {
				name, of = of, name
			}
			if began := w.began(name); alias.Source != lineage.ByRename && began.After(w.began(of)) && began.After(alias.From) {
				w.passed[of], changed = began, true
			}
		}
	}
}

// began is since when a name has been that of the dataset that has it, or of none; zero where no other one is known to have
// had it.
func (w *walk) began(name lineage.NodeID) time.Time {
	began := w.changes[name].Began(w.at.validAt)
	if passed := w.passed[name]; passed.After(began) {
		return passed
	}
	return began
}

package projection

import (
	"context"
	"encoding/json/v2"
	"fmt"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/headwater-data/headwater/lineage"
)

// RunFilter says which runs to list: those for which all of it holds. What is nil or empty lets every run through.
type RunFilter struct {
	Job    *lineage.JobID
	Parent *lineage.RunKey
	States []lineage.RunState
	// Publications are those of which at least one output must have one.
	Publications []lineage.Publication
	// Since and Until let through the runs that began, by FirstEventAt, at Since or later and before Until. Zero: whenever.
	Since, Until time.Time
	// Before lets through the runs that stand behind a place in the list; nil: all.
	Before *RunPlace
	// Limit is how many runs to list at most.
	Limit int
}

// RunPlace is where a run stands in lists: by when it began and, among those that began together, by its first event's
// place in the log.
type RunPlace struct {
	BeganAt time.Time
	First   lineage.Offset
}

// RunList is one page of runs, those that began last first.
type RunList struct {
	Runs []lineage.Run
	// Next is Before of the next page; nil on the last.
	Next *RunPlace
	View View
}

// ListRuns lists runs of the active projection of which there is evidence that counts.
func (s *Store) ListRuns(ctx context.Context, filter RunFilter) (RunList, error) {
	var list RunList
	err := s.read(ctx, func(tx pgx.Tx, view View) error {
		list.View = view
		query, args := filter.query(view.ID)
		rows, err := tx.Query(ctx, query, args...)
		if err != nil {
			return err
		}
		defer rows.Close()
		var last RunPlace
		for rows.Next() {
			if len(list.Runs) == filter.Limit {
				list.Next = &last
				return nil
			}
			var body []byte
			var run lineage.Run
			var first lineage.Offset
			if err := rows.Scan(&body, &first); err != nil {
				return err
			}
			if err := json.Unmarshal(body, &run); err != nil {
				return err
			}
			list.Runs = append(list.Runs, run)
			last = RunPlace{run.FirstEventAt, first}
		}
		return rows.Err()
	})
	if err != nil {
		return RunList{}, fmt.Errorf("list runs: %w", err)
	}
	return list, nil
}

// beganAt is when the run's earliest event was, or nil for a run without evidence that counts.
func (r *foldedRun) beganAt() *time.Time {
	if r.run.Empty() {
		return nil
	}
	return &r.run.FirstEventAt
}

// publicationSet has bit n set for Publication n. It is stored.
type publicationSet int16

// notPublished are the publications of which run_not_published has the runs. The SQL repeats it.
const notPublished publicationSet = 120

func publicationSetOf(publications ...lineage.Publication) publicationSet {
	var set publicationSet
	for _, publication := range publications {
		set |= 1 << publication
	}
	return set
}

// publications are those that the outputs have.
func (r *foldedRun) publications() publicationSet {
	var set publicationSet
	for i := range r.run.Outputs {
		set |= publicationSetOf(r.run.Outputs[i].Publication)
	}
	return set
}

// query has a condition for what is asked and no other, so that each question gets the index that suits it.
func (f RunFilter) query(id ID) (string, []any) {
	conditions := []string{"projection_id = $1", "began_at IS NOT NULL"}
	args := []any{id}
	require := func(condition string, arg any) {
		args = append(args, arg)
		conditions = append(conditions, fmt.Sprintf(condition, len(args)))
	}
	if f.Before != nil {
		args = append(args, f.Before.BeganAt, f.Before.First)
		conditions = append(conditions, fmt.Sprintf("(began_at, first_offset) < ($%d, $%d)", len(args)-1, len(args)))
	}
	if !f.Since.IsZero() {
		require("began_at >= $%d", f.Since)
	}
	if !f.Until.IsZero() {
		require("began_at < $%d", f.Until)
	}
	if f.Job != nil {
		require("job_id = $%d", lineage.Hash(f.Job.Node().ID()))
	}
	if f.Parent != nil {
		require("parent_run_key = $%d", f.Parent.Hash())
	}
	if len(f.States) > 0 {
		require("state = ANY($%d)", f.States)
	}
	if asked := publicationSetOf(f.Publications...); asked != 0 {
		require("publications & $%d <> 0", int16(asked))
		switch {
		case asked&^notPublished == 0:
			conditions = append(conditions, "publications & 120 <> 0")
		case asked == publicationSetOf(lineage.Pending):
			conditions = append(conditions, "NOT settled")
		}
	}
	args = append(args, f.Limit+1) // the one more tells whether there is another page
	return fmt.Sprintf("SELECT body, first_offset FROM run WHERE %s ORDER BY began_at DESC, first_offset DESC LIMIT $%d",
		strings.Join(conditions, " AND "), len(args)), args
}

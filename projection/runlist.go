package projection

import (
	"context"
	"encoding/json/v2"
	"fmt"
	"slices"
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
	// Keep tells of runs whether they are listed, under the names that the projection gives; nil: all are. What it leaves out
	// takes no room in the page.
	Keep func(context.Context, *lineage.NameRules, []lineage.Run) ([]bool, error)
}

// runsAtATime is how many more runs are looked at in one round trip for a page that the first did not fill, and mostLookedAt
// about how many in all: a page that would need more is short, and has a next one.
const runsAtATime, mostLookedAt = 500, 10_000

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
		return list.fill(ctx, tx, filter)
	})
	if err != nil {
		return RunList{}, fmt.Errorf("list runs: %w", err)
	}
	return list, nil
}

// fill looks at runs until the page is full.
func (l *RunList) fill(ctx context.Context, tx pgx.Tx, filter RunFilter) error {
	var last RunPlace
	most := filter.Limit + 1 // the one more tells whether there is another page
	for looked := 0; ; most = runsAtATime {
		runs, places, err := filter.read(ctx, tx, l.View.ID, most)
		if err != nil {
			return err
		}
		keep := slices.Repeat([]bool{true}, len(runs))
		if filter.Keep != nil {
			if keep, err = filter.Keep(ctx, l.View.Names, runs); err != nil {
				return err
			}
		}
		for i, run := range runs {
			switch {
			case !keep[i]:
				continue
			case len(l.Runs) == filter.Limit:
				l.Next = &last
				return nil
			}
			l.Runs, last = append(l.Runs, run), places[i]
		}
		if len(runs) < most {
			return nil
		}
		filter.Before = &places[len(runs)-1]
		if looked += len(runs); looked > mostLookedAt {
			l.Next = filter.Before
			return nil
		}
	}
}

// read reads runs with their places.
func (f RunFilter) read(ctx context.Context, tx pgx.Tx, id ID, most int) ([]lineage.Run, []RunPlace, error) {
	query, args := f.query(id, most)
	rows, _ := tx.Query(ctx, query, args...) // CollectRows reports the error
	var places []RunPlace
	runs, err := pgx.CollectRows(rows, func(row pgx.CollectableRow) (run lineage.Run, err error) {
		var body []byte
		var first lineage.Offset
		if err := row.Scan(&body, &first); err != nil {
			return run, err
		}
		err = json.Unmarshal(body, &run)
		places = append(places, RunPlace{run.FirstEventAt, first})
		return run, err
	})
	return runs, places, err
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
func (f RunFilter) query(id ID, most int) (string, []any) {
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
	args = append(args, most)
	return fmt.Sprintf("SELECT body, first_offset FROM run WHERE %s ORDER BY began_at DESC, first_offset DESC LIMIT $%d",
		strings.Join(conditions, " AND "), len(args)), args
}

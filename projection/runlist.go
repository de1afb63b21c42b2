package projection

import (
	"context"
	"encoding/json/v2"
	"fmt"
	"strings"

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
	// Before lets through the runs whose first event lies before an offset; 0: all.
	Before lineage.Offset
	// Limit is how many runs to list at most.
	Limit int
}

// RunList is one page of runs, those that began last in the log first.
type RunList struct {
	Runs []lineage.Run
	// Next is Before of the next page; 0 on the last.
	Next lineage.Offset
	View View
}

// ListRuns lists runs of the active projection.
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
		for rows.Next() {
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
			list.Next = first
		}
		return rows.Err()
	})
	if err != nil {
		return RunList{}, fmt.Errorf("list runs: %w", err)
	}
	if len(list.Runs) < filter.Limit {
		list.Next = 0
	}
	return list, nil
}

// query has a condition for what is asked and no other, so that each question gets the index that suits it.
func (f RunFilter) query(id ID) (string, []any) {
	conditions := []string{"projection_id = $1"}
	args := []any{id}
	require := func(condition string, arg any) {
		args = append(args, arg)
		conditions = append(conditions, fmt.Sprintf(condition, len(args)))
	}
	if f.Before != 0 {
		require("first_offset < $%d", f.Before)
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
	if len(f.Publications) > 0 {
		require("EXISTS (SELECT FROM json_array_elements(body->'outputs') o WHERE (o->>'publication')::smallint = ANY($%d))", f.Publications)
	}
	args = append(args, f.Limit)
	return fmt.Sprintf("SELECT body, first_offset FROM run WHERE %s ORDER BY first_offset DESC LIMIT $%d",
		strings.Join(conditions, " AND "), len(args)), args
}

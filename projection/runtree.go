package projection

import (
	"context"
	"fmt"
	"slices"

	"github.com/jackc/pgx/v5"

	"github.com/headwater-data/headwater/lineage"
)

// Bounds of the part of a tree of runs that is shown around one.
const (
	maxAncestors      = 20
	maxDescendants    = 200
	maxDescendantWalk = 5 // levels below the run
)

// RunTree is the part of a tree of runs around one run.
type RunTree struct {
	// Runs are in the order of a walk from the top: those above the run, the run, those below it.
	Runs []TreeRun
	// Cyclic tells that following parents leads back to a run: the tree was cut there.
	Cyclic bool
	// Cut tells that more runs may belong to the tree than are in it.
	Cut bool
}

// TreeRun is a run in a tree.
type TreeRun struct {
	Key   lineage.RunKey
	State lineage.RunState
	// Placeholder tells that nothing of the run itself has come: others name it.
	Placeholder bool
	// Depth is 0 at the top.
	Depth  int
	parent *lineage.Hash
}

const (
	treeColumns = `run_id, job_namespace, job_name, state, last_offset = 0, parent_run_key`

	selectTreeRun      = `SELECT ` + treeColumns + ` FROM run WHERE projection_id = $1 AND run_key = $2`
	selectTreeChildren = `SELECT ` + treeColumns + ` FROM unnest($2::uuid[]) AS above(run_key)
		CROSS JOIN LATERAL (
			SELECT * FROM run WHERE projection_id = $1 AND parent_run_key = above.run_key ORDER BY first_offset, run_key LIMIT $3
		) AS child ORDER BY first_offset, child.run_key LIMIT $3`
)

// readTree reads the tree around a run.
func readTree(ctx context.Context, tx pgx.Tx, id ID, run StoredRun) (RunTree, error) {
	var tree RunTree
	top, err := tree.readAncestors(ctx, tx, id, run.Run)
	if err != nil {
		return tree, err
	}
	below, err := tree.readDescendants(ctx, tx, id, run.Run, top)
	if err != nil {
		return tree, err
	}
	for i := range top {
		top[i].Depth = i
	}
	self := TreeRun{Key: run.Key, State: run.State(), Placeholder: run.Placeholder(), Depth: len(top)}
	tree.Runs = slices.Concat(top, []TreeRun{self})
	tree.addBelow(self, below)
	return tree, nil
}

// readAncestors gives the runs above a run, the one at the top first.
func (t *RunTree) readAncestors(ctx context.Context, tx pgx.Tx, id ID, run lineage.Run) ([]TreeRun, error) {
	var above []TreeRun
	seen := map[lineage.Hash]bool{run.Key.Hash(): true}
	named := run.Parent.Value
	var next *lineage.Hash
	if named != (lineage.RunKey{}) {
		next = nullable(named.Hash())
	}
	for next != nil {
		switch {
		case seen[*next]:
			t.Cyclic, next = true, nil
			continue
		case len(above) == maxAncestors:
			t.Cut, next = true, nil
			continue
		}
		seen[*next] = true
		rows, _ := tx.Query(ctx, selectTreeRun, id, *next) // CollectRows reports the error
		found, err := pgx.CollectRows(rows, scanTreeRun)
		if err != nil {
			return nil, fmt.Errorf("read the runs above: %w", err)
		}
		if len(found) == 0 { // a version folded it that wrote no placeholders
			if len(above) == 0 {
				above = append(above, TreeRun{Key: named, State: lineage.RunUnknown, Placeholder: true})
			}
			break
		}
		above = append(above, found[0])
		next = found[0].parent
	}
	slices.Reverse(above)
	return above, nil
}

// readDescendants gives the runs below a run, by their parents. Those above it are left out: they would be told twice.
func (t *RunTree) readDescendants(ctx context.Context, tx pgx.Tx, id ID, run lineage.Run, above []TreeRun) (map[lineage.Hash][]TreeRun, error) {
	below := map[lineage.Hash][]TreeRun{}
	level := []lineage.Hash{run.Key.Hash()}
	seen := map[lineage.Hash]bool{level[0]: true}
	for _, ancestor := range above {
		seen[ancestor.Key.Hash()] = true
	}
	for depth := 0; len(level) > 0; depth++ {
		if depth == maxDescendantWalk {
			t.Cut = true
			break
		}
		room := maxDescendants + len(above) + 1 - len(seen)
		rows, _ := tx.Query(ctx, selectTreeChildren, id, level, room+1) // CollectRows reports the error
		children, err := pgx.CollectRows(rows, scanTreeRun)
		if err != nil {
			return nil, fmt.Errorf("read the runs below: %w", err)
		}
		if len(children) > room {
			t.Cut, children = true, children[:room]
		}
		level = nil
		for _, child := range children {
			key := child.Key.Hash()
			if seen[key] {
				t.Cyclic = true
				continue
			}
			seen[key] = true
			below[*child.parent] = append(below[*child.parent], child)
			level = append(level, key)
		}
	}
	return below, nil
}

func (t *RunTree) addBelow(parent TreeRun, below map[lineage.Hash][]TreeRun) {
	for _, child := range below[parent.Key.Hash()] {
		child.Depth = parent.Depth + 1
		t.Runs = append(t.Runs, child)
		t.addBelow(child, below)
	}
}

func scanTreeRun(row pgx.CollectableRow) (TreeRun, error) {
	var run TreeRun
	err := row.Scan(&run.Key.RunID, &run.Key.Job.Namespace, &run.Key.Job.Name, &run.State, &run.Placeholder, &run.parent)
	return run, err
}

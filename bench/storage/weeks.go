package main

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/headwater-data/headwater/bench/company"
	"github.com/headwater-data/headwater/bench/seed"
	"github.com/headwater-data/headwater/projection"
)

// stand is how a projection stands at the end of a week of history.
type stand struct {
	tables relations
	// changes of content there were up to then.
	changes int64
}

// measureWeeks copies weeks of changes of content into a projection of their own, without the rows of the runs that brought
// them, and reports what the first week, the middle one and the last one added. Rows lie as tightly as COPY lays them.
func (b *bench) measureWeeks(ctx context.Context) error {
	pool, err := b.openDatabase(ctx, "weeks")
	if err != nil {
		return err
	}
	defer pool.Close()
	stands, err := b.copyWeeks(ctx, pool)
	if err != nil {
		return fmt.Errorf("load the history: %w", err)
	}
	last := len(stands) - 1
	for _, week := range []int{1, (last + 1) / 2, last} {
		added := stands[week].since(stands[week-1])
		section := b.Section("Week %d of %d: %d changes of content", week, last, added.changes)
		var all float64
		for _, name := range slices.Sorted(maps.Keys(added.tables)) {
			bytes := added.tables[name].total() / float64(added.changes)
			section.Note(name+", a change", bytes, "B")
			all += bytes
		}
		section.Note("all tables, a change", all, "B")
	}
	// In the first week every job states its content for the first time, which ends none.
	changed := stands[last].since(stands[1])
	for _, name := range []string{"write", "flow", "flow_input"} {
		b.change += changed.tables[name].total() / float64(changed.changes)
	}
	b.Size("weeks of history", int64(last))
	b.Size("changes of content", stands[last].changes)
	return nil
}

// copyWeeks gives how the tables stand at first and after each week.
func (b *bench) copyWeeks(ctx context.Context, pool *pgxpool.Pool) (stands []stand, err error) {
	size := b.options.size
	size.Weeks = b.weeks
	history, err := company.New(b.seed, size)
	if err != nil {
		return nil, err
	}
	active, err := projection.NewStore(pool).Active(ctx)
	if err != nil {
		return nil, err
	}
	var failed error
	look := func() {
		now, err := standOf(ctx, pool)
		stands, failed = append(stands, now), errors.Join(failed, err)
	}
	look()
	_, err = seed.Copy(ctx, pool, active.ID, history, func(int) { look() }, "run", "run_event")
	return stands, errors.Join(err, failed)
}

// changesSQL counts what was stated: the company's runs state each content once.
const changesSQL = `SELECT count(*) FROM statement`

func standOf(ctx context.Context, pool *pgxpool.Pool) (stand, error) {
	tables, err := relationsOf(ctx, pool)
	if err != nil {
		return stand{}, err
	}
	now := stand{tables: tables}
	err = pool.QueryRow(ctx, changesSQL).Scan(&now.changes)
	return now, err
}

// since is what was added to an earlier stand.
func (s stand) since(earlier stand) stand {
	added := stand{tables: relations{}, changes: s.changes - earlier.changes}
	for name, table := range s.tables {
		before := earlier.tables[name]
		table.Heap, table.Indexes = table.Heap-before.Heap, table.Indexes-before.Indexes
		if table.Heap+table.Indexes > 0 {
			added.tables[name] = table
		}
	}
	return added
}

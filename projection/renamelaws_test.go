package projection_test

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/headwater-data/headwater/lineage"
	"github.com/headwater-data/headwater/projection"
)

// warehouse is what a warehouse of few tables did, minute by minute: it has a name for each table that exists.
type warehouse struct {
	tables map[string]*tableOf
	// existed are the tables at each minute, with what each was made of then.
	existed []map[string]string
}

// tableOf is a table, whatever its name, with what each job last made it of.
type tableOf map[string]string

func (t *tableOf) String() string {
	return fmt.Sprint(slices.Sorted(maps.Values(*t)))
}

// operate lets a warehouse create, write, rename and drop tables, each as it can, and tells of all that it does.
func (b *bundle) operate(random *rand.Rand, minutes int) warehouse {
	house := warehouse{tables: map[string]*tableOf{}}
	for minute := range minutes {
		name, other := fmt.Sprint("t", random.IntN(4)), fmt.Sprint("t", random.IntN(4))
		table, exists := house.tables[name]
		switch action := random.IntN(8); {
		case !exists:
			b.change(minute, name, "CREATE", "")
			house.tables[name] = &tableOf{}
		case action == 0:
			b.change(minute, name, "DROP", "")
			delete(house.tables, name)
		case action <= 3 && house.tables[other] == nil:
			b.change(minute, other, "RENAME", name)
			house.tables[other] = table
			delete(house.tables, name)
		default:
			job, source := fmt.Sprint("job", random.IntN(2)), fmt.Sprint("source", random.IntN(3))
			b.complete(story{run: fmt.Sprint("r", minute), job: job, minute: minute, inputs: []string{source}, outputs: []string{name}})
			(*table)[job] = source
		}
		made := map[string]string{}
		for name, table := range house.tables {
			made[name] = table.String()
		}
		house.existed = append(house.existed, made)
	}
	return house
}

// sources are what a table is made of, as an answer has it.
func sources(answer projection.TraverseAnswer) string {
	list := []string{}
	for _, edge := range answer.Edges {
		list = append(list, edge.From.Name)
	}
	slices.Sort(list)
	return fmt.Sprint(list)
}

// TestTableIsMadeOfWhatWasWrittenToItUnderWhateverName compares with a warehouse that keeps its tables apart, at each time.
func TestTableIsMadeOfWhatWasWrittenToItUnderWhateverName(t *testing.T) {
	for seed := range uint64(6) {
		t.Run(fmt.Sprintf("seed %d", seed), func(t *testing.T) {
			b := setup(t)
			house := b.operate(rand.New(rand.NewPCG(seed, 7)), 40)
			b.fold(b.active, 50)
			for minute, made := range house.existed {
				for name, want := range made {
					r := request(dataset(name), projection.Upstream)
					r.ValidAt, r.Lookback = at(minute), 0
					require.Equal(t, want, sources(b.traverse(r)), "%s at minute %d", name, minute)
				}
			}
		})
	}
}

// TestBothWaysTellTheSameOfRenamedTables walks up from each table, and down from each source.
func TestBothWaysTellTheSameOfRenamedTables(t *testing.T) {
	b := setup(t)
	house := b.operate(rand.New(rand.NewPCG(3, 8)), 60)
	b.fold(b.active, 50)
	walked := func(start lineage.Node, direction projection.Direction, minute int) map[string]bool {
		r := request(start, direction)
		r.ValidAt, r.Depth = at(minute), 1
		edges := map[string]bool{}
		answer, err := b.store.Traverse(b.ctx, r)
		if err != nil {
			require.ErrorIs(t, err, projection.ErrNotFound)
		}
		for _, edge := range answer.Edges {
			edges[fmt.Sprint(edge.From.Name, "→", edge.To.Name, " by ", edge.Job.Name, edge.ValidFrom, edge.ValidTo, edge.LastObservedAt)] = true
		}
		return edges
	}
	for minute := range house.existed {
		up, down := map[string]bool{}, map[string]bool{}
		for n := range 4 {
			maps.Copy(up, walked(dataset(fmt.Sprint("t", n)), projection.Upstream, minute))
		}
		for n := range 3 {
			maps.Copy(down, walked(dataset(fmt.Sprint("source", n)), projection.Downstream, minute))
		}
		require.Equal(t, up, down, "at minute %d", minute)
	}
}

// TestAnswerOfRenamedTablesIsThatOfTheGraphWithoutTheHiddenOnes compares with a warehouse in which nobody speaks of the table
// that is hidden.
func TestAnswerOfRenamedTablesIsThatOfTheGraphWithoutTheHiddenOnes(t *testing.T) {
	b := setup(t)
	random := rand.New(rand.NewPCG(5, 9))
	const hidden = "t0"
	name := func() string { return fmt.Sprint("t", random.IntN(4)) }
	without := &bundle{t: t, ctx: b.ctx, pool: b.pool, store: b.store}
	shadow, err := b.store.Create(b.ctx, "without", nil)
	require.NoError(t, err)
	for minute := range 40 {
		table, other, action := name(), name(), random.IntN(5)
		switch {
		case action < 2:
			source := fmt.Sprint("source", random.IntN(3))
			s := story{run: fmt.Sprint("r", minute), job: fmt.Sprint("job", random.IntN(2)), minute: minute, inputs: []string{source}, outputs: []string{table}}
			if table != hidden {
				b.complete(s)
				without.complete(s)
			}
		case action == 4 && table != hidden && (table == "t3") != (other == hidden):
			// What one author says of the old names of a table replaces what it said before, whoever may see the names.
		case table == hidden || action == 4 && other == hidden:
			b.change(minute, table, []string{"CREATE", "DROP", "RENAME"}[action-2], other)
			without.change(minute, "elsewhere", "CREATE", "") // so that both logs are of one length
		default:
			change := []string{"CREATE", "DROP", "RENAME"}[action-2]
			b.change(minute, table, change, other)
			without.change(minute, table, change, other)
		}
	}
	b.fold(b.active, 7)
	without.fold(shadow.ID, 7)
	ask := func(b *bundle, table string, minute int) string {
		r := request(dataset(table), projection.Upstream)
		r.ValidAt, r.Show = at(minute), hiding(hidden)
		answer, err := b.store.Traverse(b.ctx, r)
		return fmt.Sprint(pairs(answer), answer.Nodes, err)
	}
	given := map[string]string{}
	for minute := range 40 {
		for n := range 4 {
			given[fmt.Sprint(n, minute)] = ask(b, fmt.Sprint("t", n), minute)
		}
	}
	require.NoError(t, b.store.Switch(b.ctx, shadow.ID))
	for minute := range 40 {
		for n := range 4 {
			require.Equal(t, ask(without, fmt.Sprint("t", n), minute), given[fmt.Sprint(n, minute)], "t%d at minute %d", n, minute)
		}
	}
}

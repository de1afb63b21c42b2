package projection_test

import (
	"encoding/json/v2"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/headwater-data/headwater/internal/testenv"
	"github.com/headwater-data/headwater/lineage"
	"github.com/headwater-data/headwater/projection"
)

// jobDeclares logs a JobEvent that states the columns of what a job writes, and whether it creates or drops that.
func (b *bundle) jobDeclares(minute int, job, input, output, change string, columns ...string) {
	fields := []map[string]any{}
	for _, name := range columns {
		fields = append(fields, map[string]any{"name": name})
	}
	facets := map[string]any{"schema": map[string]any{"fields": fields}}
	if change != "" {
		facets["lifecycleStateChange"] = map[string]any{"lifecycleStateChange": change}
	}
	inputs := []map[string]any{}
	if input != "" {
		inputs = append(inputs, map[string]any{"namespace": "warehouse", "name": input})
	}
	document, err := json.Marshal(map[string]any{
		"eventTime": at(minute).Format(time.RFC3339), "job": map[string]any{"namespace": "scheduler", "name": job}, "inputs": inputs,
		"outputs": []map[string]any{{"namespace": "warehouse", "name": output, "facets": facets}},
	}, json.Deterministic(true))
	require.NoError(b.t, err)
	b.logged(lineage.FormatOpenLineage, document)
}

func TestSchemaThatAVisibleJobRepeatsShowsFromThere(t *testing.T) {
	b := setup(t)
	b.write(written{run: "1", output: "orders", minute: 1, columns: []string{"id"}})
	b.write(written{run: "2", output: "orders", minute: 5, columns: []string{"id", "at"}})
	b.write(written{run: "3", output: "orders", minute: 9, columns: []string{"id", "at"}})
	b.fold(b.active, 1)
	hidden := func(r *projection.NodeRequest) { r.Show = hiding("job 2") }
	require.Equal(t, []string{"id", "at"}, b.columnsAt("orders", 6))
	require.Equal(t, []string{"id"}, b.columnsAt("orders", 6, hidden))
	require.Equal(t, []string{"id", "at"}, b.columnsAt("orders", 12, hidden))
	answer, err := b.node("orders", 12, hidden)
	require.NoError(t, err)
	require.Equal(t, at(9), answer.Schemas.At(at(12)).From, "when a visible job said so first")
	require.Equal(t, at(9), answer.Schemas.Versions[1].To, "the one before held until then")
}

func TestWhatAHiddenJobDeclaresOfADatasetIsNotThere(t *testing.T) {
	b := setup(t)
	b.write(written{run: "1", output: "orders", minute: 1, inputs: []string{"raw"}})
	b.jobDeclares(2, "planned", "raw", "orders", "", "id")
	b.jobDeclares(3, "dropper", "", "orders", "DROP")
	b.fold(b.active, 1)
	answer, err := b.node("orders", 5)
	require.NoError(t, err)
	require.Equal(t, at(3), answer.DroppedAt)
	require.Len(t, answer.Schemas.Versions, 1)
	answer, err = b.node("orders", 5, func(r *projection.NodeRequest) { r.Show = hiding("planned", "dropper") })
	require.NoError(t, err)
	require.Zero(t, answer.DroppedAt)
	require.Empty(t, answer.Schemas.Versions)
}

// tellOfColumns logs what a few jobs do to a few tables and declare of them. Of what jobs of hidden do or declare, the log
// has something unrelated in place.
func (b *bundle) tellOfColumns(random *rand.Rand, count int, hidden ...string) {
	for i := range count {
		job, minute, from, to := fmt.Sprint("job", random.IntN(4)), random.IntN(30), fmt.Sprint("t", random.IntN(3)), fmt.Sprint("t", random.IntN(3))
		column, other := fmt.Sprint("c", random.IntN(3)), fmt.Sprint("c", random.IntN(3))
		change := []string{"", "", "", "DROP", "CREATE"}[random.IntN(5)]
		declares, quiet, undone := random.IntN(4) == 0, random.IntN(4) == 0, random.IntN(6) == 0
		s := story{run: fmt.Sprint("r", i), job: job, minute: minute, inputs: []string{from}, outputs: []string{to}}
		if quiet {
			s.inputs = nil
		}
		if slices.Contains(hidden, job) {
			s = story{run: s.run, job: "elsewhere", minute: minute, outputs: []string{"aside"}}
			declares, change = false, ""
		}
		facets := map[string]any{
			"schema":        map[string]any{"fields": []any{map[string]any{"name": column, "description": fmt.Sprint(column, " of ", job, i)}, map[string]any{"name": other}}},
			"documentation": map[string]any{"description": fmt.Sprint("by ", job, i)},
			"ownership":     map[string]any{"owners": []any{map[string]any{"name": "team:" + job}}},
		}
		maps.Copy(facets, columns(fmt.Sprintf("%s<-%s.%s", column, from, other)))
		if change != "" {
			facets["lifecycleStateChange"] = map[string]any{"lifecycleStateChange": change}
		}
		if s.job == job {
			s.outputFacets = map[string]map[string]any{to: facets}
		}
		if declares {
			b.jobDeclares(minute, job, strings.Join(s.inputs, ""), to, change, column, other)
			continue
		}
		b.complete(s)
		if undone {
			b.rollBack(s, s.outputs[0], minute+5)
		}
	}
}

// TestAnswerIsThatOfTheGraphWithoutTheHiddenJobs compares what a caller gets who may not see a job with the answer of a log
// in which that job never did or declared anything: what is known of a dataset, and the walks over its columns, which rest
// on the schemas.
func TestAnswerIsThatOfTheGraphWithoutTheHiddenJobs(t *testing.T) {
	b := setup(t)
	without := &bundle{t: t, ctx: b.ctx, pool: testenv.Database(t)}
	without.store = projection.NewStore(without.pool)
	active, err := without.store.Active(b.ctx)
	require.NoError(t, err)
	without.active = active.ID
	const hidden = "job1"
	b.tellOfColumns(rand.New(rand.NewPCG(4, 9)), 60)
	without.tellOfColumns(rand.New(rand.NewPCG(4, 9)), 60, hidden)
	b.fold(b.active, 7)
	without.fold(without.active, 7)
	differs := 0
	for minute := range 40 {
		for table := range 3 {
			name := fmt.Sprint("t", table)
			want, errWant := without.node(name, minute)
			got, errGot := b.node(name, minute, func(r *projection.NodeRequest) { r.Show = hiding(hidden) })
			require.ErrorIs(t, errGot, errWant)
			want.View, got.View = projection.View{}, projection.View{}
			require.Equal(t, want, got, "%s at %d", name, minute)
			if all, _ := b.node(name, minute); len(all.Schemas.Versions) != len(got.Schemas.Versions) {
				differs++
			}
			for column := range 3 {
				r := request(field(fmt.Sprintf("%s.c%d", name, column)), projection.Direction(1+minute%2))
				r.ValidAt, r.Lookback, r.Depth = at(minute), 20*time.Minute, 3
				want, errWant := without.store.Traverse(b.ctx, r)
				r.Show = hiding(hidden)
				got, errGot := b.store.Traverse(b.ctx, r)
				require.ErrorIs(t, errGot, errWant)
				want.View, got.View = projection.View{}, projection.View{}
				require.Equal(t, want, got, "%v at %d", r.Start, minute)
			}
		}
	}
	require.Positive(t, differs, "the hidden job stated schemas")
}

func TestNameThatOnlyAHiddenJobGivesIsNone(t *testing.T) {
	b := setup(t)
	lake := lineage.DatasetID{Namespace: "warehouse", Name: "lake/orders"}
	named := func(minute int, hidden ...string) []projection.ListedAlias {
		answer, err := b.store.ListAliases(b.ctx, projection.AliasRequest{Of: &lake, ValidAt: at(minute), Show: hiding(hidden...)})
		require.NoError(t, err)
		return answer.Aliases
	}
	b.completeNamed(story{run: "1", job: "secret", minute: 1, outputs: []string{"lake/orders"}}, symlinks{"lake/orders": {"orders"}})
	b.completeNamed(story{run: "2", job: "load", minute: 5, outputs: []string{"lake/orders"}}, symlinks{"lake/orders": {"orders"}})
	b.completeNamed(story{run: "3", job: "secret", minute: 9, outputs: []string{"lake/orders"}}, symlinks{"lake/orders": {"other"}})
	b.jobDeclares(1, "load", "", "orders", "", "id")
	b.fold(b.active, 2)
	require.Equal(t, at(1), named(7)[0].From)
	claim := named(7, "secret")[0]
	require.Equal(t, at(5), claim.From, "when a visible job said so first")
	require.Equal(t, lineage.Forever, claim.To, "the hidden one ends nothing")
	require.Empty(t, named(3, "secret"))
	require.Empty(t, named(7, "secret", "load"))
	answer, err := b.node("orders", 7, func(r *projection.NodeRequest) { r.Show = hiding("secret", "load") })
	require.NoError(t, err)
	require.Empty(t, answer.Aliases)
}

// renames tells of a run that renames a table.
func (b *bundle) renames(minute int, job, previous, name string) {
	b.complete(story{run: fmt.Sprint(job, minute), job: job, minute: minute, outputs: []string{name}, outputFacets: map[string]map[string]any{name: {
		"lifecycleStateChange": map[string]any{
			"lifecycleStateChange": "RENAME", "previousIdentifier": map[string]any{"namespace": "warehouse", "name": previous},
		},
	}}})
}

func TestNameThatAHiddenJobGivesToAnotherTableIsNotTaken(t *testing.T) {
	b := setup(t)
	b.complete(story{run: "1", job: "load", minute: 1, inputs: []string{"raw"}, outputs: []string{"old"}})
	b.renames(5, "migrate", "old", "new")
	b.renames(9, "secret", "other", "old")
	b.fold(b.active, 2)
	aliases := func(hidden ...string) []lineage.DatasetID {
		answer, err := b.node("new", 20, func(r *projection.NodeRequest) { r.Show = hiding(hidden...) })
		require.NoError(t, err)
		return answer.Aliases
	}
	require.Empty(t, aliases())
	require.Equal(t, []lineage.DatasetID{table("old")}, aliases("secret"))
	require.Empty(t, aliases("secret", "migrate"))
}

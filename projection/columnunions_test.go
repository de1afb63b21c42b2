package projection_test

import (
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/headwater-data/headwater/lineage"
	"github.com/headwater-data/headwater/projection"
)

// spelled is a run that writes one table under two spellings, each with columns of its own.
func spelled(run string, minute int, upper, lower []string) story {
	return story{
		run: run, job: "load", kind: lineage.Complete, minute: minute, inputs: []string{"a", "b"}, outputs: []string{"T", "t"},
		outputFacets: map[string]map[string]any{"T": columns(upper...), "t": columns(lower...)},
	}
}

func lowerCase(t *testing.T) *lineage.NameRules {
	t.Helper()
	return warehouseRules(t, lineage.NamespaceRule{Case: lineage.CaseLower})
}

// into are the columns that come into a table.
func (b *bundle) into(table string, minute int) []string {
	r := request(field(table+".x"), projection.Upstream)
	r.ValidAt, r.Lookback = at(minute), 0
	return links(b.traverse(r).Edges)
}

func TestColumnsOfSpellingsThatRulesUniteShowTogether(t *testing.T) {
	b := setup(t)
	s := spelled("r", 1, []string{"x<-a.i", "y<-a.j"}, []string{"x<-b.i", "*<-b.key JOIN"})
	b.complete(s)
	b.replay("folded", lowerCase(t), 1)
	require.Equal(t, []string{"a.i→t.x IDENTITY", "b.i→t.x IDENTITY", "b.key→t ~JOIN"}, b.into("t", 5))

	downstream := request(field("b.i"), projection.Downstream)
	require.Equal(t, []string{"b.i→t.x IDENTITY"}, links(b.traverse(downstream).Edges))
	require.Empty(t, columnGaps(b.traverse(downstream)), "the union accounts for what either names")

	b.rollBack(s, "t", 10)
	b.fold(b.active, 1)
	require.Equal(t, []string{"a.i→t.x IDENTITY"}, b.into("t", 5), "the columns of the spelling that was rolled back have gone, and only those")
}

// tellOfSpellings logs runs that write two spellings, of which some are rejected or rolled back.
func (b *bundle) tellOfSpellings(random *rand.Rand, count int) {
	facet := func() []string {
		return []string{fmt.Sprintf("x<-%c.i", 'a'+random.IntN(2)), fmt.Sprintf("y<-%c.j", 'a'+random.IntN(2))}
	}
	for i := range count {
		s := spelled(fmt.Sprint("r", i), random.IntN(30), facet(), facet())
		b.tell(s)
		b.decide(s, "T", lineage.Complete, lineage.Published)
		b.decide(s, "t", lineage.Complete, []lineage.Publication{lineage.Published, lineage.Suspect, lineage.Rejected}[random.IntN(3)])
		if random.IntN(3) == 0 {
			b.rollBack(s, "T", 31+i)
		}
	}
}

func TestHistoryOfUnitedColumnsIsTheSameHoweverTheLogIsCut(t *testing.T) {
	b := setup(t)
	b.tellOfSpellings(rand.New(rand.NewPCG(1, 6)), 20)
	var want projection.Digests
	for i, size := range []int{1, 3, len(b.log)} {
		shadow, err := b.store.Create(b.ctx, fmt.Sprint("shadow-", size), lowerCase(t))
		require.NoError(t, err)
		b.fold(shadow.ID, size)
		got, err := b.store.Digest(b.ctx, shadow.ID)
		require.NoError(t, err)
		if i == 0 {
			want = got
		}
		require.Equal(t, want, got, "in batches of %d", size)
	}
}

// TestStateOfUnitedColumnsIsTheSameInAnyOrder decides each run where it stands in the log, so that other unions come and go
// in each order.
func TestStateOfUnitedColumnsIsTheSameInAnyOrder(t *testing.T) {
	b := setup(t)
	random := rand.New(rand.NewPCG(2, 6))
	var events []story
	for i := range 12 {
		facet := columns(fmt.Sprintf("x<-%c.i", 'a'+i%2), fmt.Sprintf("y<-%c.j", 'a'+i%3%2))
		output := []string{"T", "t"}[random.IntN(2)]
		events = append(events, story{
			run: fmt.Sprint("r", i%4), job: "load", kind: lineage.Complete, minute: i, inputs: []string{"a", "b"},
			outputs: []string{output}, outputFacets: map[string]map[string]any{output: facet},
		})
	}
	var want string
	for round := range 4 {
		b.log = nil
		for _, s := range events {
			b.log = append(b.log, entryOf(s.document(), lineage.FormatOpenLineage, lineage.Offset(len(b.log)+1), noon.Add(48*time.Hour)))
			b.decide(s, s.outputs[0], lineage.Complete, lineage.Published)
		}
		shadow, err := b.store.Create(b.ctx, fmt.Sprint("round-", round), lowerCase(t))
		require.NoError(t, err)
		b.fold(shadow.ID, 1+random.IntN(5))
		got, err := b.store.Digest(b.ctx, shadow.ID)
		require.NoError(t, err)
		if round == 0 {
			want = got.State
		}
		require.Equal(t, want, got.State)
		random.Shuffle(len(events), func(i, j int) { events[i], events[j] = events[j], events[i] })
	}
}

package projection_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/headwater-data/headwater/lineage"
	"github.com/headwater-data/headwater/projection"
)

// tellOfNames logs runs, symlinks, registrations and renamings of a few names that contradict each other.
func (b *bundle) tellOfNames(random *rand.Rand, count int) {
	name := func() string { return fmt.Sprint("n", random.IntN(5)) }
	for range count {
		minute := random.IntN(30)
		switch a, c := name(), name(); random.IntN(6) {
		case 0:
			b.complete(story{run: fmt.Sprint("r", random.IntN(9)), job: fmt.Sprint("job", random.IntN(2)), minute: minute, inputs: []string{a}, outputs: []string{c}})
		case 1:
			b.symlink(minute, a, c, name())
		case 2:
			s := story{run: fmt.Sprint("s", random.IntN(5)), job: "stream", kind: lineage.Running, minute: minute, inputs: []string{a}}
			b.logged(lineage.FormatOpenLineage, withSymlinks(s, symlinks{a: {c}}))
		case 3:
			if registration := registered(a, c); a != c {
				registration.ValidFrom, registration.Canonical = at(random.IntN(30)), random.IntN(3) == 0
				b.state(minute, registration)
			}
		case 4:
			if a != c {
				b.state(minute, lineage.AliasEnd{Alias: table(a), Of: table(c), ValidTo: at(random.IntN(30))})
			}
		case 5:
			b.change(minute, a, []string{"RENAME", "CREATE"}[random.IntN(2)], c)
		}
	}
}

func TestHistoryOfNamesIsTheSameHoweverTheLogIsCut(t *testing.T) {
	b := setup(t)
	b.tellOfNames(rand.New(rand.NewPCG(3, 1)), 80)
	b.fold(b.active, 1)
	want, err := b.store.Digest(b.ctx, b.active)
	require.NoError(t, err)
	for _, table := range want.Tables {
		if table.Table == "alias" || table.Table == "registered_alias" {
			require.Positive(t, table.Rows, table.Table)
		}
	}
	for _, size := range []int{3, 1000} {
		shadow, err := b.store.Create(b.ctx, fmt.Sprint("shadow-", size), nil)
		require.NoError(t, err)
		b.fold(shadow.ID, size)
		got, err := b.store.Digest(b.ctx, shadow.ID)
		require.NoError(t, err)
		require.Equal(t, want, got, "batches of %d", size)
	}
}

func TestNamesAreTheSameInAnyOrder(t *testing.T) {
	b := setup(t)
	random := rand.New(rand.NewPCG(5, 1))
	b.tellOfNames(random, 60)
	told := b.log
	var want string
	for round := range 4 {
		b.log = nil
		for _, i := range random.Perm(len(told)) {
			entry := told[i]
			if event, err := lineage.Decode(entry.Format, entry.Payload, lineage.DefaultLimits()); err != nil || event.Kind == lineage.PublicationDecidedEvent {
				continue // decisions are ordered by the log
			}
			entry = entryOf(entry.Payload, entry.Format, lineage.Offset(len(b.log)+1), noon.Add(48*time.Hour))
			if !slices.ContainsFunc(b.log, func(e lineage.Entry) bool { return e.EventID == entry.EventID }) {
				b.log = append(b.log, entry)
			}
		}
		shadow, err := b.store.Create(b.ctx, fmt.Sprint("round-", round), nil)
		require.NoError(t, err)
		b.fold(shadow.ID, 1+random.IntN(9))
		got, err := b.store.Digest(b.ctx, shadow.ID)
		require.NoError(t, err)
		if round == 0 {
			want = got.State
		}
		require.Equal(t, want, got.State)
	}
}

// TestLateNamesChangeNoAnswerThatWasGiven asks at points of both times while names come in, and again at the end.
func TestLateNamesChangeNoAnswerThatWasGiven(t *testing.T) {
	b := setup(t)
	random := rand.New(rand.NewPCG(9, 1))
	b.tellOfNames(random, 60)
	ask := func(r projection.TraverseRequest) []string {
		answer, err := b.store.Traverse(b.ctx, r)
		if err != nil {
			require.ErrorIs(t, err, projection.ErrNotFound)
		}
		list := pairs(answer)
		for _, node := range answer.Nodes {
			list = append(list, fmt.Sprintf("%s has %d aliases", node.Name, len(node.Aliases)))
		}
		return list
	}
	type given struct {
		request projection.TraverseRequest
		answer  []string
	}
	var answers []given
	for cursor := range b.log {
		require.NoError(t, b.store.Apply(b.ctx, b.active, b.log[cursor:cursor+1]))
		r := request(dataset(fmt.Sprint("n", random.IntN(5))), projection.Direction(1+random.IntN(2)))
		r.ValidAt, r.RecordedAt = at(random.IntN(30)), lineage.Offset(cursor+1)
		answers = append(answers, given{r, ask(r)})
	}
	for _, given := range answers {
		require.Equal(t, given.answer, ask(given.request), "%v at %v", given.request.Start, given.request.RecordedAt)
	}
}

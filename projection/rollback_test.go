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

// mark logs a marker on one output.
func (b *bundle) mark(s story, output string, kind lineage.MarkerKind, gate string, minute int) {
	payload, err := lineage.EncodeMarker(runKey(s), lineage.Marker{
		Output: lineage.DatasetID{Namespace: "warehouse", Name: output}, Kind: kind, Gate: gate, EventTime: at(minute), By: "olu",
	})
	require.NoError(b.t, err)
	b.logged(lineage.FormatPlatform, payload)
}

// rollBack logs a roll-back and the decision that follows.
func (b *bundle) rollBack(s story, output string, minute int) {
	b.mark(s, output, lineage.RolledBackMarker, "", minute)
	payload, err := lineage.EncodeDecision(lineage.Decision{
		Run: runKey(s), Output: lineage.DatasetID{Namespace: "warehouse", Name: output},
		Basis:   lineage.Position{Epoch: 1, Offset: lineage.Offset(len(b.log))},
		EndType: lineage.Complete, Publication: lineage.RolledBack, PolicyRevision: "test", Until: at(minute),
	})
	require.NoError(b.t, err)
	b.logged(lineage.FormatPlatform, payload)
}

func TestRollBackLetsTheEarlierStatementHoldAgain(t *testing.T) {
	b := setup(t)
	b.complete(story{run: "1", job: "load", minute: 0, inputs: []string{"a"}, outputs: []string{"x"}})
	wrong := story{run: "2", job: "load", minute: 10, inputs: []string{"b"}, outputs: []string{"x"}}
	b.complete(wrong)
	b.rollBack(wrong, "x", 20)
	b.fold(b.active, 1)

	ask := func(minute int, lookback time.Duration) []string {
		r := request(dataset("x"), projection.Upstream)
		r.ValidAt, r.Lookback = at(minute), lookback
		return pairs(b.traverse(r))
	}
	require.Equal(t, []string{"a→x"}, ask(5, 0))
	require.Equal(t, []string{"b→x"}, ask(15, 0), "it was so until it was rolled back")
	require.Equal(t, []string{"a→x"}, ask(25, 0))
	require.NotContains(t, ask(25, time.Hour), "b→x?", "lookback never shows what was rolled back")

	b.complete(story{run: "3", job: "load", minute: 30, inputs: []string{"c"}, outputs: []string{"x"}})
	b.fold(b.active, 1)
	require.Equal(t, []string{"c→x"}, ask(35, 0))
	require.Equal(t, []string{"a→x"}, ask(25, 0))
}

func TestRollBackOfTheOnlyStatementLeavesNone(t *testing.T) {
	b := setup(t)
	only := story{run: "1", job: "load", minute: 0, inputs: []string{"a"}, outputs: []string{"x"}}
	b.complete(only)
	b.rollBack(only, "x", 10)
	b.fold(b.active, 10)
	r := request(dataset("x"), projection.Upstream)
	require.Empty(t, pairs(b.traverse(r)))
	r.ValidAt = at(5)
	require.Equal(t, []string{"a→x"}, pairs(b.traverse(r)))
}

func TestHistoryWithRollBacksIsTheSameHoweverTheLogIsCut(t *testing.T) {
	for seed := range uint64(4) {
		t.Run(fmt.Sprint("seed ", seed), func(t *testing.T) {
			b := setup(t)
			random := rand.New(rand.NewPCG(seed, 4))
			var told []story
			for i := range 40 {
				s := story{
					run: fmt.Sprint("run-", i), job: fmt.Sprint("job", random.IntN(2)), minute: random.IntN(30),
					inputs: []string{fmt.Sprint("t", random.IntN(3))}[:random.IntN(2)], outputs: []string{"x"},
				}
				b.complete(s)
				told = append(told, s)
				if random.IntN(3) == 0 {
					s := told[random.IntN(len(told))]
					b.rollBack(s, "x", s.minute+1+random.IntN(10))
				}
			}
			b.fold(b.active, 1)
			want, err := b.store.Digest(b.ctx, b.active)
			require.NoError(t, err)
			for _, size := range []int{3, 1000} {
				shadow, err := b.store.Create(b.ctx, fmt.Sprint("shadow-", size), nil)
				require.NoError(t, err)
				b.fold(shadow.ID, size)
				got, err := b.store.Digest(b.ctx, shadow.ID)
				require.NoError(t, err)
				require.Equal(t, want, got, "batches of %d", size)
			}
		})
	}
}

func TestMarkersAreEventsOfTheirRun(t *testing.T) {
	b := setup(t)
	s := story{run: "1", job: "load", kind: lineage.Complete, minute: 0, outputs: []string{"x"}}
	b.mark(s, "x", lineage.Committed, "", 1)
	b.mark(s, "other", lineage.Passed, "quality", 2)
	b.tell(s)
	b.fold(b.active, 1)

	detail, err := b.store.RunDetail(b.ctx, runKey(s).Hash())
	require.NoError(t, err)
	require.Len(t, detail.Events, 3)
	require.Equal(t, lineage.EventType(lineage.PublicationMarker), detail.Events[0].Type)
	require.Len(t, detail.Markers, 2)
	require.True(t, detail.Unmatches(detail.Markers[0]))
	require.False(t, detail.Unmatches(detail.Markers[1]))
	require.Equal(t, lineage.Position{Epoch: 1, Offset: 3}, detail.Basis)

	received, err := b.store.FirstEndReceivedAt(b.ctx, runKey(s).Hash())
	require.NoError(t, err)
	require.Equal(t, b.log[2].ReceivedAt, received)

	evidence, err := b.store.Evidence(b.ctx, 100)
	require.NoError(t, err)
	require.Len(t, evidence.Runs, 1)
}

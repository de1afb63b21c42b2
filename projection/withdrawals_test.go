package projection_test

import (
	"context"
	"encoding/json/v2"
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/headwater-data/headwater/lineage"
	"github.com/headwater-data/headwater/projection"
)

// withdraw logs that evidence counts no more, or, undone, that it counts again. minute orders what is stated of one subject.
func (b *bundle) withdraw(w lineage.Withdrawal, minute int) {
	payload, err := lineage.EncodeFact(w, lineage.Attribution{EventTime: at(24*60 + minute), By: "olu", Reason: "sent by a test"})
	require.NoError(b.t, err)
	b.logged(lineage.FormatPlatform, payload)
}

// eventOf names the event that tells a story.
func eventOf(s story) lineage.Sender {
	entry := entryOf(s.document(), lineage.FormatOpenLineage, 1, noon)
	return lineage.Sender{Producer: entry.Producer, EventID: entry.EventID}
}

func (b *bundle) stateDigest(id projection.ID) string {
	b.t.Helper()
	digests, err := b.store.Digest(b.ctx, id)
	require.NoError(b.t, err)
	return digests.State
}

func (b *bundle) upstream(name string) []string {
	return pairs(b.traverse(request(dataset(name), projection.Upstream)))
}

func TestWithdrawnEventLeavesTheGraphAndComesBack(t *testing.T) {
	b := setup(t)
	good := story{run: "r1", job: "load", minute: 1, inputs: []string{"orders"}, outputs: []string{"mart"}}
	wrong := story{run: "r1", job: "load", kind: lineage.Running, minute: 0, inputs: []string{"rubbish"}}
	b.tell(wrong)
	b.complete(good)
	b.fold(b.active, 100)
	require.Equal(t, []string{"orders→mart", "rubbish→mart"}, b.upstream("mart"))
	before := b.stateDigest(b.active)

	b.withdraw(lineage.Withdrawal{Event: eventOf(wrong)}, 0)
	b.fold(b.active, 100)
	require.Equal(t, []string{"orders→mart"}, b.upstream("mart"))
	require.NotEqual(t, before, b.stateDigest(b.active))
	then := request(dataset("mart"), projection.Upstream)
	then.RecordedAt = lineage.Offset(len(b.log) - 1)
	require.Equal(t, []string{"orders→mart", "rubbish→mart"}, pairs(b.traverse(then)), "what was known before the withdrawal stays so")

	b.withdraw(lineage.Withdrawal{Event: eventOf(wrong), Undone: true}, 1)
	b.fold(b.active, 100)
	require.Equal(t, before, b.stateDigest(b.active))
}

func TestWithdrawnRunIsEmptyAndItsPredecessorHolds(t *testing.T) {
	b := setup(t)
	b.complete(story{run: "r1", job: "load", minute: 1, inputs: []string{"orders"}, outputs: []string{"mart"}})
	bad := story{run: "r2", job: "load", minute: 2, inputs: []string{"rubbish"}, outputs: []string{"mart"}}
	b.complete(bad)
	b.fold(b.active, 100)
	before := b.stateDigest(b.active)
	b.withdraw(lineage.Withdrawal{Run: runKey(bad)}, 0)
	b.fold(b.active, 100)
	r := request(dataset("mart"), projection.Upstream)
	r.Lookback = 0
	require.Equal(t, []string{"orders→mart"}, pairs(b.traverse(r)))
	run, err := b.store.Run(b.ctx, runKey(bad).Hash())
	require.NoError(t, err)
	require.True(t, run.Empty())
	require.True(t, run.Settled())
	require.Equal(t, lineage.Offset(len(b.log)), run.Basis.Offset, "what is decided from now on has the withdrawal behind it")

	b.withdraw(lineage.Withdrawal{Run: runKey(bad), Undone: true}, 1)
	b.fold(b.active, 100)
	require.Equal(t, before, b.stateDigest(b.active))
}

func TestWorkflowHearsOfAWithdrawalFromItsRun(t *testing.T) {
	b := setup(t)
	s := story{run: "r1", job: "load", kind: lineage.Complete, minute: 1, outputs: []string{"mart"}}
	b.tell(s)
	b.fold(b.active, 100)
	require.NoError(t, b.store.MoveDispatch(b.ctx, 0, lineage.Offset(len(b.log))))
	b.withdraw(lineage.Withdrawal{Event: eventOf(s)}, 0)
	b.withdraw(lineage.Withdrawal{Event: lineage.Sender{Producer: "test", EventID: "never came"}}, 0)
	b.fold(b.active, 100)
	evidence, err := b.store.Evidence(b.ctx, 100)
	require.NoError(t, err)
	require.Equal(t, []projection.RunEvidence{{Run: runKey(s), Last: 2}}, evidence.Runs)
}

// declaring is a JobEvent in short.
func declaring(s story) []byte {
	var members map[string]any
	if err := json.Unmarshal(s.document(), &members); err != nil {
		panic(err)
	}
	delete(members, "run")
	delete(members, "eventType")
	document, err := json.Marshal(members, json.Deterministic(true))
	if err != nil {
		panic(err)
	}
	return document
}

func TestWithdrawnDeclarationLeavesTheGraph(t *testing.T) {
	b := setup(t)
	declared := declaring(story{job: "load", minute: 1, inputs: []string{"orders"}, outputs: []string{"mart"}})
	event := lineage.Sender{Producer: "test", EventID: entryOf(declared, lineage.FormatOpenLineage, 1, noon).EventID}
	b.logged(lineage.FormatOpenLineage, declared)
	b.fold(b.active, 100)
	before := b.stateDigest(b.active)
	require.Equal(t, []string{"orders→mart"}, b.upstream("mart"))
	b.withdraw(lineage.Withdrawal{Event: event}, 0)
	b.fold(b.active, 100)
	require.Empty(t, b.upstream("mart"))
	b.withdraw(lineage.Withdrawal{Event: event, Undone: true}, 1)
	b.fold(b.active, 100)
	require.Equal(t, before, b.stateDigest(b.active))
}

// TestStateIsTheSameWheneverEvidenceIsWithdrawn shuffles events, declarations and withdrawals, with received times held
// fixed, and requires that every order gives one state, and every way to cut the log one history.
func TestStateIsTheSameWheneverEvidenceIsWithdrawn(t *testing.T) {
	for seed := range uint64(4) {
		t.Run(fmt.Sprint("seed ", seed), func(t *testing.T) {
			b := setup(t)
			random := rand.New(rand.NewPCG(seed, 11))
			b.logWithdrawals(random)
			log := unrepeated(b.log)
			var want string
			for round := range 4 {
				b.log = nil
				for _, entry := range log {
					entry.Offset, entry.ReceivedAt = lineage.Offset(len(b.log)+1), noon.Add(72*time.Hour)
					b.log = append(b.log, entry)
				}
				live, err := b.store.Create(b.ctx, fmt.Sprint("live-", round), nil)
				require.NoError(t, err)
				b.fold(live.ID, 1)
				replayed, err := b.store.Create(b.ctx, fmt.Sprint("replayed-", round), nil)
				require.NoError(t, err)
				b.fold(replayed.ID, 1+random.IntN(40))
				requireSameHistory(b.ctx, t, b.store, live.ID, replayed.ID)
				if round == 0 {
					want = b.stateDigest(live.ID)
				}
				require.Equal(t, want, b.stateDigest(live.ID), "round %d", round)
				random.Shuffle(len(log), func(i, j int) { log[i], log[j] = log[j], log[i] })
			}
		})
	}
}

// logWithdrawals logs stories and declarations, and withdrawals of about half of them, some undone and some for ever.
func (b *bundle) logWithdrawals(random *rand.Rand) {
	for i, s := range randomStories(random, 40) {
		event := eventOf(s)
		if i%8 == 0 {
			s.jobFacets = map[string]any{"lineage": map[string]any{"entries": []any{map[string]any{
				"namespace": "warehouse", "name": fmt.Sprint("view", i), "type": "DATASET", "inputs": []any{
					map[string]any{"namespace": "warehouse", "name": fmt.Sprint("base", i), "type": "DATASET"},
				},
			}}}}
			b.logged(lineage.FormatOpenLineage, declaring(s))
			event.EventID = b.log[len(b.log)-1].EventID
		} else {
			b.tell(s)
		}
		subject := lineage.Withdrawal{Event: event}
		if random.IntN(6) == 0 {
			subject = lineage.Withdrawal{Run: runKey(s)}
		}
		for range random.IntN(3) {
			subject.Undone = random.IntN(2) == 0
			b.withdraw(subject, random.IntN(5))
		}
	}
}

func unrepeated(log []lineage.Entry) []lineage.Entry {
	seen := map[string]bool{}
	var once []lineage.Entry
	for _, entry := range log {
		if !seen[entry.EventID] {
			seen[entry.EventID] = true
			once = append(once, entry)
		}
	}
	return once
}

func requireSameHistory(ctx context.Context, t *testing.T, store *projection.Store, a, b projection.ID) {
	t.Helper()
	want, err := store.Digest(ctx, a)
	require.NoError(t, err)
	got, err := store.Digest(ctx, b)
	require.NoError(t, err)
	require.Equal(t, want, got)
	for _, table := range want.Tables {
		if table.Table == "withdrawal" || table.Table == "declaration" {
			require.Positive(t, table.Rows, table.Table)
		}
	}
}

func TestRunOfAnEarlierVersionKeepsItsEvidenceUntilAReplay(t *testing.T) {
	b := setup(t)
	s := story{run: "r1", job: "load", kind: lineage.Complete, minute: 1, inputs: []string{"orders"}, outputs: []string{"mart"}}
	b.complete(s)
	b.fold(b.active, 100)
	_, err := b.pool.Exec(b.ctx, `UPDATE run_event SET contribution = NULL`)
	require.NoError(t, err)
	b.withdraw(lineage.Withdrawal{Event: eventOf(s)}, 0)
	b.fold(b.active, 100)
	require.Equal(t, []string{"orders→mart"}, b.upstream("mart"))
	detail, err := b.store.RunDetail(b.ctx, runKey(s).Hash())
	require.NoError(t, err)
	require.True(t, detail.AwaitsReplay)

	shadow, err := b.store.Create(b.ctx, "shadow", nil)
	require.NoError(t, err)
	b.fold(shadow.ID, 100)
	require.NoError(t, b.store.Switch(b.ctx, shadow.ID))
	require.Empty(t, b.upstream("mart"))
}

func TestRunTellsWhatWasWithdrawnByWhomAndWhy(t *testing.T) {
	b := setup(t)
	first := story{run: "r1", job: "load", kind: lineage.Start, minute: 0, inputs: []string{"rubbish"}}
	second := story{run: "r1", job: "load", kind: lineage.Complete, minute: 1, outputs: []string{"mart"}}
	b.withdraw(lineage.Withdrawal{Event: eventOf(first)}, 0)
	b.tell(first, second)
	b.withdraw(lineage.Withdrawal{Event: eventOf(second)}, 0)
	b.withdraw(lineage.Withdrawal{Event: eventOf(second), Undone: true}, 1)
	b.fold(b.active, 100)
	detail, err := b.store.RunDetail(b.ctx, runKey(first).Hash())
	require.NoError(t, err)
	require.Nil(t, detail.Withdrawn)
	require.Equal(t, "sent by a test", detail.Events[0].Withdrawn.Reason)
	require.Equal(t, "olu", detail.Events[0].Withdrawn.By)
	require.Nil(t, detail.Events[1].Withdrawn)
	require.False(t, detail.AwaitsReplay)

	b.withdraw(lineage.Withdrawal{Run: runKey(first)}, 2)
	b.fold(b.active, 100)
	detail, err = b.store.RunDetail(b.ctx, runKey(first).Hash())
	require.NoError(t, err)
	require.Equal(t, "olu", detail.Withdrawn.By)
	require.Equal(t, lineage.EventType(lineage.EvidenceWithdrawn), detail.Events[len(detail.Events)-1].Type)
}

func TestGatesAreNotWaitedForFromAnEndThatWasWithdrawn(t *testing.T) {
	b := setup(t)
	end := story{run: "r1", job: "load", kind: lineage.Complete, minute: 1, outputs: []string{"mart"}}
	b.tell(end)
	b.fold(b.active, 100)
	received, err := b.store.FirstEndReceivedAt(b.ctx, runKey(end).Hash())
	require.NoError(t, err)
	require.Equal(t, b.log[0].ReceivedAt, received)
	b.withdraw(lineage.Withdrawal{Event: eventOf(end)}, 0)
	b.fold(b.active, 100)
	received, err = b.store.FirstEndReceivedAt(b.ctx, runKey(end).Hash())
	require.NoError(t, err)
	require.Zero(t, received)
}

func TestTimeThatIsUpIsWithdrawnWithItsRunAlone(t *testing.T) {
	for name, first := range map[string]bool{"before it": true, "after it": false} {
		t.Run(name, func(t *testing.T) {
			b := setup(t)
			load := story{run: "r", job: "load", kind: lineage.Complete, minute: 5, outputs: []string{"orders"}}
			b.tell(load)
			b.mark(load, "orders", lineage.TimedOut, "", 65)
			timeout := b.log[1]
			if first {
				b.log = b.log[:1]
			}
			b.withdraw(lineage.Withdrawal{Event: lineage.Sender{Producer: timeout.Producer, EventID: timeout.EventID}}, 1)
			if first {
				b.mark(load, "orders", lineage.TimedOut, "", 65)
			}
			b.fold(b.active, 1)
			require.Len(t, b.run(load).Markers, 1, "its workflow would only find it again")
			b.withdraw(lineage.Withdrawal{Run: runKey(load)}, 2)
			b.fold(b.active, 1)
			require.Empty(t, b.run(load).Markers)
		})
	}
}

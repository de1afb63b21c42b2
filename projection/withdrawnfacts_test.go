package projection_test

import (
	"encoding/json/v2"
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"github.com/headwater-data/headwater/lineage"
	"github.com/headwater-data/headwater/projection"
)

// last names the event that was logged last.
func (b *bundle) last() lineage.Withdrawal {
	entry := b.log[len(b.log)-1]
	return lineage.Withdrawal{Event: lineage.Sender{Producer: entry.Producer, EventID: entry.EventID}}
}

// undone is the withdrawal of a withdrawal.
func undone(w lineage.Withdrawal) lineage.Withdrawal {
	w.Undone = true
	return w
}

// requireWithdrawal withdraws a subject and restores it, and requires what show shows of each.
func (b *bundle) requireWithdrawal(w lineage.Withdrawal, show func() any, with, without any) {
	b.t.Helper()
	b.fold(b.active, 100)
	before := b.stateDigest(b.active)
	require.Equal(b.t, with, show())
	b.withdraw(w, 0)
	b.fold(b.active, 100)
	require.Equal(b.t, without, show())
	b.withdraw(undone(w), 1)
	b.fold(b.active, 100)
	require.Equal(b.t, with, show())
	require.Equal(b.t, before, b.stateDigest(b.active), "everything is as it was")
}

func TestOwnerBeforeTheWithdrawnOneHoldsAgain(t *testing.T) {
	b := setup(t)
	b.ownedBy(5, "orders", "team:a")
	b.ownedBy(9, "orders", "team:wrong")
	wrong := b.last()
	b.requireWithdrawal(wrong, func() any { return b.owner("orders", 0) }, "team:wrong", "team:a")
	require.Equal(t, "team:wrong", b.owner("orders", 2), "what was known before the withdrawal stays so")
	require.Equal(t, "team:a", b.owner("orders", 3))
}

func TestOwnerThatARegistrationStatedLeavesWithIt(t *testing.T) {
	b := setup(t)
	b.complete(story{run: "r", job: "load", minute: 1, outputs: []string{"orders"}})
	b.state(9, lineage.Ownership{Dataset: table("orders"), Owners: []lineage.Owner{{Name: "team:wrong"}}})
	b.requireWithdrawal(b.last(), func() any { return b.owner("orders", 0) }, "team:wrong", "")
}

func TestOwnerThatOnlyAWithdrawnRunNamedLeavesWithTheRun(t *testing.T) {
	b := setup(t)
	owned := story{run: "r", job: "load", minute: 1, outputs: []string{"orders"}, outputFacets: map[string]map[string]any{
		"orders": {"ownership": map[string]any{"owners": []map[string]any{{"name": "team:wrong"}}}},
	}}
	b.complete(owned)
	b.requireWithdrawal(lineage.Withdrawal{Run: runKey(owned)}, func() any { return b.owner("orders", 0) }, "team:wrong", "")
}

func TestSnapshotBeforeTheWithdrawnOneHoldsAgain(t *testing.T) {
	b := setup(t)
	b.declare(0, snapshotOf("shop", model{"orders", []string{"raw"}}, model{"daily", []string{"orders"}}))
	b.declare(30, snapshotOf("shop", model{"orders", []string{"rubbish"}}))
	wrong := b.last()
	b.declare(60, snapshotOf("shop", model{"orders", []string{"raw"}}))
	show := func() any { return append(b.upstreamAt(45, "daily"), b.upstreamAt(45, "orders")...) }
	b.requireWithdrawal(wrong, show, []string{"rubbish→orders"}, []string{"orders→daily", "raw→orders", "raw→orders"})
	require.Equal(t, []string{"raw→orders"}, append(b.upstreamAt(90, "daily"), b.upstreamAt(90, "orders")...))
}

func TestPreviewComparesWithTheSnapshotThatCounts(t *testing.T) {
	b := setup(t)
	b.declare(0, snapshotOf("shop", model{"orders", []string{"raw"}}))
	b.declare(30, snapshotOf("shop", model{"orders", []string{"rubbish"}}))
	b.withdraw(b.last(), 0)
	b.fold(b.active, 100)
	preview, err := b.store.PreviewSnapshot(b.ctx, "test", snapshotOf("shop", model{"orders", []string{"raw"}}), at(60))
	require.NoError(t, err)
	require.Equal(t, at(0), preview.PreviousAt)
	require.Empty(t, preview.Changes)
}

func TestWithdrawnEdgeLeavesTheGraph(t *testing.T) {
	b := setup(t)
	b.stateEdge(5, edge("upload", "daily"))
	b.requireWithdrawal(b.last(), func() any { return b.upstreamAt(20, "daily") }, []string{"upload→daily"}, []string{})
}

func TestEdgeGoesOnWhereItsEndIsWithdrawn(t *testing.T) {
	b := setup(t)
	b.stateEdge(5, edge("upload", "daily"))
	ended := edge("upload", "daily")
	ended.Ended = true
	b.stateEdge(30, ended)
	b.requireWithdrawal(b.last(), func() any { return b.upstreamAt(40, "daily") }, []string{}, []string{"upload→daily"})
}

func TestWithdrawnAliasPartsTheNames(t *testing.T) {
	b := setup(t)
	b.complete(story{run: "r1", job: "write", minute: 1, inputs: []string{"src"}, outputs: []string{"path"}})
	b.complete(story{run: "r2", job: "query", minute: 2, inputs: []string{"table"}, outputs: []string{"report"}})
	b.state(10, registered("table", "path"))
	b.requireWithdrawal(b.last(), func() any { return pairs(b.below("src", 10)) }, []string{"path→report", "src→path"}, []string{"src→path"})
}

func TestAliasHoldsAgainWhereItsEndIsWithdrawn(t *testing.T) {
	b := setup(t)
	b.complete(story{run: "r1", job: "write", minute: 1, inputs: []string{"src"}, outputs: []string{"path"}})
	b.complete(story{run: "r2", job: "query", minute: 2, inputs: []string{"table"}, outputs: []string{"report"}})
	b.state(10, registered("table", "path"))
	b.state(11, lineage.AliasEnd{Alias: table("table"), Of: table("path")})
	b.requireWithdrawal(b.last(), func() any { return pairs(b.below("src", 10)) }, []string{"src→path"}, []string{"path→report", "src→path"})
}

func TestNameThatOnlyWithdrawnEvidenceUsedLeavesTheQueue(t *testing.T) {
	b := twoParts(t)
	queued := func() any {
		list := b.queue(projection.UnresolvedFilter{})
		events := []int64{}
		for _, name := range list.Names {
			events = append(events, name.Events)
		}
		require.Len(t, list.ByNamespace, len(list.Names))
		require.Len(t, list.ByProducer, len(list.Names))
		return events
	}
	first, second := story{run: "r1", job: "load"}, story{run: "r2", job: "report"}
	b.requireWithdrawal(lineage.Withdrawal{Run: runKey(first)}, queued, []int64{2}, []int64{1})
	b.withdraw(lineage.Withdrawal{Run: runKey(first)}, 2)
	b.withdraw(lineage.Withdrawal{Run: runKey(second)}, 2)
	b.fold(b.active, 100)
	require.Equal(t, []int64{}, queued())
	_, err := b.store.UnresolvedName(b.ctx, inWarehouse("Orders"), nil)
	require.ErrorIs(t, err, projection.ErrNotFound)
}

func TestNameStandsInTheQueueAgainWhereItsDismissalIsWithdrawn(t *testing.T) {
	b := twoParts(t)
	b.stateFact(lineage.NameDismissal{Dataset: inWarehouse("Orders")}, 20, "ana")
	b.requireWithdrawal(b.last(), func() any { return len(b.queue(projection.UnresolvedFilter{}).Names) }, 0, 1)
}

func TestSetOfNameRulesIsNotWithdrawn(t *testing.T) {
	b := setup(t)
	b.stateFact(lineage.NameRuleRegistration{Rules: warehouseRules(t, lineage.NamespaceRule{Case: lineage.CaseLower}).Set()}, 1, "ana")
	b.withdraw(b.last(), 0)
	b.fold(b.active, 2)
	registered, _, err := b.store.RegisteredNames(b.ctx)
	require.NoError(t, err)
	require.Len(t, registered, 1)
}

func TestSchemaThatOnlyAWithdrawnEventReadIsNotKnown(t *testing.T) {
	b := setup(t)
	b.tell(story{run: "r", job: "load", kind: lineage.Running, minute: 0, inputs: []string{"orders"}, outputFacets: map[string]map[string]any{
		"orders": {"schema": map[string]any{"fields": []map[string]any{{"name": "rubbish"}}}},
	}})
	wrong := b.last()
	b.complete(story{run: "r", job: "load", minute: 1, inputs: []string{"orders"}, outputs: []string{"mart"}})
	show := func() any {
		answer, err := b.node("orders", 60)
		require.NoError(t, err)
		return len(answer.Schemas.Versions)
	}
	b.requireWithdrawal(wrong, show, 1, 0)
	then, err := b.node("orders", 60, func(r *projection.NodeRequest) { r.RecordedAt = 3 })
	require.NoError(t, err)
	require.Len(t, then.Schemas.Versions, 1, "what was known before the withdrawal stays so")
}

// tellOfEverything logs words of every kind that contradict each other, of a few things, and gives what names each of them.
func (b *bundle) tellOfEverything(random *rand.Rand, count int) []lineage.Withdrawal {
	var subjects []lineage.Withdrawal
	name := func() string { return fmt.Sprint([]string{"s.n", "m"}[random.IntN(2)], random.IntN(3)) }
	owner := func() []map[string]any { return []map[string]any{{"name": fmt.Sprint("team:", random.IntN(3))}} }
	for i := range count {
		from, to, minute := name(), name(), random.IntN(30)
		logged := len(b.log)
		switch random.IntN(8) {
		case 0:
			b.ownedBy(minute, to, fmt.Sprint("team:", random.IntN(3)))
		case 1:
			b.state(minute, lineage.Ownership{Dataset: table(to), Owners: []lineage.Owner{{Name: fmt.Sprint("team:", random.IntN(3))}}})
		case 2:
			told := story{
				run: fmt.Sprint("r", random.IntN(4)), job: "load", kind: lineage.Running, minute: minute, inputs: []string{from}, outputs: []string{to},
				jobFacets:    map[string]any{"ownership": map[string]any{"owners": owner()}, "jobType": map[string]any{"processingType": "STREAMING"}},
				outputFacets: map[string]map[string]any{to: {"documentation": map[string]any{"description": fmt.Sprint("of ", i%3)}}},
			}
			b.tell(told)
			if random.IntN(3) == 0 {
				subjects = append(subjects, lineage.Withdrawal{Run: runKey(told)})
			}
		case 3:
			var models []model
			for m := range 3 {
				if random.IntN(2) == 0 {
					models = append(models, model{fmt.Sprint("s.n", m), []string{from}})
				}
			}
			snapshot := snapshotOf(fmt.Sprint("scope", random.IntN(2)), models...)
			for d := range snapshot.Datasets {
				snapshot.Datasets[d].Fields = []lineage.Field{{Name: fmt.Sprint("c", random.IntN(2))}}
				snapshot.Datasets[d].Documentation = fmt.Sprint("doc ", random.IntN(2))
			}
			b.declare(minute, snapshot)
		case 4:
			stated := edge(from, to)
			stated.Ended = random.IntN(3) == 0
			b.stateEdge(minute, stated)
		case 5:
			if from != to {
				b.state(minute, registered(from, to))
				if random.IntN(3) == 0 {
					b.state(minute+1, lineage.AliasEnd{Alias: table(from), Of: table(to), ValidTo: at(random.IntN(30))})
				}
			}
		case 6:
			b.state(minute, lineage.NameDismissal{Dataset: table(to), Undone: random.IntN(2) == 0})
		case 7:
			b.jobEvent(minute, fmt.Sprint("job", random.IntN(2)), []string{from}, []string{to})
		}
		for _, entry := range b.log[logged:] {
			subjects = append(subjects, lineage.Withdrawal{Event: lineage.Sender{Producer: entry.Producer, EventID: entry.EventID}})
		}
	}
	return subjects
}

// shuffled gives a log its offsets anew, with one received time.
func shuffled(random *rand.Rand, log []lineage.Entry) []lineage.Entry {
	again := make([]lineage.Entry, len(log))
	for i, from := range random.Perm(len(log)) {
		again[i] = log[from]
		again[i].Offset, again[i].ReceivedAt = lineage.Offset(i+1), noon.Add(72*time.Hour)
	}
	return again
}

// beliefs are the rows that answers are made of.
func (b *bundle) beliefs(id projection.ID) []string {
	const query = `SELECT row::text FROM (
		SELECT ROW('attribute', node_id, kind, value_id, said_at, said_key) AS row, 9223372036854775807 AS recorded_to
			FROM attribute_word WHERE projection_id = $1 AND counts
		UNION ALL SELECT ROW('dismissal', node_id, dismissed, event_time, event_key), recorded_to FROM name_dismissal WHERE projection_id = $1
		UNION ALL SELECT ROW('write', timeline_id, content_id, valid_from, first_key, valid_to, stated_from), recorded_to FROM write WHERE projection_id = $1
		UNION ALL SELECT ROW('use', node_id, producer, event_id), 9223372036854775807 FROM unresolved_use WHERE projection_id = $1 AND counts
	) AS beliefs WHERE recorded_to = 9223372036854775807 ORDER BY 1`
	rows, _ := b.pool.Query(b.ctx, query, id)
	beliefs, err := pgx.CollectRows(rows, pgx.RowTo[string])
	require.NoError(b.t, err)
	return beliefs
}

// TestWhateverIsWithdrawnIsAsIfItHadNotCome shuffles words of every kind with withdrawals of half of them. Every order must
// give one state, every way to cut the log one history, and all of them what is believed where the withdrawn words never came.
func TestWhateverIsWithdrawnIsAsIfItHadNotCome(t *testing.T) {
	for seed := range uint64(6) {
		t.Run(fmt.Sprint("seed ", seed), func(t *testing.T) {
			b := setup(t)
			random := rand.New(rand.NewPCG(seed, 21))
			rules := warehouseRules(t, lineage.NamespaceRule{Shape: "schema.table"})
			subjects := b.tellOfEverything(random, 60)
			words := unrepeated(b.log)
			b.log = nil
			withdrawals := lineage.Withdrawals{}
			for _, subject := range subjects {
				for range random.IntN(3) {
					subject.Undone = random.IntN(3) == 0
					b.withdraw(subject, random.IntN(5))
				}
			}
			log := append(unrepeated(b.log), words...)
			for _, entry := range unrepeated(b.log) {
				event, err := lineage.Decode(entry.Format, entry.Payload, lineage.DefaultLimits())
				require.NoError(t, err)
				arrival := entry.Arrival()
				arrival.ReceivedAt = noon.Add(72 * time.Hour)
				withdrawals.Add(lineage.NewStatedWithdrawal(event.Fact.(lineage.Withdrawal), event, arrival))
			}
			var counting []lineage.Entry
			for _, entry := range words {
				event, err := lineage.Decode(entry.Format, entry.Payload, lineage.DefaultLimits())
				require.NoError(t, err)
				if !withdrawals.Cover(lineage.Sender{Producer: entry.Producer, EventID: entry.EventID}, event.RunHash()) {
					counting = append(counting, entry)
				}
			}
			require.Greater(t, len(words), len(counting))
			folded := func(name string, log []lineage.Entry, size int) projection.ID {
				b.log = log
				created, err := b.store.Create(b.ctx, name, rules)
				require.NoError(t, err)
				b.fold(created.ID, size)
				return created.ID
			}
			want := b.beliefs(folded("counting", shuffled(random, counting), 7))
			var state string
			for round := range 4 {
				order := shuffled(random, log)
				live := folded(fmt.Sprint("live-", round), order, 1)
				replayed := folded(fmt.Sprint("replayed-", round), order, 1+random.IntN(60))
				requireSameHistory(b.ctx, t, b.store, live, replayed)
				require.Equal(t, want, b.beliefs(live), "round %d", round)
				if round == 0 {
					state = b.stateDigest(live)
				}
				require.Equal(t, state, b.stateDigest(live), "round %d", round)
			}
		})
	}
}

// TestWithdrawalsChangeNoAnswerThatWasGiven asks what is known while words come and go, and again at the end.
func TestWithdrawalsChangeNoAnswerThatWasGiven(t *testing.T) {
	b := setup(t)
	random := rand.New(rand.NewPCG(7, 21))
	for _, subject := range b.tellOfEverything(random, 40) {
		b.withdraw(subject, random.IntN(5))
	}
	b.log = shuffled(random, unrepeated(b.log))
	type question struct {
		name       string
		minute     int
		recordedAt lineage.Offset
	}
	ask := func(q question) string {
		r := request(dataset(q.name), projection.Upstream)
		r.ValidAt, r.RecordedAt = at(q.minute), q.recordedAt
		answer, err := b.store.Traverse(b.ctx, r)
		if err != nil {
			require.ErrorIs(t, err, projection.ErrNotFound)
		}
		edges, err := json.Marshal(pairs(answer))
		require.NoError(t, err)
		return b.known(q.name, q.minute, q.recordedAt) + string(edges)
	}
	answers := map[question]string{}
	for cursor := range b.log {
		require.NoError(t, b.store.Apply(b.ctx, b.active, b.log[cursor:cursor+1]))
		q := question{fmt.Sprint("s.n", random.IntN(3)), random.IntN(30), lineage.Offset(cursor + 1)}
		answers[q] = ask(q)
	}
	for q, want := range answers {
		require.Equal(t, want, ask(q), "%v", q)
	}
}

package projection_test

import (
	"encoding/json/v2"
	"errors"
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/headwater-data/headwater/lineage"
	"github.com/headwater-data/headwater/projection"
)

// pastQuestion is a question about a point in both times.
type pastQuestion struct {
	kind       string
	start      lineage.Node
	directions []projection.Direction
	lookback   time.Duration
	collapse   bool
	validAt    time.Time
	recordedAt lineage.Offset
}

var (
	drawnTables = rapid.SampledFrom([]string{"a", "b", "c"})
	drawnFields = rapid.SampledFrom([]string{"x", "y"})
	drawnJobs   = rapid.SampledFrom([]string{"job0", "job1", "stream"})
	drawnRuns   = rapid.SampledFrom([]string{"run0", "run1"})
	drawnMinute = rapid.IntRange(0, 6)
)

func drawQuestion(t *rapid.T, folded lineage.Offset) pastQuestion {
	q := pastQuestion{
		kind:       rapid.SampledFrom([]string{"traverse", "traverse", "traverse", "node", "compare", "aliases"}).Draw(t, "question"),
		directions: []projection.Direction{projection.Upstream, projection.Downstream},
		lookback:   rapid.SampledFrom([]time.Duration{0, time.Hour}).Draw(t, "lookback"),
		validAt:    at(drawnMinute.Draw(t, "valid at")),
		recordedAt: folded - lineage.Offset(rapid.IntRange(0, min(2, int(folded)-1)).Draw(t, "offsets ago")),
	}
	q.start = dataset(drawnTables.Draw(t, "start"))
	if q.kind == "traverse" {
		q.collapse = rapid.Bool().Draw(t, "collapse")
		switch rapid.IntRange(0, 3).Draw(t, "kind of start") {
		case 0:
			q.start = field(q.start.Name + "." + drawnFields.Draw(t, "field"))
		case 1:
			q.start = lineage.JobID{Namespace: "scheduler", Name: drawnJobs.Draw(t, "job")}.Node()
		}
	}
	return q
}

// ask gives the answer without what tells of the projection.
func (b *bundle) ask(q pastQuestion) any {
	var answer any
	var err error
	switch q.kind {
	case "traverse":
		r := request(q.start, 0)
		r.Directions, r.Depth, r.ValidAt, r.RecordedAt, r.Lookback, r.Collapse = q.directions, 3, q.validAt, q.recordedAt, q.lookback, q.collapse
		var traversed projection.TraverseAnswer
		traversed, err = b.store.Traverse(b.ctx, r)
		traversed.View = projection.View{}
		answer = traversed
	case "node":
		var node projection.NodeAnswer
		node, err = b.store.GetNode(b.ctx, projection.NodeRequest{Node: q.start, ValidAt: q.validAt, RecordedAt: q.recordedAt, Show: everything})
		node.View = projection.View{}
		answer = node
	case "compare":
		var comparison projection.Comparison
		comparison, err = b.store.CompareDeclared(b.ctx, projection.CompareRequest{
			ValidAt: q.validAt, RecordedAt: q.recordedAt, Lookback: q.lookback, Limit: 100, Show: everything,
		})
		comparison.View = projection.View{}
		answer = comparison
	case "aliases":
		var aliases projection.AliasAnswer
		aliases, err = b.store.ListAliases(b.ctx, projection.AliasRequest{Limit: 100, ValidAt: q.validAt, RecordedAt: q.recordedAt, Show: everything})
		aliases.View = projection.View{}
		answer = aliases
	}
	if errors.Is(err, projection.ErrNotFound) {
		return "not found"
	}
	require.NoError(b.t, err)
	return answer
}

// TestNothingThatArrivesChangesAnAnswerAboutThePast: at or before the cursor, an answer at (valid, recorded) is the same
// for ever, whatever is reported, decided, declared, stated or withdrawn later.
func TestNothingThatArrivesChangesAnAnswerAboutThePast(t *testing.T) {
	b := setup(t)
	rapid.Check(t, func(t *rapid.T) {
		b.forget()
		answers := map[string]any{}
		var questions []pastQuestion
		for range rapid.IntRange(3, 12).Draw(t, "entries") {
			for _, entry := range drawEntries(t, b.log) {
				if !b.knows(entry.payload) {
					b.logged(entry.format, entry.payload)
				}
			}
			b.fold(b.active, 1)
			q := drawQuestion(t, lineage.Offset(len(b.log)))
			questions = append(questions, q)
			answers[fmt.Sprint(q)] = b.ask(q)
		}
		for _, q := range questions {
			require.Equal(t, answers[fmt.Sprint(q)], b.ask(q), "asked %+v after %d entries", q, len(b.log))
		}
	})
}

// forget empties the active projection and the log.
func (b *bundle) forget() {
	const selectTables = `SELECT relname FROM pg_partitioned_table JOIN pg_class ON pg_class.oid = partrelid
		JOIN pg_attribute ON attrelid = partrelid AND attnum = partattrs[0] WHERE attname = 'projection_id'`
	rows, err := b.pool.Query(b.ctx, selectTables)
	require.NoError(b.t, err)
	var tables []string
	var table string
	for rows.Next() {
		require.NoError(b.t, rows.Scan(&table))
		tables = append(tables, table)
	}
	require.NoError(b.t, rows.Err())
	for _, table := range tables {
		_, err := b.pool.Exec(b.ctx, `DELETE FROM `+table)
		require.NoError(b.t, err)
	}
	_, err = b.pool.Exec(b.ctx, `UPDATE projection SET cursor_epoch = 1, cursor_offset = 0, cursor_received_at = '-infinity'`)
	require.NoError(b.t, err)
	b.log, b.store = nil, projection.NewStore(b.pool)
}

// knows reports whether a document stands in the log: the real one would refuse it.
func (b *bundle) knows(payload []byte) bool {
	content, err := lineage.ContentHash(payload)
	require.NoError(b.t, err)
	return slices.ContainsFunc(b.log, func(e lineage.Entry) bool { return e.Content == content })
}

// drawnEntry is a document for the log.
type drawnEntry struct {
	format  lineage.Format
	payload []byte
}

// drawEntries draws what is said next. Runs that end are mostly published at once.
func drawEntries(t *rapid.T, log []lineage.Entry) []drawnEntry {
	kind := rapid.SampledFrom([]string{"run", "run", "run", "run", "decision", "job", "fact", "fact"}).Draw(t, "says")
	if len(log) == 0 {
		kind = "run" // decisions and withdrawals need one
	}
	switch kind {
	case "run":
		event := drawnEntry{lineage.FormatOpenLineage, encoded(drawRunEvent(t))}
		if rapid.IntRange(0, 3).Draw(t, "undecided") == 0 {
			return []drawnEntry{event}
		}
		said := lineage.Entry{Format: event.format, Payload: event.payload}
		return []drawnEntry{event, drawDecision(t, append(slices.Clone(log), said))}
	case "job":
		return []drawnEntry{{lineage.FormatOpenLineage, encoded(map[string]any{
			"eventTime": at(drawnMinute.Draw(t, "minute")).Format(time.RFC3339), "job": map[string]any{"namespace": "scheduler", "name": drawnJobs.Draw(t, "job")},
			"inputs": drawDatasets(t, "input", false), "outputs": drawDatasets(t, "output", true),
		})}}
	case "decision":
		return []drawnEntry{drawDecision(t, log)}
	default:
		return []drawnEntry{drawFact(t, log)}
	}
}

func encoded(document any) []byte {
	payload, err := json.Marshal(document, json.Deterministic(true))
	if err != nil {
		panic(err)
	}
	return payload
}

func drawRunEvent(t *rapid.T) map[string]any {
	run := map[string]any{"runId": drawnRuns.Draw(t, "run")}
	if rapid.IntRange(0, 3).Draw(t, "has a parent") == 0 {
		run["facets"] = map[string]any{"parent": map[string]any{
			"run": map[string]any{"runId": drawnRuns.Draw(t, "parent run")},
			"job": map[string]any{"namespace": "scheduler", "name": drawnJobs.Draw(t, "parent job")},
		}}
	}
	job := map[string]any{"namespace": "scheduler", "name": drawnJobs.Draw(t, "job")}
	if job["name"] == "stream" {
		job["facets"] = map[string]any{"jobType": map[string]any{"processingType": "STREAMING", "integration": "FLINK"}}
	}
	return map[string]any{
		"eventType": rapid.SampledFrom([]lineage.EventType{lineage.Start, lineage.Running, lineage.Complete, lineage.Complete, lineage.Fail}).Draw(t, "type"),
		"eventTime": at(drawnMinute.Draw(t, "minute")).Format(time.RFC3339),
		"run":       run, "job": job, "inputs": drawDatasets(t, "input", false), "outputs": drawDatasets(t, "output", true),
	}
}

// drawDatasets draws up to two datasets, with facets that others are about.
func drawDatasets(t *rapid.T, role string, written bool) []map[string]any {
	list := []map[string]any{}
	for _, name := range rapid.SliceOfNDistinct(drawnTables, 0, 2, rapid.ID[string]).Draw(t, role) {
		facets := map[string]any{}
		if rapid.IntRange(0, 3).Draw(t, "has a symlink") == 0 {
			facets["symlinks"] = symlinksFacet([]string{drawnTables.Draw(t, "symlink")})["symlinks"]
		}
		if written && rapid.Bool().Draw(t, "has columns") {
			facets["columnLineage"] = map[string]any{"fields": map[string]any{drawnFields.Draw(t, "field"): map[string]any{
				"inputFields": []any{map[string]any{"namespace": "warehouse", "name": drawnTables.Draw(t, "source"), "field": drawnFields.Draw(t, "source field")}},
			}}}
		}
		if written && rapid.Bool().Draw(t, "has a schema") {
			facets["schema"] = map[string]any{"fields": []any{map[string]any{
				"name": drawnFields.Draw(t, "field of schema"), "type": rapid.SampledFrom([]string{"INT", "TEXT"}).Draw(t, "type of field"),
			}}}
		}
		if written && rapid.IntRange(0, 3).Draw(t, "changes its life") == 0 {
			change := map[string]any{"lifecycleStateChange": rapid.SampledFrom([]string{"CREATE", "DROP", "RENAME", "TRUNCATE"}).Draw(t, "change")}
			if change["lifecycleStateChange"] == "RENAME" {
				change["previousIdentifier"] = map[string]any{"namespace": "warehouse", "name": drawnTables.Draw(t, "previous name")}
			}
			facets["lifecycleStateChange"] = change
		}
		list = append(list, map[string]any{"namespace": "warehouse", "name": name, "facets": facets})
	}
	return list
}

// drawDecision decides on an output of a run that something was said of, mostly by all that was said.
func drawDecision(t *rapid.T, log []lineage.Entry) drawnEntry {
	var events []lineage.Event
	for _, entry := range log {
		event, err := lineage.Decode(entry.Format, entry.Payload, lineage.DefaultLimits())
		if err == nil && event.Kind == lineage.RunEvent {
			events = append(events, event)
		}
	}
	slices.Reverse(events) // mostly the latest
	event := rapid.SampledFrom(events).Draw(t, "decided")
	decision := lineage.Decision{
		Run: event.Run, Output: lineage.DatasetID{Namespace: "warehouse", Name: "a"},
		Basis:          lineage.Position{Epoch: 1, Offset: lineage.Offset(rapid.SampledFrom([]int{1, len(log), len(log)}).Draw(t, "basis"))},
		Publication:    rapid.SampledFrom([]lineage.Publication{lineage.Published, lineage.Published, lineage.Suspect, lineage.RolledBack}).Draw(t, "publication"),
		PolicyRevision: "test",
	}
	if len(event.Outputs) > 0 {
		decision.Output = rapid.SampledFrom(event.Outputs).Draw(t, "output").DatasetID
	}
	if event.Type.Terminal() {
		decision.EndType = event.Type
	}
	if decision.Publication == lineage.RolledBack {
		decision.Until = at(drawnMinute.Draw(t, "until"))
	}
	payload, err := lineage.EncodeDecision(decision)
	if err != nil {
		panic(err)
	}
	return drawnEntry{lineage.FormatPlatform, payload}
}

func drawFact(t *rapid.T, log []lineage.Entry) drawnEntry {
	names := rapid.SliceOfNDistinct(drawnTables, 2, 2, rapid.ID[string]).Draw(t, "names")
	one, other := lineage.DatasetID{Namespace: "warehouse", Name: names[0]}, lineage.DatasetID{Namespace: "warehouse", Name: names[1]}
	var fact lineage.Fact
	switch rapid.IntRange(0, 4).Draw(t, "fact") {
	case 0:
		fact = lineage.AliasRegistration{Alias: one, Of: other, ValidFrom: at(drawnMinute.Draw(t, "valid from")), Canonical: rapid.Bool().Draw(t, "canonical")}
	case 1:
		fact = lineage.AliasEnd{Alias: one, Of: other, ValidTo: at(drawnMinute.Draw(t, "valid to"))}
	case 2:
		fact = lineage.ManualEdge{From: one, To: other, Ended: rapid.Bool().Draw(t, "ended")}
	case 3:
		fact = lineage.Snapshot{
			Scope: "dbt", Datasets: []lineage.SnapshotDataset{{DatasetID: one}, {DatasetID: other}},
			Flows: []lineage.SnapshotFlow{{Job: lineage.JobID{Namespace: "dbt", Name: "model"}, Inputs: []int{0}, Outputs: []int{1}}}[:rapid.IntRange(0, 1).Draw(t, "flows")],
		}
	default:
		entry := log[rapid.IntRange(0, len(log)-1).Draw(t, "withdrawn")]
		fact = lineage.Withdrawal{Event: lineage.Sender{Producer: entry.Producer, EventID: entry.EventID}, Undone: rapid.Bool().Draw(t, "undone")}
	}
	payload, err := lineage.EncodeFact(fact, lineage.Attribution{EventTime: at(drawnMinute.Draw(t, "minute")), By: "ann"})
	if err != nil {
		panic(err)
	}
	return drawnEntry{lineage.FormatPlatform, payload}
}

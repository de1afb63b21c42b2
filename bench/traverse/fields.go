package main

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/headwater-data/headwater/bench/company"
	"github.com/headwater-data/headwater/bench/report"
	"github.com/headwater-data/headwater/lineage"
	"github.com/headwater-data/headwater/migrations"
	"github.com/headwater-data/headwater/projection"
)

const (
	fieldDatabase  = "fields"
	fieldNamespace = "lake"
)

// threeFieldHops is the target of a warm traversal of three hops over fields at p95.
const threeFieldHops = 50 * time.Millisecond

// fieldBench is the part of the benchmark that walks over fields, in a database of its own.
type fieldBench struct {
	*bench
	graph *fieldGraph
	store *projection.Store
}

// measureFields loads the column lineage of a warehouse through the projector and walks over it.
func (b *bench) measureFields(ctx context.Context) error {
	if err := b.postgres.CreateDatabase(ctx, fieldDatabase); err != nil {
		return err
	}
	pool, err := pgxpool.New(ctx, b.postgres.URL(fieldDatabase))
	if err != nil {
		return err
	}
	defer pool.Close()
	if _, err := migrations.Up(ctx, pool); err != nil {
		return err
	}
	f := &fieldBench{b, newFieldGraph(b.fields, b.random), projection.NewStore(pool)}
	section := b.Section("Fields: %d tables of %d columns, %d edges between fields", b.fields, columnsATable, f.graph.edges())
	if err := f.load(ctx, section); err != nil {
		return err
	}
	if err := tellFieldRows(ctx, pool, section); err != nil {
		return err
	}
	for _, way := range directions {
		latencies, examined, err := f.walk(ctx, way.direction)
		if err != nil {
			return err
		}
		section.Note(way.name+", three hops, edges of the average answer", examined, "")
		section.Note(way.name+", three hops, p50", milliseconds(latencies.At(50)), "ms")
		section.AtMost(way.name+", three hops, p95", milliseconds(latencies.At(95)), milliseconds(threeFieldHops), "ms")
		section.Note(way.name+", three hops, p99", milliseconds(latencies.At(99)), "ms")
	}
	return nil
}

func milliseconds(d time.Duration) float64 { return float64(d) / float64(time.Millisecond) }

// load folds a run for each table, with the decision that publishes it.
func (f *fieldBench) load(ctx context.Context, section report.Section) error {
	active, err := f.store.Active(ctx)
	if err != nil {
		return err
	}
	begun, progress := time.Now(), f.progress()
	var offset lineage.Offset
	batch := make([]lineage.Entry, 0, replayBatch)
	for table := int32(f.graph.sources); int(table) < f.graph.tables; table++ {
		told, err := f.told(table, offset)
		if err != nil {
			return err
		}
		offset += lineage.Offset(len(told))
		batch = append(batch, told...)
		if len(batch) == replayBatch || int(table) == f.graph.tables-1 {
			if err := f.store.Apply(ctx, active.ID, batch); err != nil {
				return err
			}
			batch = batch[:0]
			progress("%d of %d tables are folded", table+1, f.graph.tables)
		}
	}
	section.Note("edges between fields folded a second", float64(f.graph.edges())/time.Since(begun).Seconds(), "/s")
	return nil
}

// told are the entries that make a table's columns known, behind an offset.
func (f *fieldBench) told(table int32, behind lineage.Offset) ([]lineage.Entry, error) {
	run := lineage.RunKey{Job: lineage.JobID{Namespace: fieldNamespace, Name: "make " + fieldTable(table)}, RunID: fmt.Sprintf("run-%d", table)}
	payload := f.graph.document(table, run.RunID, company.Begin.Format(time.RFC3339))
	decision := lineage.Decision{
		Run: run, Output: lineage.DatasetID{Namespace: fieldNamespace, Name: fieldTable(table)},
		Basis: lineage.Position{Epoch: 1, Offset: behind + 1}, EndType: lineage.Complete, Publication: lineage.Published, PolicyRevision: "bench",
	}
	decided, err := lineage.EncodeDecision(decision)
	if err != nil {
		return nil, err
	}
	entry := func(offset lineage.Offset, eventID string, format lineage.Format, payload []byte) lineage.Entry {
		return lineage.Entry{
			Epoch: 1, Offset: offset, ReceivedAt: company.Begin.Add(time.Hour), Producer: "bench", EventID: eventID, Format: format,
			Run: run.Hash(), Content: lineage.HashOf(payload), Payload: payload,
		}
	}
	return []lineage.Entry{
		entry(behind+1, run.RunID, lineage.FormatOpenLineage, payload),
		entry(behind+2, decision.ID().String(), lineage.FormatPlatform, decided),
	}, nil
}

// tellFieldRows reports what the column lineage takes.
func tellFieldRows(ctx context.Context, pool *pgxpool.Pool, section report.Section) error {
	for _, table := range []string{"field", "column_map", "column_map_input", "column_map_field", "column_set", "column_set_input"} {
		var rows, bytes int64
		err := pool.QueryRow(ctx, fmt.Sprintf(`SELECT count(*), pg_total_relation_size('%[1]s_p1') FROM %[1]s_p1`, table)).Scan(&rows, &bytes)
		if err != nil {
			return fmt.Errorf("measure %s: %w", table, err)
		}
		section.Note("rows of "+table, float64(rows), "")
		section.Note("  with indexes", float64(bytes)/(1<<20), "MiB")
	}
	if _, err := pool.Exec(ctx, `VACUUM (ANALYZE)`); err != nil {
		return fmt.Errorf("analyze: %w", err)
	}
	return nil
}

// walk asks from random columns: once to fill the caches and to check the answer, and once measured.
func (f *fieldBench) walk(ctx context.Context, direction projection.Direction) (latencies report.Latencies, edges float64, err error) {
	for range f.samples {
		table := f.graph.sources + f.random.IntN(f.graph.tables-f.graph.sources)
		start := fieldNode{int32(table), 1 + f.random.IntN(columnsATable-1)}
		answer, _, err := f.askField(ctx, start, direction)
		if err != nil {
			return nil, 0, err
		}
		f.checkField(start, direction, answer)
		_, took, err := f.askField(ctx, start, direction)
		if err != nil {
			return nil, 0, err
		}
		latencies = append(latencies, took)
		edges += float64(len(answer.Edges)) / float64(f.samples)
	}
	return latencies, edges, nil
}

// fieldDepth is how many hops are walked over fields.
const fieldDepth = 3

func (f *fieldBench) askField(ctx context.Context, start fieldNode, direction projection.Direction) (projection.TraverseAnswer, time.Duration, error) {
	begun := time.Now()
	view, err := f.policies.Visibility(ctx, caller)
	if err != nil {
		return projection.TraverseAnswer{}, 0, err
	}
	table := lineage.DatasetID{Namespace: fieldNamespace, Name: fieldTable(start.table)}
	answer, err := f.store.Traverse(ctx, projection.TraverseRequest{
		Start:      table.Field(lineage.FieldPath(fmt.Sprintf("c%02d", start.column))),
		Directions: []projection.Direction{direction}, Depth: fieldDepth, ValidAt: company.Begin.Add(time.Hour), Lookback: lookback,
		NodeBudget: nodeBudget, EdgeBudget: edgeBudget, TimeBudget: timeBudget, Show: view.Show, SeesAll: !view.Restricted(),
	})
	return answer, time.Since(begun), err
}

// checkField compares an answer with the truth, and keeps what differs.
func (f *fieldBench) checkField(start fieldNode, direction projection.Direction, answer projection.TraverseAnswer) {
	f.checked++
	missing := map[string]bool{}
	for edge := range f.graph.around(start, direction == projection.Upstream, fieldDepth) {
		missing[edge.from.name()+" → "+edge.to.name()] = true
	}
	if len(missing) > edgeBudget {
		return
	}
	fail := func(format string, args ...any) {
		f.wrong = append(f.wrong, fmt.Errorf("%s, direction %d: %s", start.name(), direction, fmt.Sprintf(format, args...)))
	}
	for _, edge := range answer.Edges {
		told := nodeName(edge.From) + " → " + nodeName(edge.To)
		if !missing[told] {
			fail("edge %s is in the answer, which is not true", told)
			return
		}
		delete(missing, told)
	}
	if len(missing) > 0 && !slices.Contains(answer.Incomplete, projection.NodeBudgetSpent) {
		fail("%d edges are missing, %s among them", len(missing), slices.Collect(maps.Keys(missing))[0])
	}
	if len(answer.TableEdges) > 0 {
		fail("%d tables are said to be without column lineage", len(answer.TableEdges))
	}
}

func nodeName(node lineage.Node) string {
	if node.Kind == lineage.NodeField {
		return node.Name + "." + string(node.Path)
	}
	return node.Name
}

package projection

import (
	"bytes"
	"context"
	"encoding/json/v2"
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgtype"

	"github.com/headwater-data/headwater/lineage"
)

// writer queues what one batch writes, and sends it in one pipeline.
type writer struct {
	id    ID
	batch pgx.Batch
}

// write writes everything that changed. Rows close before others open, since their keys may be the same.
func (c *changes) write(ctx context.Context, tx pgx.Tx, id ID, runs foldedRuns) error {
	w := &writer{id: id}
	w.queueNodes(c.nodes)
	if err := w.queueNames(&c.named, c.evidence); err != nil {
		return err
	}
	if err := w.queueRuns(runs); err != nil {
		return err
	}
	if err := w.queuePlaceholders(c.mentioned, runs); err != nil {
		return err
	}
	if err := w.queueEvents(c.events); err != nil {
		return err
	}
	if err := w.queueDeclarations(c.stated, c.evidence); err != nil {
		return err
	}
	if err := w.queueWithdrawals(c.withdrawals); err != nil {
		return err
	}
	w.queueCounting(c.evidence)
	if err := w.queueRegisteredAliases(c.aliases); err != nil {
		return err
	}
	w.queueAliases(c.called)
	if err := forgetKnown(ctx, tx, id, selectKnownSchemas, c.schemas); err != nil {
		return err
	}
	if err := forgetKnown(ctx, tx, id, selectKnownMaps, c.columnMaps); err != nil {
		return err
	}
	if err := forgetKnown(ctx, tx, id, selectKnownMaps, c.columnUnions); err != nil {
		return err
	}
	w.queueColumnMaps(c.columnMaps)
	w.queueColumnUnions(c.columnUnions)
	w.queueRunParents(c.parents)
	w.queueFlows(c.flows, c.spans(), c.rewritten)
	w.queueSnapshots(c.snapshots, c.evidence)
	w.queueWords(c.words, c.evidence)
	if err := w.queueSchemas(c.schemas); err != nil {
		return err
	}
	w.queueClosed(closeStatement, c.statementRows.closed)
	w.queueStatements(c.statementRows.opened)
	w.queueClosed(closeWrite, c.writes.closed)
	w.queueWrites(c.writes.opened)
	for flow, at := range c.rewritten {
		w.batch.Queue(updateSpan, w.id, flow, int64(at))
	}
	if err := tx.SendBatch(ctx, &w.batch).Close(); err != nil {
		return fmt.Errorf("write the batch: %w", err)
	}
	return nil
}

// column gives one column of rows, as unnest takes it.
func column[R, T any](rows []R, value func(R) T) []T {
	values := make([]T, len(rows))
	for i, row := range rows {
		values[i] = value(row)
	}
	return values
}

func (w *writer) queueNodes(nodes map[lineage.NodeID]nodeRow) {
	ids := sortedKeys(nodes)
	w.batch.Queue(insertNodes, w.id,
		column(ids, func(id lineage.NodeID) lineage.Hash { return lineage.Hash(id) }),
		column(ids, func(id lineage.NodeID) int16 { return int16(nodes[id].Kind) }),
		column(ids, func(id lineage.NodeID) string { return nodes[id].Namespace }),
		column(ids, func(id lineage.NodeID) string { return nodes[id].Name }),
		column(ids, func(id lineage.NodeID) int64 { return int64(nodes[id].at) }))
}

func (w *writer) queueRuns(folded foldedRuns) error {
	var runs []*foldedRun
	var bodies, decisions []string
	for _, key := range sortedKeys(folded) {
		run := folded[key]
		body, err := json.Marshal(run.run)
		if err != nil {
			return fmt.Errorf("encode run %s: %w", key, err)
		}
		decided, err := json.Marshal(lineage.Kept(run.decisions))
		if err != nil {
			return fmt.Errorf("encode decisions of run %s: %w", key, err)
		}
		runs, bodies, decisions = append(runs, run), append(bodies, string(body)), append(decisions, string(decided))
	}
	w.batch.Queue(upsertRuns, w.id,
		column(runs, func(r *foldedRun) lineage.Hash { return r.run.Key.Hash() }),
		column(runs, func(r *foldedRun) string { return r.run.Key.RunID }),
		column(runs, func(r *foldedRun) string { return r.run.Key.Job.Namespace }),
		column(runs, func(r *foldedRun) string { return r.run.Key.Job.Name }),
		column(runs, func(r *foldedRun) lineage.Hash { return lineage.Hash(r.run.Key.Job.Node().ID()) }),
		column(runs, func(r *foldedRun) *lineage.Hash { return r.parentKey() }),
		column(runs, func(r *foldedRun) int16 { return int16(r.run.State()) }),
		column(runs, func(r *foldedRun) bool { return r.settled() }),
		column(runs, func(r *foldedRun) int16 { return int16(r.awaits()) }),
		column(runs, func(r *foldedRun) *time.Time { return r.beganAt() }),
		bodies, decisions,
		column(runs, func(r *foldedRun) int64 { return int64(r.first) }),
		column(runs, func(r *foldedRun) int32 { return int32(r.basis.Epoch) }),
		column(runs, func(r *foldedRun) int64 { return int64(r.basis.Offset) }),
		column(runs, func(r *foldedRun) *time.Time { return nominalStartOf(r.run) }),
		column(runs, func(r *foldedRun) int16 { return int16(r.publications()) }),
		column(runs, func(r *foldedRun) int32 { return int32(r.weighed.Epoch) }),
		column(runs, func(r *foldedRun) int64 { return int64(r.weighed.Offset) }))
	return nil
}

// nominalStartOf is the time that a run is for, or nil.
func nominalStartOf(run lineage.Run) *time.Time {
	if start := run.Nominal.Value.Start; !start.IsZero() {
		return &start
	}
	return nil
}

// parentKey is the key of the run's parent, or nil.
func (r *foldedRun) parentKey() *lineage.Hash {
	if r.parent == (lineage.RunKey{}) {
		return nil
	}
	return nullable(r.parent.Hash())
}

func (w *writer) queueEvents(events []runEventRow) error {
	warnings, err := encodedWarnings(events, func(e runEventRow) fact { return e.fact })
	if err != nil {
		return err
	}
	w.batch.Queue(insertRunEvents, w.id,
		column(events, func(e runEventRow) lineage.Hash { return e.run }),
		column(events, func(e runEventRow) int64 { return int64(e.entry.Offset) }),
		column(events, func(e runEventRow) string { return e.entry.Producer }),
		column(events, func(e runEventRow) string { return e.entry.EventID }),
		column(events, func(e runEventRow) string { return string(e.event.Type) }),
		column(events, func(e runEventRow) time.Time { return e.contribution.EventTime }),
		column(events, func(e runEventRow) time.Time { return e.contribution.EffectiveAt }),
		column(events, func(e runEventRow) time.Time { return e.entry.ReceivedAt }),
		warnings,
		column(events, func(e runEventRow) *string { return e.keptText() }))
	return nil
}

func (w *writer) queueFlows(flows map[lineage.Hash]flowRow, spans map[lineage.Hash]span, rewritten map[lineage.Hash]lineage.Offset) {
	ids := sortedKeys(flows)
	w.batch.Queue(insertFlows, w.id, ids,
		column(ids, func(id lineage.Hash) *lineage.Hash {
			if flows[id].Job == (lineage.JobID{}) {
				return nil
			}
			return nullable(lineage.Hash(flows[id].Job.Node().ID()))
		}),
		column(ids, func(id lineage.Hash) int32 { return int32(len(flows[id].Inputs)) }),
		column(ids, func(id lineage.Hash) int64 { return int64(flows[id].at) }))
	var of, inputs []lineage.Hash
	var since, until []pgtype.Timestamptz
	var recorded, spanned []int64
	for _, id := range ids {
		begin, end := spans[id].bounds()
		first := flows[id].at
		last := max(first, rewritten[id])
		for _, input := range flows[id].Inputs {
			of, inputs = append(of, id), append(inputs, lineage.Hash(input.ID()))
			since, until = append(since, begin), append(until, end)
			recorded, spanned = append(recorded, int64(first)), append(spanned, int64(last))
		}
	}
	w.batch.Queue(insertFlowInputs, w.id, of, inputs, since, until, recorded, spanned)
}

func (w *writer) queueStatements(opened []*version[statementRow]) {
	w.batch.Queue(insertStatements, w.id,
		column(opened, func(v *version[statementRow]) lineage.Hash { return v.row.timeline }),
		column(opened, func(v *version[statementRow]) time.Time { return v.row.moment().EffectiveAt }),
		column(opened, func(v *version[statementRow]) lineage.Hash { return v.row.key }),
		column(opened, func(v *version[statementRow]) int64 { return int64(v.from) }),
		column(opened, func(v *version[statementRow]) int64 { return int64(v.to) }),
		column(opened, func(v *version[statementRow]) lineage.Hash { return v.row.content }),
		column(opened, func(v *version[statementRow]) lineage.Hash { return lineage.Hash(v.row.output) }),
		column(opened, func(v *version[statementRow]) bool { return v.row.speaks }),
		column(opened, func(v *version[statementRow]) int16 { return int16(v.row.origin) }),
		column(opened, func(v *version[statementRow]) int16 { return int16(v.row.publication) }),
		column(opened, func(v *version[statementRow]) int16 { return int16(v.row.derivation) }),
		column(opened, func(v *version[statementRow]) string { return v.row.runID }),
		column(opened, func(v *version[statementRow]) int16 { return int16(v.row.runState) }),
		column(opened, func(v *version[statementRow]) string { return v.row.jobVersion }),
		column(opened, func(v *version[statementRow]) string { return v.row.sender.Producer }),
		column(opened, func(v *version[statementRow]) string { return v.row.sender.EventID }),
		column(opened, func(v *version[statementRow]) time.Time { return v.row.validUntil() }),
		column(opened, func(v *version[statementRow]) int16 { return int16(v.row.level) }))
}

func (w *writer) queueWrites(opened []*version[writeRow]) {
	w.batch.Queue(insertWrites, w.id,
		column(opened, func(v *version[writeRow]) lineage.Hash { return v.row.timeline }),
		column(opened, func(v *version[writeRow]) time.Time { return v.row.moment().EffectiveAt }),
		column(opened, func(v *version[writeRow]) lineage.Hash { return v.row.key }),
		column(opened, func(v *version[writeRow]) int64 { return int64(v.from) }),
		column(opened, func(v *version[writeRow]) int64 { return int64(v.to) }),
		column(opened, func(v *version[writeRow]) lineage.Hash { return v.row.content }),
		column(opened, func(v *version[writeRow]) lineage.Hash { return lineage.Hash(v.row.output) }),
		column(opened, func(v *version[writeRow]) int16 { return int16(v.row.origin) }),
		column(opened, func(v *version[writeRow]) time.Time { return v.row.to }),
		column(opened, func(v *version[writeRow]) *time.Time { return v.row.uncovered() }),
		column(opened, func(v *version[writeRow]) int16 { return int16(v.row.level) }),
		column(opened, func(v *version[writeRow]) *lineage.Hash { return nullable(v.row.job) }))
}

func (w *writer) queueClosed(query string, closed map[statementKey]lineage.Offset) {
	for key, at := range closed {
		w.batch.Queue(query, w.id, key.timeline, key.moment().EffectiveAt, key.key, int64(at))
	}
}

func nullable(hash lineage.Hash) *lineage.Hash {
	if hash.IsZero() {
		return nil
	}
	return &hash
}

// sortedKeys gives the keys of rows in one order, so that transactions lock rows in that order.
func sortedKeys[K ~[16]byte, V any](rows map[K]V) []K {
	return slices.SortedFunc(maps.Keys(rows), func(a, b K) int {
		first, second := [16]byte(a), [16]byte(b)
		return bytes.Compare(first[:], second[:])
	})
}

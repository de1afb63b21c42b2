package projection

import (
	"context"
	"encoding/json/v2"
	"fmt"
	"maps"
	"slices"

	"github.com/jackc/pgx/v5"

	"github.com/headwater-data/headwater/lineage"
)

// storedRun is a row of table run.
type storedRun struct {
	run       lineage.Run
	decisions []lineage.RecordedDecision
	first     lineage.Offset
	basis     lineage.Position
}

// foldedRun is a run within a batch, with the statements that it makes as it stands.
type foldedRun struct {
	storedRun
	statements map[statementKey]statementRow
}

// foldedRuns are the runs that a batch touches.
type foldedRuns map[lineage.Hash]*foldedRun

const selectRuns = `SELECT run_key, body, decisions, first_offset, last_epoch, last_offset
	FROM run WHERE projection_id = $1 AND run_key = ANY($2)`

func touchedRuns(facts []fact) []lineage.Hash {
	touched := map[lineage.Hash]bool{}
	for _, fact := range facts {
		if key := fact.event.RunHash(); fact.err == nil && !key.IsZero() {
			touched[key] = true
		}
	}
	return slices.Collect(maps.Keys(touched))
}

func loadRuns(ctx context.Context, tx pgx.Tx, id ID, names *lineage.NameRules, keys []lineage.Hash) (foldedRuns, error) {
	runs := make(foldedRuns, len(keys))
	rows, err := tx.Query(ctx, selectRuns, id, keys)
	if err != nil {
		return nil, fmt.Errorf("read runs: %w", err)
	}
	defer rows.Close()
	for rows.Next() {
		key, stored, err := scanRun(rows)
		if err != nil {
			return nil, err
		}
		runs[key] = &foldedRun{storedRun: stored, statements: statementRows(stored.run.Under(names).Statements(), stored.run.State())}
	}
	if err := rows.Err(); err != nil {
		return nil, fmt.Errorf("read runs: %w", err)
	}
	return runs, nil
}

func scanRun(rows pgx.Rows) (lineage.Hash, storedRun, error) {
	var key lineage.Hash
	var body, decisions []byte
	var stored storedRun
	err := rows.Scan(&key, &body, &decisions, &stored.first, &stored.basis.Epoch, &stored.basis.Offset)
	if err != nil {
		return key, stored, fmt.Errorf("read run: %w", err)
	}
	if err := json.Unmarshal(body, &stored.run); err != nil {
		return key, stored, fmt.Errorf("read body of run %s: %w", key, err)
	}
	if err := json.Unmarshal(decisions, &stored.decisions); err != nil {
		return key, stored, fmt.Errorf("read decisions of run %s: %w", key, err)
	}
	return key, stored, nil
}

// fold takes in one fact and notes what it changes.
func (r foldedRuns) fold(f fact, changes *changes) {
	if f.err != nil {
		return
	}
	switch f.event.Kind {
	case lineage.RunEvent, lineage.MarkerEvent:
		run := r.get(f.event.Run, f.entry.Offset)
		run.run.Add(f.contribution)
		run.basis = f.entry.Position()
		changes.addRunEvent(f)
		r.settle(run, f.entry.Offset, changes)
	case lineage.PublicationDecidedEvent:
		run := r.get(f.event.Decision.Run, f.entry.Offset)
		run.decisions = append(run.decisions, lineage.RecordedDecision{
			Decision: f.event.Decision, Recorded: f.entry.Offset, ReceivedAt: f.entry.ReceivedAt,
			Overtaken: run.basis.Compare(f.event.Decision.Basis) > 0,
		})
		r.settle(run, f.entry.Offset, changes)
	case lineage.JobEvent, lineage.DatasetEvent:
		changes.addMentioned(f.event, f.entry.Offset)
		changes.addDeclared(f)
	case lineage.FactEvent:
		if _, isEdge := f.event.Fact.(lineage.ManualEdge); isEdge {
			changes.addDeclared(f)
		}
	}
}

func (r foldedRuns) get(key lineage.RunKey, at lineage.Offset) *foldedRun {
	hash := key.Hash()
	run, ok := r[hash]
	if !ok {
		run = &foldedRun{storedRun: storedRun{run: lineage.Run{Key: key}, first: at}}
		r[hash] = run
	}
	return run
}

// settle brings the run's publications up to date and notes how its statements differ from before.
func (r foldedRuns) settle(run *foldedRun, at lineage.Offset, changes *changes) {
	run.run.ApplyDecisions(run.decisions)
	statements := run.run.Under(changes.names).Statements()
	after := statementRows(statements, run.run.State())
	changes.addStatements(at, run.statements, after)
	changes.addFlows(statements, at)
	run.statements = after
}

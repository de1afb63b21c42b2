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
	// weighed is the last event under which decisions might be others than before it.
	weighed lineage.Position
}

// placeholder reports whether nothing of the run itself has come.
func (r *storedRun) placeholder() bool { return r.basis == (lineage.Position{}) }

// foldedRun is a run within a batch, with the statements that it makes as it stands.
type foldedRun struct {
	storedRun
	// parent is the run's parent as it was last noted.
	parent lineage.RunKey
	// ruling and stating are of the run with the evidence so far.
	ruling  lineage.Ruling
	stating *lineage.RunStatements
	// statements are those that it makes, by the output that they are of, as [lineage.RunStatements.All] has it.
	statements map[lineage.Node]map[statementKey]statementRow
}

// foldedRuns are the runs that a batch touches.
type foldedRuns map[lineage.Hash]*foldedRun

// runColumns are what scanRun reads.
const runColumns = `run_key, body, decisions, first_offset, last_epoch, last_offset,
		coalesce(weighed_epoch, last_epoch), coalesce(weighed_offset, last_offset)`

const selectRuns = `SELECT r.* FROM unnest($2::uuid[]) AS touched(run_key)
	CROSS JOIN LATERAL (
		SELECT ` + runColumns + `
		FROM run WHERE projection_id = $1 AND run_key = touched.run_key OFFSET 0
	) AS r`

// touchedRuns are the runs that facts are about, or that they take evidence from.
func touchedRuns(facts []fact, evidence *evidence) []lineage.Hash {
	touched := map[lineage.Hash]bool{}
	for run := range evidence.histories {
		touched[run] = true
	}
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
		run := &foldedRun{storedRun: stored, parent: stored.run.Parent.Value, ruling: stored.run.Ruling(stored.decisions)}
		run.stating = run.run.StatementsUnder(names)
		run.statements = map[lineage.Node]map[statementKey]statementRow{}
		for output, statements := range run.stating.All() {
			run.statements[output] = statementRows(statements, run.run.State())
		}
		runs[key] = run
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
	err := rows.Scan(&key, &body, &decisions, &stored.first, &stored.basis.Epoch, &stored.basis.Offset,
		&stored.weighed.Epoch, &stored.weighed.Offset)
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

// fold takes in one fact about a run and notes what it changes. counts tells whether it is not withdrawn.
func (r foldedRuns) fold(f fact, counts bool, evidence *evidence, changes *changes) {
	at := f.entry.Offset
	switch f.event.Kind {
	case lineage.RunEvent, lineage.MarkerEvent:
		run := r.get(f.event.Run, at)
		before := run.run
		if counts {
			run.add(f.contribution, evidence)
		}
		run.basis = f.entry.Position()
		if run.weighed == (lineage.Position{}) || !run.run.WeighsAs(&before) {
			run.weighed = run.basis
		}
		changes.addRunEvent(f)
		run.settle(at, changes)
	case lineage.PublicationDecidedEvent:
		run := r.get(f.event.Decision.Run, at)
		decision := lineage.RecordedDecision{
			Decision: f.event.Decision, Recorded: at, ReceivedAt: f.entry.ReceivedAt,
			Overtaken: run.weighed.Compare(f.event.Decision.Basis) > 0 && !run.run.Entails(f.event.Decision),
		}
		run.decisions = append(run.decisions, decision)
		if run.run.ApplyDecision(run.ruling, decision) {
			run.restate(decision.Output, at, changes)
		}
	case lineage.JobEvent, lineage.DatasetEvent, lineage.FactEvent: // about no run
	}
}

// add takes in what an event contributes. A run that splits by it is folded anew, as far as its evidence was kept.
func (r *foldedRun) add(c lineage.Contribution, evidence *evidence) {
	if !r.run.Splits(c) || !r.refold(evidence) {
		r.run.Add(c)
	}
}

// withdraw folds the run anew that a withdrawal takes evidence out of, or puts it back into.
func (r foldedRuns) withdraw(f fact, evidence *evidence, changes *changes) {
	run := r[evidence.runOf(f.withdrawal.Value.Withdrawal)]
	if run == nil || run.placeholder() {
		return // nothing of it has come
	}
	run.refold(evidence)
	run.basis = f.entry.Position()
	run.weighed = run.basis
	changes.addRunWithdrawal(run.run.Key.Hash(), f)
	run.settle(f.entry.Offset, changes)
}

func (r foldedRuns) get(key lineage.RunKey, at lineage.Offset) *foldedRun {
	hash := key.Hash()
	run, ok := r[hash]
	if !ok {
		run = &foldedRun{storedRun: storedRun{run: lineage.Run{Key: key}}, ruling: lineage.Ruling{}}
		r[hash] = run
	}
	if run.placeholder() {
		run.first = at
	}
	return run
}

// settle brings the run's publications up to date with its evidence, and notes how its statements differ from before.
func (r *foldedRun) settle(at lineage.Offset, changes *changes) {
	r.ruling = r.run.ApplyDecisions(r.decisions)
	r.stating = r.run.StatementsUnder(changes.names)
	before := r.statements
	r.statements = map[lineage.Node]map[statementKey]statementRow{}
	for output, statements := range r.stating.All() {
		r.state(output, statements, before[output], at, changes)
		delete(before, output)
	}
	for _, gone := range slices.SortedFunc(maps.Keys(before), lineage.Node.Compare) {
		changes.addStatements(at, before[gone], nil)
	}
	changes.noteParent(r.run.Key.Hash(), r.parent, r.run.Parent.Value, at)
	r.parent = r.run.Parent.Value
}

// restate notes how what the run states of one output, which was decided, differs from before.
func (r *foldedRun) restate(decided lineage.DatasetID, at lineage.Offset, changes *changes) {
	output, statements := r.stating.Of(decided)
	r.state(output, statements, r.statements[output], at, changes)
}

// state notes the statements of one output, and how they differ from before.
func (r *foldedRun) state(output lineage.Node, statements []lineage.Statement, before map[statementKey]statementRow, at lineage.Offset, changes *changes) {
	after := statementRows(statements, r.run.State())
	changes.addStatements(at, before, after)
	changes.addFlows(statements, at)
	r.statements[output] = after
}

package projection

import (
	"context"
	"maps"
	"slices"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/headwater-data/headwater/lineage"
)

// evidence tells what counts of the events of a batch, and holds what a withdrawal in it takes out of the answers or puts
// back.
type evidence struct {
	withdrawals lineage.Withdrawals
	// histories are those of the runs that a withdrawal of the batch may be about, by run.
	histories map[lineage.Hash]*history
	// runs gives the run of each event that a withdrawal of the batch may be about, and declarations what it declares, by
	// lineage.Sender.Hash.
	runs         map[lineage.Hash]lineage.Hash
	declarations map[lineage.Hash]declaration
}

// loadEvidence reads what bears on the facts of a batch. Without a withdrawal among them, that is one query.
func loadEvidence(ctx context.Context, tx pgx.Tx, id ID, facts []fact) (*evidence, error) {
	e := &evidence{histories: map[lineage.Hash]*history{}, runs: map[lineage.Hash]lineage.Hash{}}
	subjects := map[lineage.Hash]bool{}
	var withdrawn []lineage.Withdrawal
	for _, f := range facts {
		if f.withdraws() {
			withdrawn = append(withdrawn, f.withdrawal.Value.Withdrawal)
			subjects[f.withdrawal.Value.Subject()] = true
		}
		if f.contributes() {
			subjects[f.contribution.Sender.Hash()] = true
			subjects[f.event.RunHash()] = true
		}
	}
	if len(withdrawn) > 0 {
		if err := e.loadWithdrawn(ctx, tx, id, withdrawn, facts); err != nil {
			return nil, err
		}
		for run, history := range e.histories {
			subjects[run] = true
			for _, c := range history.contributions {
				subjects[c.Sender.Hash()] = true
			}
		}
	}
	var err error
	e.withdrawals, err = readWithdrawals(ctx, tx, id, slices.Collect(maps.Keys(subjects)))
	return e, err
}

// loadWithdrawn reads the runs and the declarations that withdrawals are about.
func (e *evidence) loadWithdrawn(ctx context.Context, tx pgx.Tx, id ID, withdrawn []lineage.Withdrawal, facts []fact) error {
	sought := map[lineage.Hash]bool{}
	var events []lineage.Sender
	var runs []lineage.Hash
	for _, w := range withdrawn {
		if w.Event == (lineage.Sender{}) {
			runs = append(runs, w.Run.Hash())
			continue
		}
		events = append(events, w.Event)
		sought[w.Event.Hash()] = true
	}
	var err error
	if e.runs, err = runsOfEvents(ctx, tx, id, events); err != nil {
		return err
	}
	runs = slices.AppendSeq(runs, maps.Values(e.runs))
	for _, f := range facts {
		if run := f.event.RunHash(); f.contributes() && !run.IsZero() && sought[f.contribution.Sender.Hash()] {
			runs = append(runs, run)
		}
	}
	if e.histories, err = loadHistories(ctx, tx, id, runs); err != nil {
		return err
	}
	e.declarations, err = loadDeclarations(ctx, tx, id, events)
	return err
}

// loadSplit reads the histories of runs that an event of the batch may split.
func (e *evidence) loadSplit(ctx context.Context, tx pgx.Tx, id ID, facts []fact, runs foldedRuns) error {
	listed := map[lineage.Hash]time.Time{}
	split := map[lineage.Hash]bool{}
	for _, f := range facts {
		key := f.event.RunHash()
		if !f.contribution.Whole || key.IsZero() {
			continue
		}
		if run, stored := runs[key]; stored && listed[key].IsZero() {
			listed[key] = run.run.ListedAt()
		}
		if at := f.contribution.EffectiveAt; at.After(listed[key]) {
			listed[key] = at
		} else if e.histories[key] == nil {
			split[key] = true
		}
	}
	if len(split) == 0 {
		return nil
	}
	histories, err := loadHistories(ctx, tx, id, slices.Collect(maps.Keys(split)))
	if err != nil {
		return err
	}
	var events []lineage.Hash
	for run, history := range histories {
		e.histories[run] = history
		for _, c := range history.contributions {
			events = append(events, c.Sender.Hash())
		}
	}
	withdrawals, err := readWithdrawals(ctx, tx, id, events)
	maps.Copy(e.withdrawals, withdrawals)
	return err
}

// add takes an event in, and reports whether it counts.
func (e *evidence) add(f fact) bool {
	event, run := f.contribution.Sender.Hash(), f.event.RunHash()
	if history := e.histories[run]; history != nil {
		history.contributions = append(history.contributions, f.contribution)
		e.runs[event] = run
	}
	if run.IsZero() && e.declarations != nil {
		e.declarations[event] = declaration{f.event.Job, f.contribution}
	}
	return !e.withdrawals.Cover(f.contribution.Sender, run)
}

// withdraw takes a withdrawal in. rules is false where a later one does; changes tells whether what it is about counts
// from now on or counts no more, where it counted no more or did before.
func (e *evidence) withdraw(f fact) (rules, changes bool) {
	subject := f.withdrawal.Value.Subject()
	_, before := e.withdrawals.Of(subject)
	rules = e.withdrawals.Add(f.withdrawal)
	_, after := e.withdrawals.Of(subject)
	return rules, before != after
}

// runOf is the run that a withdrawal is about, or zero where none has come.
func (e *evidence) runOf(withdrawal lineage.Withdrawal) lineage.Hash {
	if withdrawal.Event == (lineage.Sender{}) {
		return withdrawal.Run.Hash()
	}
	return e.runs[withdrawal.Event.Hash()]
}

// refold folds a run anew from all of its evidence that counts. It is false where an earlier version kept too little of it.
func (r *foldedRun) refold(e *evidence) bool {
	key := r.run.Key.Hash()
	history := e.histories[key]
	if history.broken {
		return false
	}
	r.run = lineage.Fold(r.run.Key, slices.DeleteFunc(slices.Clone(history.contributions), func(c lineage.Contribution) bool {
		return e.withdrawals.Cover(c.Sender, key)
	}))
	return true
}

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
	// withdrawing tells that the batch has a withdrawal. What follows is empty where it has none.
	withdrawing bool
	// histories are those of the runs that a withdrawal of the batch may be about, by run.
	histories map[lineage.Hash]*history
	// runs gives the run of each event that a withdrawal of the batch may be about, and stated what the event says that is
	// about none, by lineage.Sender.Hash.
	runs   map[lineage.Hash]lineage.Hash
	stated map[lineage.Hash]fact
	// rivals are, by what they are about, the facts of which the latest that counts holds.
	rivals map[lineage.Hash][]fact
	// touched are the stored events that a withdrawal of the batch is about.
	touched map[lineage.Offset]touchedEvent
}

// touchedEvent is an event with its run, zero where it is about none.
type touchedEvent struct {
	lineage.Sender
	run lineage.Hash
}

// loadEvidence reads what bears on the facts of a batch. Without a withdrawal among them, that is one query.
func loadEvidence(ctx context.Context, tx pgx.Tx, id ID, names *lineage.NameRules, facts []fact) (*evidence, error) {
	e := &evidence{histories: map[lineage.Hash]*history{}, runs: map[lineage.Hash]lineage.Hash{}}
	subjects := map[lineage.Hash]bool{}
	var withdrawn []lineage.Withdrawal
	for _, f := range facts {
		if f.withdraws() {
			withdrawn = append(withdrawn, f.withdrawal.Value.Withdrawal)
			subjects[f.withdrawal.Value.Subject()] = true
		}
		if f.withdrawable() {
			subjects[f.sender().Hash()] = true
			subjects[f.event.RunHash()] = true
		}
	}
	if len(withdrawn) > 0 {
		e.withdrawing = true
		if err := e.loadWithdrawn(ctx, tx, id, names, withdrawn, facts); err != nil {
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

// loadWithdrawn reads what withdrawals are about.
func (e *evidence) loadWithdrawn(
	ctx context.Context, tx pgx.Tx, id ID, names *lineage.NameRules, withdrawn []lineage.Withdrawal, facts []fact,
) error {
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
	if e.touched, err = loadTouched(ctx, tx, id, events, runs); err != nil {
		return err
	}
	for _, event := range e.touched {
		if hash := event.Hash(); sought[hash] {
			e.runs[hash] = event.run
			runs = append(runs, event.run)
		}
	}
	for _, f := range facts {
		if run := f.event.RunHash(); f.withdrawable() && !run.IsZero() && sought[f.sender().Hash()] {
			runs = append(runs, run)
		}
	}
	if e.histories, err = loadHistories(ctx, tx, id, runs); err != nil {
		return err
	}
	return e.loadStated(ctx, tx, id, names, events, facts)
}

// loadStated reads the events about no run that withdrawals are about, and the facts that may hold instead.
func (e *evidence) loadStated(ctx context.Context, tx pgx.Tx, id ID, names *lineage.NameRules, events []lineage.Sender, facts []fact) error {
	stated, err := loadStated(ctx, tx, id, names, events)
	if err != nil {
		return err
	}
	e.stated = make(map[lineage.Hash]fact, len(stated))
	about := map[lineage.Hash]bool{}
	for _, f := range stated {
		e.stated[f.sender().Hash()] = f
		e.touched[f.entry.Offset] = touchedEvent{Sender: f.sender()}
		about[f.about] = true
	}
	for _, f := range facts {
		about[f.about] = true
	}
	delete(about, lineage.Hash{})
	e.rivals, err = loadRivals(ctx, tx, id, names, slices.Collect(maps.Keys(about)), e.touchedOffsets())
	return err
}

func (e *evidence) touchedOffsets() []int64 {
	offsets := make([]int64, 0, len(e.touched))
	for at := range e.touched {
		offsets = append(offsets, int64(at))
	}
	return offsets
}

// withStated are the facts of a batch with those that it withdraws or restores.
func (e *evidence) withStated(facts []fact) []fact {
	return slices.AppendSeq(slices.Clip(facts), maps.Values(e.stated))
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
	event, run := f.sender().Hash(), f.event.RunHash()
	if history := e.histories[run]; history != nil && f.contributes() {
		history.contributions = append(history.contributions, f.contribution)
		e.runs[event] = run
	}
	if run.IsZero() && e.withdrawing && f.withdrawable() {
		e.stated[event] = f
		if !f.about.IsZero() {
			e.rivals[f.about] = append(e.rivals[f.about], f)
		}
	}
	if f.contributes() {
		return e.counts(f.contribution.WithdrawnAs(), run)
	}
	return e.counts(f.sender(), run)
}

// counts reports whether an event counts as far as the batch is folded; run is zero where it is about none.
func (e *evidence) counts(event lineage.Sender, run lineage.Hash) bool {
	return !e.withdrawals.Cover(event, run)
}

// counting are the facts about one thing that count.
func (e *evidence) counting(about lineage.Hash) []fact {
	return slices.DeleteFunc(slices.Clone(e.rivals[about]), func(f fact) bool { return !e.counts(f.sender(), lineage.Hash{}) })
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
		return !e.counts(c.WithdrawnAs(), key)
	}))
	return true
}

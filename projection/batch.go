package projection

import (
	"context"

	"github.com/jackc/pgx/v5"

	"github.com/headwater-data/headwater/lineage"
)

// batch is what the facts of a batch are folded into.
type batch struct {
	evidence   *evidence
	runs       foldedRuns
	snapshots  foldedSnapshots
	aliases    foldedAliases
	dismissals *foldedDismissals
	changes    *changes
}

// loadBatch reads what the facts touch.
func loadBatch(ctx context.Context, tx pgx.Tx, id ID, names *lineage.NameRules, facts []fact) (*batch, error) {
	b := &batch{}
	var err error
	if b.evidence, err = loadEvidence(ctx, tx, id, names, facts); err != nil {
		return nil, err
	}
	if b.runs, err = loadRuns(ctx, tx, id, names, touchedRuns(facts, b.evidence)); err != nil {
		return nil, err
	}
	if err := b.evidence.loadSplit(ctx, tx, id, facts, b.runs); err != nil {
		return nil, err
	}
	touched := b.evidence.withStated(facts)
	if b.snapshots, err = loadSnapshots(ctx, tx, id, touched, b.evidence); err != nil {
		return nil, err
	}
	if b.aliases, err = loadAliases(ctx, tx, id, names, touched); err != nil {
		return nil, err
	}
	if b.dismissals, err = loadDismissals(ctx, tx, id, touched); err != nil {
		return nil, err
	}
	b.changes = &changes{names: names, aliases: b.aliases, evidence: b.evidence}
	return b, nil
}

// fold takes in one fact and notes what it changes.
func (b *batch) fold(f fact) {
	if f.err != nil {
		return
	}
	if f.withdraws() {
		b.withdraw(f)
		return
	}
	counts := b.evidence.add(f)
	b.changes.addWords(f)
	switch f.event.Kind {
	case lineage.JobEvent, lineage.DatasetEvent, lineage.FactEvent:
		b.changes.addStated(f)
		if counts {
			b.state(f, f.entry.Offset)
		}
	default:
		b.runs.fold(f, counts, b.evidence, b.changes)
	}
}

// state lets what an event about no run says count from an offset on.
func (b *batch) state(f fact, at lineage.Offset) {
	switch f.event.Fact.(type) {
	case lineage.Snapshot:
		b.snapshots.state(f, at, b.changes)
	case lineage.AliasRegistration, lineage.AliasEnd:
		b.aliases.state(f, at, b.changes)
	case lineage.NameDismissal:
		b.dismissals.state(f, at)
	default: // a declaration or an edge; words about nodes are kept beside
		b.changes.declare(f.declared, at)
	}
}

// retract undoes state.
func (b *batch) retract(f fact, at lineage.Offset) {
	switch f.event.Fact.(type) {
	case lineage.Snapshot:
		b.snapshots.retract(f, at, b.changes)
	case lineage.AliasRegistration, lineage.AliasEnd:
		b.aliases.retract(f, at, b.evidence, b.changes)
	case lineage.NameDismissal:
		b.dismissals.retract(f, at, b.evidence)
	default:
		b.changes.addStatements(at, statementRows(f.declared, 0), nil)
	}
}

// withdraw takes evidence out of what it counts in, or puts it back.
func (b *batch) withdraw(f fact) {
	rules, matters := b.evidence.withdraw(f)
	if rules {
		b.changes.addWithdrawal(f)
	}
	if !matters {
		return
	}
	at := f.entry.Offset
	withdrawal := f.withdrawal.Value.Withdrawal
	if stated, known := b.evidence.stated[withdrawal.Subject()]; known {
		if withdrawal.Undone {
			b.state(stated, at)
		} else {
			b.retract(stated, at)
		}
	}
	b.runs.withdraw(f, b.evidence, b.changes)
}

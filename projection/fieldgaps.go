package projection

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/headwater-data/headwater/lineage"
)

// Between two datasets, a walk over fields finds what column maps say. Where a job is known to read the one and to write
// the other, and no map of it says which columns go from one to the other, the walk can go no further: that is a gap, and
// the edge between the tables is offered apart.

// tableGap is a job and what it writes, of which not every column is accounted for.
type tableGap struct {
	job    lineage.NodeID // zero: a view
	output lineage.NodeID
}

func (w *walk) gapOf(p *passage) tableGap {
	gap := tableGap{output: w.classOf(p.output).canonical}
	if p.job != nil {
		gap.job = *p.job
	}
	return gap
}

// account is what column maps say of one job and output.
type account struct {
	// inputs are the datasets and jobs that the maps name.
	inputs map[lineage.NodeID]bool
	// lastObservedAt is when a map was last stated by a run or a declaration, by origin.
	lastObservedAt map[lineage.Origin]time.Time
}

// names reports whether the maps name one of some nodes.
func (a *account) names(nodes []lineage.NodeID) bool {
	return slices.ContainsFunc(nodes, func(id lineage.NodeID) bool { return a.inputs[id] })
}

// openStep is a step between tables that column maps leave open: unaccounted, or the maps are older than it.
type openStep struct {
	step
	unaccounted bool
	gap         Gap
}

// noteOpen takes what column maps leave open between the tables of a frontier into the answer, as far as the budget goes.
func (w *walk) noteOpen(ctx context.Context, direction Direction, frontier []lineage.NodeID) error {
	open, err := w.openSteps(ctx, direction, frontier)
	if err != nil {
		return err
	}
	for _, s := range open {
		if s.unaccounted {
			w.addTableEdge(s.step)
		}
		w.addColumnGap(s.gap, s.passage)
	}
	return w.noteSpellings(ctx, direction, frontier)
}

// openSteps are the steps between the tables of a frontier that column maps leave open.
func (w *walk) openSteps(ctx context.Context, direction Direction, frontier []lineage.NodeID) ([]openStep, error) {
	steps, err := w.tableSteps(ctx, direction, frontier)
	if err != nil || len(steps) == 0 {
		return nil, err
	}
	accounts, err := w.accountsOf(ctx, steps)
	if err != nil {
		return nil, err
	}
	var open []openStep
	for i, s := range steps {
		account := accounts[i]
		switch {
		case account == nil:
			open = append(open, openStep{s, true, Gap{Kind: NoColumnLineage}})
		case !account.names(w.classOf(s.from).members):
			open = append(open, openStep{s, true, Gap{Kind: NoColumnLineage, Stated: len(account.inputs) == 0}})
		case account.lastObservedAt[s.passage.origin].Before(s.passage.lastObservedAt):
			open = append(open, openStep{s, false, Gap{Kind: ColumnLineageOutdated, Since: account.lastObservedAt[s.passage.origin]}})
		}
	}
	return open, nil
}

// tableSteps are the steps between the tables of a frontier that hold, of those that the caller may see.
func (w *walk) tableSteps(ctx context.Context, direction Direction, frontier []lineage.NodeID) ([]step, error) {
	var datasets []lineage.NodeID
	asked := map[lineage.NodeID]bool{}
	for _, id := range frontier {
		node := w.known[id].Node.Whole()
		if whole := node.ID(); node.Kind == lineage.NodeDataset && !asked[whole] {
			asked[whole] = true
			datasets = append(datasets, whole)
		}
	}
	if len(datasets) == 0 {
		return nil, nil
	}
	between := *w // what it learns, w knows
	between.request.Start = w.known[datasets[0]].Node
	between.at.writes = w.tables
	steps, err := between.steps(ctx, direction, datasets)
	if err != nil {
		return nil, err
	}
	w.joined = between.joined
	var holding []step
	for _, s := range steps {
		if s.passage.validTo.After(w.at.validAt) {
			holding = append(holding, s)
		}
	}
	return holding, nil
}

// accountsOf reads what column maps say of the job and output of each step; of what was written under a former name, as of
// then.
func (w *walk) accountsOf(ctx context.Context, steps []step) ([]*account, error) {
	written := map[*walk][]*passage{}
	of := func(p *passage) (*walk, *passage) {
		if p.formerly != nil {
			return p.formerly.then, p.formerly.passage
		}
		return w, p
	}
	for _, s := range steps {
		then, p := of(s.passage)
		written[then] = append(written[then], p)
	}
	read := map[*walk]map[tableGap]*account{}
	for then, passages := range written {
		var err error
		if read[then], err = then.accounts(ctx, passages); err != nil {
			return nil, err
		}
	}
	accounts := make([]*account, len(steps))
	for i, s := range steps {
		then, p := of(s.passage)
		accounts[i] = read[then][then.gapOf(p)]
	}
	return accounts, nil
}

// accounts reads what column maps say of jobs and the outputs of theirs, given by passages.
func (w *walk) accounts(ctx context.Context, written []*passage) (map[tableGap]*account, error) {
	outputs := map[lineage.Hash]bool{}
	for _, p := range written {
		for _, member := range w.classOf(p.output).members {
			outputs[lineage.Hash(member)] = true
		}
	}
	passages, err := w.passages(ctx, w.at, w.columns.into, sortedKeys(outputs))
	if err != nil {
		return nil, err
	}
	accounts, byMap := map[tableGap]*account{}, map[lineage.Hash]*account{}
	for _, p := range passages {
		if !p.validTo.After(w.at.validAt) || !w.request.keep(p) {
			continue // another map has replaced it, or the walk does not go along it
		}
		of := accounts[w.gapOf(p)]
		if of == nil {
			of = &account{inputs: map[lineage.NodeID]bool{}, lastObservedAt: map[lineage.Origin]time.Time{}}
			accounts[w.gapOf(p)] = of
		}
		byMap[p.flow] = of
		if p.lastObservedAt.After(of.lastObservedAt[p.origin]) {
			of.lastObservedAt[p.origin] = p.lastObservedAt
		}
	}
	rows, _ := w.tx.Query(ctx, w.at.projection.in(selectMapInputs), sortedKeys(byMap)) // ForEachRow reports the error
	var columnMap, input lineage.Hash
	if _, err := pgx.ForEachRow(rows, []any{&columnMap, &input}, func() error {
		byMap[columnMap].inputs[lineage.NodeID(input)] = true
		return nil
	}); err != nil {
		return nil, fmt.Errorf("read what column maps name: %w", err)
	}
	return accounts, nil
}

// openColumns is what a walk over fields found that column maps leave open.
type openColumns struct {
	edges []Edge
	gaps  []Gap
	noted map[openKey]bool
}

type openKey struct {
	tableGap
	kind GapKind
}

// addTableEdge offers an edge between tables apart from the answer, as far as the budget goes.
func (w *walk) addTableEdge(s step) {
	key := s.key()
	switch {
	case w.seen[key]:
	case len(w.edges)+len(w.open.edges) >= w.request.EdgeBudget:
		w.incomplete[EdgeBudgetSpent] = true
	default:
		w.seen[key] = true
		w.open.edges = append(w.open.edges, w.edge(s))
	}
}

// addColumnGap notes a gap at the output of a passage, once.
func (w *walk) addColumnGap(gap Gap, p *passage) {
	key := openKey{w.gapOf(p), gap.Kind}
	if w.open.noted[key] {
		return
	}
	if w.open.noted == nil {
		w.open.noted = map[openKey]bool{}
	}
	w.open.noted[key] = true
	node := w.known[key.output].Node
	gap.Node = &node
	if p.job != nil {
		job := w.known[*p.job]
		gap.Job = &lineage.JobID{Namespace: job.Namespace, Name: job.Name}
	}
	w.open.gaps = append(w.open.gaps, gap)
}

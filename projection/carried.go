package projection

import (
	"context"
	"fmt"
	"slices"

	"github.com/jackc/pgx/v5"

	"github.com/headwater-data/headwater/lineage"
)

// renamed leaves out the steps into names that were written for a dataset that has lost the name since, and adds those into
// datasets that were written under names that they have lost.
func (w *walk) renamed(ctx context.Context, direction Direction, frontier []lineage.NodeID, steps []step) ([]step, error) {
	if !w.view.Renamed {
		return steps, nil
	}
	outputs := map[lineage.NodeID]bool{}
	for _, s := range steps {
		outputs[s.passage.output] = true
	}
	if err := w.classify(ctx, sortedKeys(outputs)); err != nil {
		return nil, err
	}
	steps = slices.DeleteFunc(steps, func(s step) bool { return w.wholeOf(s.to) == s.passage.output && w.moved(s.passage) })
	for i, s := range steps {
		if began := w.began(s.passage.output); s.passage.validFrom.Before(began) && w.wholeOf(s.to) == s.passage.output {
			p := *s.passage
			p.validFrom = began
			steps[i].passage = &p
		}
	}
	carry := w.carriedInto
	if direction == Downstream {
		carry = w.carriedFrom
	}
	carried, err := carry(ctx, frontier)
	return append(steps, carried...), err
}

// moved reports whether a run wrote for a dataset that has lost the name since.
func (w *walk) moved(p *passage) bool {
	return p.formerly == nil && p.origin == lineage.Observed && p.lastObservedAt.Before(w.began(p.output))
}

// carriedInto gives the steps into nodes that were written under former names.
func (w *walk) carriedInto(ctx context.Context, nodes []lineage.NodeID) ([]step, error) {
	var carried []step
	for _, node := range nodes {
		for _, f := range w.formersOf(w.wholeOf(node)) {
			steps, err := w.stepsOf(ctx, f, node)
			if err != nil {
				return nil, err
			}
			for _, s := range steps {
				if s.passage.until.After(w.at.validAt) { // else it was rolled back since
					carried = append(carried, w.carry(s, f, w.classOf(w.wholeOf(node)).canonical))
				}
			}
		}
	}
	return carried, nil
}

// stepsOf reads what was written to a node under a former name of its dataset.
func (w *walk) stepsOf(ctx context.Context, f *former, node lineage.NodeID) ([]step, error) {
	then := *f.then
	then.request, then.at.writes = w.request, w.at.writes // w may walk over the tables of fields
	name := f.Name.Node().ID()
	start := then.classOf(name).canonical
	if w.known[node].Kind == lineage.NodeField {
		start = then.field(then.known[start], then.known[node].Path)
	}
	key := formerStart{start, then.ofFields()}
	if steps, known := f.found[key]; known {
		return steps, nil
	}
	steps, err := then.stated(ctx, Upstream, []lineage.NodeID{start})
	if err != nil {
		return nil, err
	}
	f.then.joined = then.joined
	f.found[key] = slices.DeleteFunc(steps, func(s step) bool { return s.passage.origin != lineage.Observed })
	return f.found[key], nil
}

// carry lets a step into a former name lead to the dataset that had it. What held until the end goes on to hold.
func (w *walk) carry(s step, f *former, dataset lineage.NodeID) step {
	p := *s.passage
	if p.formerly == nil {
		p.formerly = &formerly{f.then, s.passage}
	}
	if p.output = dataset; p.validTo.After(f.then.at.validAt) {
		p.validTo = lineage.Forever
	}
	s.passage = &p
	if to := w.known[s.to]; to.Kind == lineage.NodeField {
		s.to = w.field(w.known[dataset], to.Path)
	} else {
		s.to = dataset
	}
	return s
}

// formerly is a passage as it was when its output had another name, and the walk that read it.
type formerly struct {
	then    *walk
	passage *passage
}

const (
	// selectFedNames finds, of the outputs of flows that nodes $1 feed, or that are of jobs among them, those that ever had
	// another name.
	selectFedNames = `SELECT DISTINCT w.output_id
		FROM (
			SELECT flow_id FROM flow_input_p{} WHERE input_id = ANY($1)
			UNION SELECT flow_id FROM flow_p{} WHERE job_id = ANY($1)
		) AS f
		CROSS JOIN LATERAL (
			SELECT output_id FROM write_p{} WHERE level = 1 AND content_id = f.flow_id AND recorded_to = ` + openEnd + `
			UNION ALL
			SELECT output_id FROM write_p{} WHERE level = 1 AND content_id = f.flow_id AND recorded_to < ` + openEnd + ` AND recorded_to > $2
		) AS w
		WHERE EXISTS (SELECT FROM alias_p{} WHERE name_id = w.output_id OFFSET 0)
			OR EXISTS (SELECT FROM alias_p{} WHERE dataset_id = w.output_id OFFSET 0)`

	// selectLaterNames finds what the datasets of names $1 were ever called besides, and whether they were renamed to it.
	selectLaterNames = `SELECT dataset_id, source = 2 FROM alias_p{} WHERE name_id = ANY($1)
		UNION SELECT name_id, false FROM alias_p{} WHERE dataset_id = ANY($1) AND source <> 2`
)

// carriedFrom gives the steps out of nodes into datasets that were written under former names.
func (w *walk) carriedFrom(ctx context.Context, nodes []lineage.NodeID) ([]step, error) {
	datasets, err := w.renamedOutputs(ctx, nodes)
	if err != nil || len(datasets) == 0 {
		return nil, err
	}
	if err := w.learn(ctx, datasets); err != nil {
		return nil, err
	}
	datasets = slices.DeleteFunc(datasets, func(id lineage.NodeID) bool { return !w.known[id].shown })
	if err := w.classify(ctx, datasets); err != nil {
		return nil, err
	}
	shown := map[lineage.NodeID]bool{}
	for _, id := range datasets {
		shown[w.classOf(id).canonical] = true
	}
	carried, err := w.carriedInto(ctx, sortedKeys(shown))
	if err != nil || len(carried) == 0 {
		return nil, err
	}
	return w.from(ctx, nodes, carried)
}

// renamedOutputs are the datasets that may have been written from nodes under former names: all to which what was written
// from them was ever renamed, and that again.
func (w *walk) renamedOutputs(ctx context.Context, nodes []lineage.NodeID) ([]lineage.NodeID, error) {
	wholes := map[lineage.NodeID]bool{}
	for _, node := range nodes {
		wholes[w.wholeOf(node)] = true
	}
	rows, _ := w.tx.Query(ctx, w.at.projection.in(selectFedNames), hashesOf(sortedKeys(wholes)), w.at.recordedAt) // CollectRows reports the error
	pending, err := pgx.CollectRows(rows, pgx.RowTo[lineage.Hash])
	met, renamed := map[lineage.Hash]bool{}, map[lineage.NodeID]bool{}
	for len(pending) > 0 && err == nil {
		for _, name := range pending {
			met[name] = true
		}
		rows, _ = w.tx.Query(ctx, w.at.projection.in(selectLaterNames), pending) // ForEachRow reports the error
		pending = nil
		var name lineage.Hash
		var byRename bool
		_, err = pgx.ForEachRow(rows, []any{&name, &byRename}, func() error {
			if !met[name] {
				met[name], pending = true, append(pending, name)
			}
			if byRename {
				renamed[lineage.NodeID(name)] = true
			}
			return nil
		})
	}
	if err != nil {
		return nil, fmt.Errorf("find what was renamed after it was written: %w", err)
	}
	return sortedKeys(renamed), nil
}

// from picks the steps that begin at nodes, or at the parts and wholes of fields among them; from a job that is the start,
// all that it wrote.
func (w *walk) from(ctx context.Context, nodes []lineage.NodeID, steps []step) ([]step, error) {
	begins := map[lineage.NodeID]bool{}
	if w.ofFields() {
		met, err := w.meet(ctx, nodes)
		if err != nil {
			return nil, err
		}
		for _, keys := range met {
			for _, key := range keys {
				begins[lineage.NodeID(key)] = true
			}
		}
	}
	for _, node := range nodes {
		begins[node] = true
	}
	var from []step
	for _, s := range steps {
		if job := s.passage.job; job != nil && *job == w.request.Start.ID() && begins[*job] {
			s.from, s.standIn = *job, false
		}
		if begins[s.from] && !w.ends.passes(s, Downstream) {
			from = append(from, s)
		}
	}
	return from, nil
}

package projection

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/headwater-data/headwater/lineage"
)

// life is what was said of the existence of one dataset by a point.
type life struct {
	// created is when that was said last; zero where nobody did.
	created time.Time
	// dropped is when it was dropped, zero where it exists: where nobody said so, or where it was created or written after.
	dropped time.Time
	// drops are all times at which it was said to be dropped, the latest first.
	drops []time.Time
	// last are the last of drops between which nobody said that it was created; whole tells that a creation comes before them,
	// and again that one follows.
	last         []time.Time
	whole, again bool
	// ended is the first of last that no write follows before the next: to drop what is dropped changes nothing.
	ended time.Time
}

// selectLifeStatements reads what was said of the existence of datasets, the latest first, with the job behind it.
const selectLifeStatements = `SELECT s.output_id, s.content_id, s.effective_at, r.job_id, d.job_namespace, d.job_name
	FROM statement_p{} s ` + statingJob + `
	WHERE s.level = 5 AND s.output_id = ANY($1) AND s.effective_at <= $2 AND s.valid_until > $2
		AND s.recorded_from <= $3 AND s.recorded_to > $3
	ORDER BY s.effective_at DESC, s.statement_key DESC`

// lifeStatement is what was said once of the existence of a dataset.
type lifeStatement struct {
	Output, Content lineage.Hash
	At              time.Time
	statingJobOf
}

// selectLives reads the lives of datasets as jobs tell them that the caller may see, under their canonical names. Most were
// never created or dropped by an event, and are not there.
func (w *walk) selectLives(ctx context.Context, datasets []lineage.NodeID) (map[lineage.NodeID]life, error) {
	rows, _ := w.tx.Query(ctx, w.at.projection.in(selectLifeStatements), hashesOf(datasets), w.at.validAt, w.at.recordedAt) // CollectRows reports the error
	statements, err := pgx.CollectRows(rows, func(row pgx.CollectableRow) (s lifeStatement, err error) {
		err = row.Scan(&s.Output, &s.Content, &s.At, &s.Job, &s.Namespace, &s.Name)
		return s, err
	})
	if err != nil {
		return nil, fmt.Errorf("read what was created and dropped: %w", err)
	}
	shown, err := w.shownJobs(ctx, column(statements, func(s lifeStatement) statingJobOf { return s.statingJobOf }))
	if err != nil {
		return nil, err
	}
	lives := map[lineage.NodeID]life{}
	for _, s := range statements {
		if shown(s.statingJobOf) && !s.At.Before(w.began(lineage.NodeID(s.Output))) { // before, the name was another dataset's
			id := w.classOf(lineage.NodeID(s.Output)).canonical
			lives[id] = lives[id].before(s.Content, s.At.UTC())
		}
	}
	return lives, nil
}

// mostDrops bounds the drops between which writes are looked for. What is dropped over and over is mostly written in between.
const mostDrops = 20

// before takes in what was said before all that was taken in already.
func (l life) before(content lineage.Hash, at time.Time) life {
	if content == lineage.Created.ID() {
		if l.created.IsZero() {
			l.created = at
		}
		l.whole, l.again = len(l.drops) > 0, l.again || len(l.drops) == 0
		return l
	}
	if !l.whole && len(l.last) < mostDrops {
		l.last = append(l.last, at)
	}
	l.drops = append(l.drops, at)
	return l
}

// settle tells from when it has been dropped, where writes followed some of its last drops.
func (l life) settle(followed map[time.Time]bool) life {
	for i, drop := range l.last {
		if i > 0 && followed[drop] {
			break
		}
		l.ended = drop
	}
	if len(l.last) > 0 && !l.again && !followed[l.last[0]] {
		l.dropped = l.ended
	}
	return l
}

// selectWrittenAfter finds the datasets that runs were seen to write after a time and before another, with the jobs of the runs.
const selectWrittenAfter = `SELECT DISTINCT was.output_id, was.dropped_at, w.job_id
	FROM unnest($1::uuid[], $2::timestamptz[], $3::timestamptz[]) AS was(output_id, dropped_at, until)
	JOIN write_p{} w ON w.output_id = was.output_id
	WHERE w.level = 1 AND w.origin = ` + observedOrigin + ` AND w.recorded_from <= $5 AND w.recorded_to > $5
		AND w.valid_from < was.until AND w.valid_to > was.dropped_at
		AND EXISTS (
			SELECT FROM statement_p{} s
			WHERE s.projection_id = {} AND s.timeline_id = w.timeline_id AND s.content_id = w.content_id
				AND s.effective_at > was.dropped_at AND s.effective_at < was.until AND s.valid_until > $4
				AND s.recorded_from <= $5 AND s.recorded_to > $5)`

// lives gives the lives of datasets under each of their names, since what is said of one is said of the dataset. Those that
// nobody created or dropped are left out, and those exist again that were written after they were dropped: what is written
// exists.
func (w *walk) lives(ctx context.Context, datasets []lineage.NodeID) (map[lineage.NodeID]life, error) {
	if err := w.classify(ctx, datasets); err != nil {
		return nil, err
	}
	lives, err := w.selectLives(ctx, w.membersOf(datasets))
	if err != nil || len(lives) == 0 {
		return nil, err
	}
	if err := w.settleDrops(ctx, lives); err != nil {
		return nil, err
	}
	named := make(map[lineage.NodeID]life, len(lives))
	for canonical, life := range lives {
		for _, name := range w.classOf(canonical).members {
			named[name] = life
		}
	}
	return named, nil
}

// settleDrops makes those exist again that were written after they were dropped, under any of their names, and tells of the
// others since when they have been dropped.
func (w *walk) settleDrops(ctx context.Context, lives map[lineage.NodeID]life) error {
	var outputs []lineage.Hash
	var drops, untils []time.Time
	for canonical, life := range lives {
		for i, drop := range life.last {
			until := w.at.validAt.Add(time.Microsecond) // including what was written at that time
			if i > 0 {
				until = life.last[i-1]
			} else if life.again {
				continue
			}
			for _, name := range w.classOf(canonical).members {
				outputs, drops, untils = append(outputs, lineage.Hash(name)), append(drops, drop), append(untils, until)
			}
		}
	}
	followed, err := w.selectFollowed(ctx, outputs, drops, untils)
	if err != nil {
		return err
	}
	for canonical, life := range lives {
		lives[canonical] = life.settle(followed[canonical])
	}
	return nil
}

// selectFollowed reads, by canonical name, which drops of outputs a write followed up to, not including, a time.
func (w *walk) selectFollowed(ctx context.Context, outputs []lineage.Hash, drops, untils []time.Time) (map[lineage.NodeID]map[time.Time]bool, error) {
	if len(outputs) == 0 {
		return nil, nil
	}
	type writing struct {
		Output  lineage.Hash
		Dropped time.Time
		Job     lineage.Hash
	}
	rows, _ := w.tx.Query(ctx, w.at.projection.in(selectWrittenAfter), outputs, drops, untils, w.at.validAt, w.at.recordedAt) // CollectRows reports the error
	written, err := pgx.CollectRows(rows, pgx.RowToStructByPos[writing])
	if err != nil {
		return nil, fmt.Errorf("find what was written after it was dropped: %w", err)
	}
	if err := w.learn(ctx, column(written, func(by writing) lineage.NodeID { return lineage.NodeID(by.Job) })); err != nil {
		return nil, err
	}
	followed := map[lineage.NodeID]map[time.Time]bool{}
	for _, by := range written {
		if !w.known[lineage.NodeID(by.Job)].shown {
			continue
		}
		id := w.classOf(lineage.NodeID(by.Output)).canonical
		if followed[id] == nil {
			followed[id] = map[time.Time]bool{}
		}
		followed[id][by.Dropped.UTC()] = true
	}
	return followed, nil
}

// endDropped ends, with the drop, what was stated of an output before it was dropped and then made again. While an
// output stays dropped, what was stated of it stays too: what was derived through it stays derived.
func (w *walk) endDropped(ctx context.Context, steps []step) ([]step, error) {
	if !w.view.Dropped || len(steps) == 0 {
		return steps, nil
	}
	outputs := map[lineage.NodeID]bool{}
	for _, s := range steps {
		outputs[s.passage.output] = true
	}
	lives, err := w.lives(ctx, slices.Collect(maps.Keys(outputs)))
	if err != nil || len(lives) == 0 {
		return steps, err
	}
	left := steps[:0]
	for _, s := range steps {
		if life := lives[s.passage.output]; len(life.drops) > 0 && life.dropped.IsZero() {
			s.passage = w.endedBy(s.passage, life.ended)
		}
		if s.passage != nil {
			left = append(left, s)
		}
	}
	return left, nil
}

// endedBy is a passage as a drop leaves it: nil where it shows no more.
func (w *walk) endedBy(p *passage, drop time.Time) *passage {
	switch {
	case p.lastObservedAt.After(drop) || !p.validTo.After(drop):
		return p
	case p.origin != lineage.Observed || !drop.After(w.at.validAt.Add(-w.at.lookback)):
		return nil
	default:
		ended := *p
		ended.validTo = drop
		return &ended
	}
}

// markDropped marks the nodes of the answer that are dropped, and the edges into them.
func (w *walk) markDropped(ctx context.Context) error {
	if !w.view.Dropped {
		return nil
	}
	wholes := map[lineage.NodeID]bool{}
	for _, node := range w.nodes {
		if node.Kind != lineage.NodeJob {
			wholes[node.Whole().ID()] = true
		}
	}
	lives, err := w.lives(ctx, slices.Collect(maps.Keys(wholes)))
	if err != nil {
		return err
	}
	for i := range w.nodes {
		if w.nodes[i].Kind != lineage.NodeJob {
			w.nodes[i].DroppedAt = lives[w.nodes[i].Whole().ID()].dropped
		}
	}
	for i := range w.edges {
		if to := w.edges[i].To; to.Kind != lineage.NodeJob {
			w.edges[i].Dropped = !lives[to.Whole().ID()].dropped.IsZero()
		}
	}
	return nil
}

package projection

import (
	"context"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/headwater-data/headwater/lineage"
)

// aliasRules tell which passages into one name of an output were replaced by what the same author said of another name.
type aliasRules struct {
	// replaced is when.
	replaced map[passageKey]time.Time
	// unheard are those that say nothing of inputs, where the author does so of another name.
	unheard map[passageKey]bool
}

// passageKey tells passages apart that were read at one point.
type passageKey struct {
	timeline lineage.Hash
	// lastAt is in microseconds since 1970.
	lastAt int64
}

func (p *passage) key() passageKey { return passageKey{p.timeline, p.lastObservedAt.UnixMicro()} }

// over is what is left of a passage, or nil.
func (r aliasRules) over(p *passage) *passage {
	replaced, ok := r.replaced[p.key()]
	switch {
	case r.unheard[p.key()]:
		return nil
	case ok && replaced.Before(p.validTo):
		ended := *p
		ended.validTo = replaced
		return &ended
	default:
		return p
	}
}

// aliasRules compares steps into aliased outputs with all that their authors say of the other names.
func (w *walk) aliasRules(ctx context.Context, steps []step) (aliasRules, error) {
	rules := aliasRules{unheard: map[passageKey]bool{}}
	rivals, err := w.rivals(ctx, steps)
	if err != nil || len(rivals) == 0 {
		return rules, err
	}
	var asked rivalries
	for _, s := range steps {
		p := s.passage
		for _, rival := range rivals[w.authorOf(p)] {
			if rival.timeline == p.timeline || !rival.speaks {
				continue
			}
			if !p.speaks && rival.validTo.After(w.at.validAt) {
				rules.unheard[p.key()] = true
			}
			if rival.lastObservedAt.After(p.lastObservedAt) {
				asked.add(p, rival.timeline)
			}
		}
	}
	rules.replaced, err = asked.ask(ctx, w.tx, w.at)
	return rules, err
}

// rivals reads what is said of all names of the outputs of steps, by author; none where no output has another name.
func (w *walk) rivals(ctx context.Context, steps []step) (map[author][]*passage, error) {
	aliased, canonical := map[lineage.NodeID]bool{}, map[lineage.NodeID]bool{}
	for _, s := range steps {
		if w.severalNames(s.passage.output) {
			canonical[w.classOf(s.passage.output).canonical] = true
			for _, member := range w.classOf(s.passage.output).members {
				aliased[member] = true
			}
		}
	}
	if len(aliased) == 0 {
		return nil, nil
	}
	whole := w.at
	whole.limit = nil // a glimpse must not miss what rules
	names := column(sortedKeys(aliased), func(id lineage.NodeID) lineage.Hash { return lineage.Hash(id) })
	passages, err := w.passages(ctx, whole, whole.writes.into, names)
	if err != nil {
		return nil, err
	}
	carried, err := w.carriedInto(ctx, sortedKeys(canonical))
	if err != nil {
		return nil, err
	}
	for _, s := range carried {
		passages = append(passages, s.passage)
	}
	rivals := map[author][]*passage{}
	for _, p := range passages {
		if a := w.authorOf(p); !w.moved(p) {
			rivals[a] = append(rivals[a], p)
		}
	}
	return rivals, nil
}

// rivalries are pairs of a passage and a timeline of another name, in which something was said after it.
type rivalries struct {
	timelines []lineage.Hash
	after     []time.Time
	rivals    []lineage.Hash
}

func (r *rivalries) add(p *passage, rival lineage.Hash) {
	r.timelines, r.after, r.rivals = append(r.timelines, p.timeline), append(r.after, p.lastObservedAt), append(r.rivals, rival)
}

// selectReplaced finds when each passage was replaced: by the first statement after its last one in a timeline of another
// name.
const selectReplaced = `
	SELECT asked.timeline_id, asked.after, min(s.effective_at)
	FROM (SELECT DISTINCT * FROM unnest($3::uuid[], $4::timestamptz[], $5::uuid[]) AS u(timeline_id, after, rival_id)) AS asked
	CROSS JOIN LATERAL (
		SELECT effective_at FROM statement_p{}
		WHERE projection_id = {} AND timeline_id = asked.rival_id AND effective_at > asked.after AND effective_at <= $1
			AND speaks AND valid_until > $1 AND recorded_from <= $2 AND recorded_to > $2
		ORDER BY effective_at LIMIT 1
	) AS s
	GROUP BY asked.timeline_id, asked.after`

func (r *rivalries) ask(ctx context.Context, tx pgx.Tx, at point) (map[passageKey]time.Time, error) {
	replaced := map[passageKey]time.Time{}
	if len(r.timelines) == 0 {
		return replaced, nil
	}
	rows, _ := tx.Query(ctx, at.projection.in(selectReplaced), at.validAt, at.recordedAt, r.timelines, r.after, r.rivals) // ForEachRow reports the error
	var timeline lineage.Hash
	var after, by time.Time
	_, err := pgx.ForEachRow(rows, []any{&timeline, &after, &by}, func() error {
		replaced[passageKey{timeline, after.UnixMicro()}] = by.UTC()
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("read what replaced writes under other names: %w", err)
	}
	return replaced, nil
}

package projection

import (
	"context"
	"fmt"
	"slices"

	"github.com/jackc/pgx/v5"

	"github.com/headwater-data/headwater/lineage"
)

const (
	// selectNamesStatements reads all that was stated in timelines of what datasets are called, in order, with the job behind the
	// event of each: that of its run, or of what it declares. Events are found by their ids alone, as selectTouched does.
	selectNamesStatements = `SELECT s.timeline_id, s.effective_at, s.statement_key, s.content_id, s.speaks, s.valid_until,
			s.producer, s.source_event, r.job_id, d.job_namespace, d.job_name
		FROM statement_p{} s
		LEFT JOIN LATERAL (SELECT run_key FROM run_event_p{} WHERE event_id = s.source_event AND producer = s.producer LIMIT 1) e ON true
		LEFT JOIN run_p{} r ON r.projection_id = {} AND r.run_key = e.run_key
		LEFT JOIN LATERAL (
			SELECT job_namespace, job_name FROM declaration_p{} WHERE event_id = s.source_event AND producer = s.producer LIMIT 1
		) d ON true
		WHERE s.projection_id = {} AND s.timeline_id = ANY($1) AND s.recorded_from <= $2 AND s.recorded_to > $2
		ORDER BY s.timeline_id, s.effective_at, s.statement_key`

	// selectNamesOf reads what contents say of names.
	selectNamesOf = `SELECT content_id, name_id, dataset_id, source, canonical, reason FROM alias_p{}
		WHERE projection_id = {} AND content_id = ANY($1) AND name_id = ANY($2)`
)

// namesStatement is what was said once of what a dataset is called.
type namesStatement struct {
	timeline lineage.Hash
	lineage.Mark
	sender lineage.Sender
	job    statingJobOf
}

// shownClaims gives what is claimed of names, in the order of joinClaims, as if hidden jobs had never spoken. The stored writes do
// not tell: who is hidden may have said first what others repeat, or something else in between.
func (w *walk) shownClaims(ctx context.Context, claims []aliasClaim) ([]aliasClaim, error) {
	if w.request.SeesAll {
		return claims, nil
	}
	timelines, names := map[lineage.Hash]bool{}, map[lineage.NodeID]bool{}
	for _, claim := range claims {
		if claim.Source != lineage.ByRegistration { // people have no job
			timelines[claim.timeline], names[claim.name] = true, true
		}
	}
	if len(timelines) == 0 {
		return claims, nil
	}
	statements, err := w.namesStatements(ctx, sortedKeys(timelines))
	if err != nil {
		return nil, err
	}
	shown, err := w.shownJobs(ctx, column(statements, func(s namesStatement) statingJobOf { return s.job }))
	if err != nil {
		return nil, err
	}
	hushed := map[lineage.Hash]bool{}
	for _, s := range statements {
		if !shown(s.job) {
			hushed[s.timeline] = true
		}
	}
	if len(hushed) == 0 {
		return claims, nil
	}
	claims = slices.DeleteFunc(claims, func(c aliasClaim) bool { return hushed[c.timeline] })
	statements = slices.DeleteFunc(statements, func(s namesStatement) bool { return !hushed[s.timeline] || !shown(s.job) })
	again, err := w.claimsOf(ctx, statements, sortedKeys(names))
	return joinClaims(append(claims, again...), w.at.validAt), err
}

func (w *walk) namesStatements(ctx context.Context, timelines []lineage.Hash) ([]namesStatement, error) {
	rows, _ := w.tx.Query(ctx, w.at.projection.in(selectNamesStatements), timelines, w.at.recordedAt) // CollectRows reports the error
	statements, err := pgx.CollectRows(rows, func(row pgx.CollectableRow) (s namesStatement, err error) {
		err = row.Scan(&s.timeline, &s.EffectiveAt, &s.Key, &s.Content, &s.Speaks, &s.Until,
			&s.sender.Producer, &s.sender.EventID, &s.job.Job, &s.job.Namespace, &s.job.Name)
		s.EffectiveAt, s.Until = s.EffectiveAt.UTC(), s.Until.UTC()
		return s, err
	})
	if err != nil {
		return nil, fmt.Errorf("read what was stated of names: %w", err)
	}
	return statements, nil
}

// claimsOf are the claims of names that statements give, which are in order.
func (w *walk) claimsOf(ctx context.Context, statements []namesStatement, names []lineage.NodeID) ([]aliasClaim, error) {
	of, err := w.namesOf(ctx, column(statements, func(s namesStatement) lineage.Hash { return s.Content }), names)
	if err != nil {
		return nil, err
	}
	var claims []aliasClaim
	for len(statements) > 0 {
		end := slices.IndexFunc(statements, func(s namesStatement) bool { return s.timeline != statements[0].timeline })
		if end < 0 {
			end = len(statements)
		}
		marks := column(statements[:end], func(s namesStatement) lineage.Mark { return s.Mark })
		_, writes := lineage.NewWholeTimeline(nil, nil).Change(nil, marks)
		for _, write := range writes {
			for _, claim := range of[write.Content] {
				claim.timeline, claim.From, claim.To = statements[0].timeline, write.From.EffectiveAt, write.To
				claim.Said = write.From
				for _, s := range statements[:end] { // the last that says so by the point, if any does
					if s.Content == write.Content && !s.EffectiveAt.Before(write.Since) && !s.EffectiveAt.After(write.To) && !s.EffectiveAt.After(w.at.validAt) {
						claim.Said, claim.Producer, claim.EventID = s.Moment, s.sender.Producer, s.sender.EventID
					}
				}
				claims = append(claims, claim)
			}
		}
		statements = statements[end:]
	}
	return claims, nil
}

// namesOf reads what contents say of names, without when.
func (w *walk) namesOf(ctx context.Context, contents []lineage.Hash, names []lineage.NodeID) (map[lineage.Hash][]aliasClaim, error) {
	rows, _ := w.tx.Query(ctx, w.at.projection.in(selectNamesOf), contents, hashesOf(names)) // ForEachRow reports the error
	of := map[lineage.Hash][]aliasClaim{}
	var content lineage.Hash
	var claim aliasClaim
	_, err := pgx.ForEachRow(rows, []any{
		&content, (*lineage.Hash)(&claim.name), (*lineage.Hash)(&claim.of), &claim.Source, &claim.Canonical, &claim.Reason,
	}, func() error {
		of[content] = append(of[content], claim)
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("read aliases: %w", err)
	}
	return of, nil
}

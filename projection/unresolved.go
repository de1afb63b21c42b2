package projection

import (
	"context"
	"fmt"
	"regexp"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/headwater-data/headwater/lineage"
)

// UnresolvedName is a name that does not have the shape of its namespace.
type UnresolvedName struct {
	lineage.Misfit
	// Events counts the events that used it, without those that were withdrawn. A name that no other event used is not listed.
	Events int64
	// Producers are sorted.
	Producers []string
	// LastUsedAt is the latest event time of those events.
	LastUsedAt time.Time
	// Dismissal is nil while the name stands in the queue.
	Dismissal *lineage.Attribution
}

// UnresolvedFilter says which names to list: those for which all of it holds.
type UnresolvedFilter struct {
	// Namespace and Producer are empty for all.
	Namespace, Producer string
	// Dismissed asks for those that were dismissed, instead of the queue.
	Dismissed bool
	// After lets through what comes behind a name; the zero DatasetID: all.
	After lineage.DatasetID
	// Limit is how many names to list at most.
	Limit int
	// Show tells of each dataset or job whether the caller may see it; nil: all. What events of hidden jobs used counts as unused.
	Show Show
}

// UnresolvedList is one page of names that do not fit, by namespace and name.
type UnresolvedList struct {
	Names []UnresolvedName
	// More tells that there is another page.
	More bool
	// ByNamespace and ByProducer count the whole queue, whatever was asked for.
	ByNamespace, ByProducer []UnresolvedCount
	View                    View
}

// UnresolvedCount is how many names of the queue a namespace has, or a producer uses.
type UnresolvedCount struct {
	Of    string
	Names int64
}

// NameUse is an event that used a name.
type NameUse struct {
	lineage.Sender
	EventTime time.Time
	// Job and RunID are zero for an event about none.
	Job   lineage.JobID
	RunID string
}

// UnresolvedDetail is what a person needs to judge a name.
type UnresolvedDetail struct {
	UnresolvedName
	// Uses are the latest 100 by event time.
	Uses []NameUse
	// Candidates have the same last part, those of the namespace first; 10 at most. Nothing follows from being one.
	Candidates []lineage.DatasetID
	View       View
}

const (
	// unresolvedNames gives the columns that scanUnresolved reads, of nodes that do not fit: neither nodes $2 nor what jobs $3 and
	// $4 used alone.
	unresolvedNames = `SELECT n.namespace, n.name, u.misfit, used.events, used.producers, used.last_used_at,
			d.event_time, coalesce(d.said_by, ''), coalesce(d.reason, '')
		FROM unresolved u
		JOIN node n ON n.projection_id = $1 AND n.node_id = u.node_id
		LEFT JOIN name_dismissal d ON d.projection_id = $1 AND d.node_id = u.node_id AND d.dismissed AND d.recorded_to = ` + openEnd + `
		CROSS JOIN LATERAL (SELECT count(*) AS events, coalesce(array_agg(DISTINCT producer), '{}') AS producers,
				coalesce(max(event_time), '-infinity') AS last_used_at
			FROM unresolved_use s WHERE projection_id = $1 AND node_id = u.node_id AND counts AND ` + useIsShown + `) AS used
		WHERE u.projection_id = $1 AND used.events > 0 AND u.node_id <> ALL($2)`

	listUnresolved = unresolvedNames + ` AND (d.event_time IS NOT NULL) = $5 AND ($5 OR NOT ` + aliased + `) AND ($6 = '' OR n.namespace = $6)
			AND ($7 = '' OR $7 = ANY(used.producers)) AND (n.namespace COLLATE "C", n.name COLLATE "C") > ($8, $9)
		ORDER BY n.namespace COLLATE "C", n.name COLLATE "C" LIMIT $10`
	oneUnresolved = unresolvedNames + ` AND u.node_id = $5`

	countByNamespace = `SELECT n.namespace, count(*) FROM unresolved u JOIN node n ON n.projection_id = $1 AND n.node_id = u.node_id
		WHERE u.projection_id = $1 AND u.node_id <> ALL($2)
			AND EXISTS (SELECT FROM unresolved_use s WHERE projection_id = $1 AND node_id = u.node_id AND counts AND ` + useIsShown + `)
			AND NOT ` + dismissed + ` AND NOT ` + aliased + ` GROUP BY n.namespace ORDER BY count(*) DESC, n.namespace COLLATE "C"`
	countByProducer = `SELECT producer, count(DISTINCT u.node_id) FROM unresolved_use u
		WHERE u.projection_id = $1 AND u.node_id <> ALL($2) AND counts AND ` + useIsShown + ` AND NOT ` + dismissed + ` AND NOT ` + aliased + `
		GROUP BY producer ORDER BY count(DISTINCT u.node_id) DESC, producer COLLATE "C"`

	selectNameUses = `SELECT producer, event_id, event_time, job_namespace, job_name, run_id FROM unresolved_use
		WHERE projection_id = $1 AND node_id = $5 AND node_id <> ALL($2) AND counts AND ` + useIsShown + `
		ORDER BY event_time DESC, log_offset DESC LIMIT 100`

	// selectCandidates compares last parts without regard to case: $3 is a regular expression for them.
	selectCandidates = `SELECT namespace, name FROM node n
		WHERE projection_id = $1 AND kind = $2 AND lower(name) ~ $3 AND NOT (namespace = $4 AND name = $5)
			AND NOT EXISTS (SELECT FROM unresolved u WHERE u.projection_id = $1 AND u.node_id = n.node_id)
		ORDER BY namespace <> $4, namespace COLLATE "C", name COLLATE "C" LIMIT 1000`
)

// mostCandidates bounds those of an answer.
const mostCandidates = 10

// Unresolved lists names of the active projection that do not fit.
func (s *Store) Unresolved(ctx context.Context, filter UnresolvedFilter) (UnresolvedList, error) {
	var list UnresolvedList
	err := s.read(ctx, func(tx pgx.Tx, view View) (err error) {
		list.View = view
		hidden, err := hiddenUsesOf(ctx, tx, view.ID, filter.Show)
		if err != nil {
			return err
		}
		filter.Namespace = view.Names.Dataset(lineage.DatasetID{Namespace: filter.Namespace}).Namespace
		rows, _ := tx.Query(ctx, listUnresolved, hidden.args(view.ID, filter.Dismissed, filter.Namespace, filter.Producer,
			filter.After.Namespace, filter.After.Name, filter.Limit+1)...) // CollectRows reports the error
		if list.Names, err = pgx.CollectRows(rows, scanUnresolved); err != nil {
			return err
		}
		if list.More = len(list.Names) > filter.Limit; list.More {
			list.Names = list.Names[:filter.Limit]
		}
		rows, _ = tx.Query(ctx, countByNamespace, hidden.args(view.ID)...)
		if list.ByNamespace, err = pgx.CollectRows(rows, pgx.RowToStructByPos[UnresolvedCount]); err != nil {
			return err
		}
		rows, _ = tx.Query(ctx, countByProducer, hidden.args(view.ID)...)
		list.ByProducer, err = pgx.CollectRows(rows, pgx.RowToStructByPos[UnresolvedCount])
		return err
	})
	if err != nil {
		return UnresolvedList{}, fmt.Errorf("list names that do not fit: %w", err)
	}
	return list, nil
}

// UnresolvedName returns a name that does not fit, or ErrNotFound, also for one that the caller may not see. Show is that of an
// UnresolvedFilter.
func (s *Store) UnresolvedName(
	ctx context.Context, raw lineage.DatasetID, show Show,
) (UnresolvedDetail, error) {
	var detail UnresolvedDetail
	err := s.read(ctx, func(tx pgx.Tx, view View) error {
		detail.View = view
		hidden, err := hiddenUsesOf(ctx, tx, view.ID, show)
		if err != nil {
			return err
		}
		id := view.Names.Dataset(raw)
		node := lineage.Hash(id.Node().ID())
		rows, _ := tx.Query(ctx, oneUnresolved, hidden.args(view.ID, node)...)
		found, err := pgx.CollectRows(rows, scanUnresolved)
		if err != nil {
			return err
		}
		if len(found) == 0 {
			return ErrNotFound
		}
		detail.UnresolvedName = found[0]
		rows, _ = tx.Query(ctx, selectNameUses, hidden.args(view.ID, node)...)
		if detail.Uses, err = pgx.CollectRows(rows, scanNameUse); err != nil {
			return err
		}
		rows, _ = tx.Query(ctx, selectCandidates, view.ID, lineage.NodeDataset, endingIn(lastPart(id.Name)), id.Namespace, id.Name)
		candidates, err := pgx.CollectRows(rows, pgx.RowToStructByPos[lineage.DatasetID])
		if err != nil {
			return err
		}
		detail.Candidates, err = shownOnly(ctx, candidates, lineage.DatasetID.Node, show)
		detail.Candidates = detail.Candidates[:min(len(detail.Candidates), mostCandidates)]
		return err
	})
	return detail, err
}

func scanUnresolved(row pgx.CollectableRow) (UnresolvedName, error) {
	var u UnresolvedName
	var at *time.Time
	var said lineage.Attribution
	err := row.Scan(&u.Namespace, &u.Name, &u.Reason, &u.Events, &u.Producers, &u.LastUsedAt, &at, &said.By, &said.Reason)
	u.LastUsedAt = u.LastUsedAt.UTC()
	if at != nil {
		said.EventTime = at.UTC()
		u.Dismissal = &said
	}
	return u, err
}

func scanNameUse(row pgx.CollectableRow) (NameUse, error) {
	var use NameUse
	err := row.Scan(&use.Producer, &use.EventID, &use.EventTime, &use.Job.Namespace, &use.Job.Name, &use.RunID)
	use.EventTime = use.EventTime.UTC()
	return use, err
}

// lastPart is what stands behind the last dot or slash, in lower case.
func lastPart(name string) string {
	name = strings.TrimRight(name, "./")
	return strings.ToLower(name[strings.LastIndexAny(name, "./")+1:])
}

// endingIn is a regular expression for names that end in a part.
func endingIn(part string) string { return `(^|[./])` + regexp.QuoteMeta(part) + `/?$` }

package projection

import (
	"context"
	"encoding/json/v2"
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/headwater-data/headwater/lineage"
)

// NamespaceCount is how much of a namespace is in the graph.
type NamespaceCount struct {
	Namespace string
	Datasets  int64
	// RawNames counts by which names producers call the datasets.
	RawNames int64
	// Unresolved counts those in the queue of names that do not fit.
	Unresolved int64
}

// RegisteredRules is a set of name rules that somebody registered.
type RegisteredRules struct {
	Revision string
	Set      lineage.NameRuleSet
	Said     lineage.Attribution
	Offset   lineage.Offset
}

const (
	selectNamespaces = `SELECT namespace, count(*), sum(greatest(raw_names, 1)), count(*) FILTER (WHERE unresolved)
		FROM (SELECT n.namespace,
				(SELECT count(*) FROM node_name r WHERE r.projection_id = $1 AND r.node_id = n.node_id) AS raw_names,
				EXISTS (SELECT FROM unresolved u WHERE u.projection_id = $1 AND u.node_id = n.node_id AND ` + inUse + ` AND NOT ` + dismissed + ` AND NOT ` + aliased + `) AS unresolved
			FROM node n WHERE n.projection_id = $1 AND n.kind = $2) AS dataset
		GROUP BY namespace ORDER BY namespace COLLATE "C"`

	selectKnownNames = `SELECT coalesce(r.namespace, n.namespace), coalesce(r.name, n.name), n.namespace, n.name
		FROM node n LEFT JOIN node_name r ON r.projection_id = $1 AND r.node_id = n.node_id
		WHERE n.projection_id = $1 AND n.kind = $2`

	selectRegistered = `SELECT revision, rules, event_time, said_by, reason, recorded_from FROM name_rule_set
		WHERE projection_id = $1 ORDER BY recorded_from DESC`
	selectRegisteredRevision = `SELECT rules FROM name_rule_set JOIN projection USING (projection_id)
		WHERE status = 'active' AND revision = $1 LIMIT 1`
)

// aliased is whether node u is another name of a dataset today, which says what it means.
const aliased = `EXISTS (SELECT FROM alias a JOIN write w ON w.projection_id = $1 AND w.level = 4 AND w.content_id = a.content_id
		AND w.valid_from <= now() AND w.valid_to > now() AND w.recorded_to = ` + openEnd + `
	WHERE a.projection_id = $1 AND (a.name_id = u.node_id OR a.dataset_id = u.node_id))`

// inUse is whether an event that counts calls node u by its name.
const inUse = `EXISTS (SELECT FROM unresolved_use s WHERE s.projection_id = $1 AND s.node_id = u.node_id AND s.counts)`

// dismissed is whether a person took node u out of the queue.
const dismissed = `EXISTS (SELECT FROM name_dismissal d WHERE d.projection_id = $1 AND d.node_id = u.node_id
	AND d.dismissed AND d.recorded_to = ` + openEnd + `)`

// Namespaces counts the datasets of the active projection by namespace: those of which show tells that the caller may see them;
// nil: all.
func (s *Store) Namespaces(ctx context.Context, show Show) ([]NamespaceCount, View, error) {
	if show == nil {
		return readRows(ctx, s, pgx.RowToStructByPos[NamespaceCount], selectNamespaces, lineage.NodeDataset)
	}
	known, view, err := s.KnownNames(ctx, show)
	if err != nil {
		return nil, view, err
	}
	queue, err := s.Unresolved(ctx, UnresolvedFilter{Show: show})
	return countNames(known, queue.ByNamespace), view, err
}

// countNames counts names by namespace, as selectNamespaces does.
func countNames(known []lineage.KnownName, unresolved []UnresolvedCount) []NamespaceCount {
	counts := map[string]*NamespaceCount{}
	counted := map[lineage.DatasetID]bool{}
	for _, name := range known {
		of := counts[name.Node.Namespace]
		if of == nil {
			of = &NamespaceCount{Namespace: name.Node.Namespace}
			counts[of.Namespace] = of
		}
		if of.RawNames++; !counted[name.Node] {
			counted[name.Node] = true
			of.Datasets++
		}
	}
	for _, queued := range unresolved {
		if of := counts[queued.Of]; of != nil {
			of.Unresolved = queued.Names
		}
	}
	var sorted []NamespaceCount
	for _, namespace := range slices.Sorted(maps.Keys(counts)) {
		sorted = append(sorted, *counts[namespace])
	}
	return sorted
}

// KnownNames lists the raw names of the active projection's datasets: those of which show tells that the caller may see them;
// nil: all. A dataset that no event calls by a name of its own is its own raw name.
func (s *Store) KnownNames(ctx context.Context, show Show) ([]lineage.KnownName, View, error) {
	known, view, err := readRows(ctx, s, func(row pgx.CollectableRow) (name lineage.KnownName, err error) {
		err = row.Scan(&name.Raw.Namespace, &name.Raw.Name, &name.Node.Namespace, &name.Node.Name)
		return name, err
	}, selectKnownNames, lineage.NodeDataset)
	if err != nil {
		return nil, view, err
	}
	known, err = shownOnly(ctx, known, func(name lineage.KnownName) lineage.Node { return name.Node.Node() }, show)
	return known, view, err
}

// RegisteredNames lists the sets of name rules that were registered, the latest first. Those that hold are in the View.
func (s *Store) RegisteredNames(ctx context.Context) ([]RegisteredRules, View, error) {
	return readRows(ctx, s, scanRegistered, selectRegistered)
}

// readRows answers with the rows of one query, of which the first argument is the active projection.
func readRows[R any](ctx context.Context, s *Store, scan pgx.RowToFunc[R], query string, args ...any) (found []R, view View, err error) {
	err = s.read(ctx, func(tx pgx.Tx, at View) error {
		view = at
		rows, _ := tx.Query(ctx, query, append([]any{at.ID}, args...)...) // CollectRows reports the error
		found, err = pgx.CollectRows(rows, scan)
		return err
	})
	if err != nil {
		return nil, view, fmt.Errorf("read names: %w", err)
	}
	return found, view, nil
}

func scanRegistered(row pgx.CollectableRow) (RegisteredRules, error) {
	var r RegisteredRules
	var set []byte
	var at time.Time
	if err := row.Scan(&r.Revision, &set, &at, &r.Said.By, &r.Said.Reason, &r.Offset); err != nil {
		return r, err
	}
	r.Said.EventTime = at.UTC()
	return r, json.Unmarshal(set, &r.Set)
}

// RegisteredNameRules returns the rules of that revision that the active projection knows, or ErrNotFound.
func (s *Store) RegisteredNameRules(ctx context.Context, revision string) (*lineage.NameRules, error) {
	rows, _ := s.pool.Query(ctx, selectRegisteredRevision, revision) // CollectRows reports the error
	found, err := pgx.CollectRows(rows, pgx.RowTo[[]byte])
	if err != nil {
		return nil, fmt.Errorf("read name rules %s: %w", revision, err)
	}
	if len(found) == 0 {
		return nil, ErrNotFound
	}
	return decodeNameRules(found[0])
}

// ActiveNameRules returns the rules that hold in the active projection, nil where none do.
func (s *Store) ActiveNameRules(ctx context.Context) (*lineage.NameRules, error) {
	active, err := s.Active(ctx)
	if err != nil {
		return nil, err
	}
	return s.names(ctx, s.pool, active.ID)
}

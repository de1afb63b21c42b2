package projection

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/headwater-data/headwater/lineage"
)

// AliasRequest asks which names stand for which datasets.
type AliasRequest struct {
	// Of asks for all names of one dataset, by any of them, raw or not; nil for all names, a page at a time.
	Of *lineage.DatasetID
	// After is the last name of the page before; zero for the first page.
	After lineage.DatasetID
	// Limit is how many names a page has, at most.
	Limit int
	// ValidAt and RecordedAt are as in TraverseRequest.
	ValidAt    time.Time
	RecordedAt lineage.Offset
	// Show and SeesAll too.
	Show    Show
	SeesAll bool
}

// AliasAnswer is what is claimed of names, by name.
type AliasAnswer struct {
	Aliases []ListedAlias
	// Next is where the next page begins; zero on the last.
	Next lineage.DatasetID
	View View
}

// ListedAlias is a claim as it stands among all that is claimed of its name.
type ListedAlias struct {
	lineage.AliasClaim
	// Holds tells that the name stands for the dataset at the time in question.
	Holds bool
	// Conflicts are other datasets that the name was said to stand for at times when this was said too. The latest rules.
	Conflicts []lineage.DatasetID
}

// ListAliases gives what is claimed of names, ended claims too, from what the caller may see. It returns ErrNotFound for a
// dataset that does not exist or that the caller may not see.
func (s *Store) ListAliases(ctx context.Context, request AliasRequest) (AliasAnswer, error) {
	var answer AliasAnswer
	err := s.read(ctx, func(tx pgx.Tx, view View) error {
		answer.View = view
		w := newWalk(tx, &s.nodes, view, TraverseRequest{
			ValidAt: request.ValidAt, RecordedAt: request.RecordedAt, Show: request.Show, SeesAll: request.SeesAll,
		})
		if request.Of == nil {
			return w.listAliases(ctx, request, &answer)
		}
		return w.listAliasesOf(ctx, view.Names.Node(request.Of.Node()).ID(), &answer)
	})
	return answer, err
}

// listAliasesOf lists what is claimed of all names of one dataset.
func (w *walk) listAliasesOf(ctx context.Context, id lineage.NodeID, answer *AliasAnswer) error {
	if err := w.learn(ctx, []lineage.NodeID{id}); err != nil {
		return err
	}
	if !w.known[id].shown {
		return ErrNotFound
	}
	if err := w.classify(ctx, []lineage.NodeID{id}); err != nil {
		return err
	}
	members := w.classOf(id).members
	touches := func(claim lineage.AliasClaim) bool {
		return slices.Contains(members, claim.Name.Node().ID()) || slices.Contains(members, claim.Of.Node().ID())
	}
	names, err := w.claims(ctx, members)
	for _, claims := range names {
		if slices.ContainsFunc(claims, touches) { // or it came for the sake of what is not shown
			answer.add(claims, w.at.validAt)
		}
	}
	return err
}

// selectAliasNames reads names that stand for others, in order, after one of them.
const selectAliasNames = `SELECT n.node_id, n.namespace, n.name
	FROM (SELECT DISTINCT name_id FROM alias_p{}) AS a
	CROSS JOIN LATERAL (SELECT * FROM node_p{} WHERE projection_id = {} AND node_id = a.name_id OFFSET 0) AS n
	WHERE (n.namespace, n.name) > ($1, $2) ORDER BY n.namespace, n.name LIMIT $3`

// listAliases fills one page. Names that the caller may not see take no room in it.
func (w *walk) listAliases(ctx context.Context, request AliasRequest, answer *AliasAnswer) error {
	const readAhead = 100
	var last lineage.DatasetID
	for after, listed := request.After, 0; ; {
		rows, _ := w.tx.Query(ctx, w.at.projection.in(selectAliasNames), after.Namespace, after.Name, readAhead) // ForEachRow reports the error
		var ids []lineage.NodeID
		var names []lineage.DatasetID
		var id lineage.Hash
		_, err := pgx.ForEachRow(rows, []any{&id, &after.Namespace, &after.Name}, func() error {
			ids, names = append(ids, lineage.NodeID(id)), append(names, after)
			return nil
		})
		if err != nil {
			return fmt.Errorf("read the names of aliases: %w", err)
		}
		claims, err := w.claims(ctx, ids)
		if err != nil {
			return err
		}
		for _, name := range names {
			i := slices.IndexFunc(claims, func(c []lineage.AliasClaim) bool { return len(c) > 0 && c[0].Name == name })
			switch {
			case i < 0:
				continue
			case listed == request.Limit:
				answer.Next = last
				return nil
			}
			answer.add(claims[i], w.at.validAt)
			last = name
			listed++
		}
		if len(names) < readAhead {
			return nil
		}
	}
}

// add lists what is claimed of one name up to a time.
func (a *AliasAnswer) add(claims []lineage.AliasClaim, at time.Time) {
	holding := lineage.Holding(claims, at)
	for i, claim := range lineage.Dated(claims) {
		if !claim.From.After(at) {
			a.Aliases = append(a.Aliases, ListedAlias{claim, slices.Contains(holding, claim), lineage.Conflicting(claims, claims[i])})
		}
	}
}

package projection

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5"

	"github.com/headwater-data/headwater/lineage"
)

// useIsShown holds of the uses of names but those by jobs $3 and $4.
const useIsShown = `NOT EXISTS (SELECT FROM unnest($3::text[], $4::text[]) AS hidden(namespace, name)
	WHERE hidden.namespace = job_namespace AND hidden.name = job_name)`

const (
	selectUnresolvedNodes = `SELECT n.namespace, n.name FROM unresolved u JOIN node n ON n.projection_id = $1 AND n.node_id = u.node_id
		WHERE u.projection_id = $1`
	selectUsingJobs = `SELECT DISTINCT job_namespace, job_name FROM unresolved_use WHERE projection_id = $1 AND job_name <> ''`
)

// hiddenUses are the names that do not fit, and the jobs of events that used such names, which a caller may not see.
type hiddenUses struct {
	nodes []lineage.Hash
	// jobs are given by namespaces and names.
	namespaces, names []string
}

// hiddenUsesOf asks show about all of them; nil hides nothing.
func hiddenUsesOf(ctx context.Context, tx pgx.Tx, id ID, show Show) (hiddenUses, error) {
	hidden := hiddenUses{nodes: []lineage.Hash{}, namespaces: []string{}, names: []string{}}
	if show == nil {
		return hidden, nil
	}
	for kind, query := range map[lineage.NodeKind]string{lineage.NodeDataset: selectUnresolvedNodes, lineage.NodeJob: selectUsingJobs} {
		rows, _ := tx.Query(ctx, query, id) // CollectRows reports the error
		nodes, err := pgx.CollectRows(rows, func(row pgx.CollectableRow) (lineage.Node, error) {
			node := lineage.Node{Kind: kind}
			return node, row.Scan(&node.Namespace, &node.Name)
		})
		if err != nil {
			return hidden, fmt.Errorf("read names that do not fit: %w", err)
		}
		shown, err := show.ask(ctx, nodes)
		if err != nil {
			return hidden, err
		}
		for i, node := range nodes {
			switch {
			case shown[i]:
			case kind == lineage.NodeDataset:
				hidden.nodes = append(hidden.nodes, lineage.Hash(node.ID()))
			default:
				hidden.namespaces, hidden.names = append(hidden.namespaces, node.Namespace), append(hidden.names, node.Name)
			}
		}
	}
	return hidden, nil
}

// args are those of a query that leaves them out: from $5 on, more.
func (h hiddenUses) args(id ID, more ...any) []any {
	return append([]any{id, h.nodes, h.namespaces, h.names}, more...)
}

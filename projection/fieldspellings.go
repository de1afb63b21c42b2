package projection

import (
	"context"
	"slices"
	"strings"

	"github.com/headwater-data/headwater/lineage"
)

// selectAlike reads the fields of some datasets that are called like some others, but for upper and lower case.
const selectAlike = `SELECT field_id, dataset_id, path FROM field_p{} WHERE dataset_id = ANY($1) AND lower(path) = ANY($2) AND recorded_from <= $3`

// noteSpellings tells of fields of a frontier from which the walk would go on under a name that differs only in upper and
// lower case. Whether the two are one, a name rule says.
func (w *walk) noteSpellings(ctx context.Context, direction Direction, frontier []lineage.NodeID) error {
	alike, err := w.alike(ctx, frontier)
	if err != nil || len(alike) == 0 {
		return err
	}
	steps, err := w.steps(ctx, direction, sortedKeys(alike))
	if err != nil {
		return err
	}
	for _, s := range steps {
		other := s.near(direction)
		if of, ok := alike[other]; ok {
			delete(alike, other) // told once
			node := w.known[of].Node
			w.open.gaps = append(w.open.gaps, Gap{Kind: FieldSpelledOtherwise, Node: &node, Meant: w.known[other].Path})
		}
	}
	return nil
}

// alike has, for fields that no walk has come to, those of a frontier that are called so but for upper and lower case. Where
// a name rule folds case there are none.
func (w *walk) alike(ctx context.Context, frontier []lineage.NodeID) (map[lineage.NodeID]lineage.NodeID, error) {
	type called struct {
		dataset lineage.NodeID
		lower   string
	}
	asked := map[called]lineage.NodeID{}
	var datasets []lineage.Hash
	var names []string
	for _, id := range frontier {
		if node := w.known[id].Node; node.Kind != lineage.NodeField || w.view.Names.Columns(node.Namespace) != lineage.CasePreserve {
			continue
		}
		for _, member := range w.fieldMembers(id) {
			node := w.known[member].Node
			name := called{node.Whole().ID(), strings.ToLower(string(node.Path))}
			asked[name] = id
			datasets, names = append(datasets, lineage.Hash(name.dataset)), append(names, name.lower)
		}
	}
	if len(names) == 0 {
		return nil, nil
	}
	slices.Sort(names)
	found, err := queryFields(ctx, w.tx, w.at.projection.in(selectAlike), unique(datasets), slices.Compact(names), w.at.recordedAt)
	if err != nil {
		return nil, err
	}
	alike := map[lineage.NodeID]lineage.NodeID{}
	for _, field := range found {
		of, ok := asked[called{field.dataset, strings.ToLower(string(field.path))}]
		if !ok {
			continue
		}
		if other := w.showing(w.field(w.known[field.dataset], field.path)); other != of && !w.taken[other] {
			alike[other] = of
		}
	}
	return alike, nil
}

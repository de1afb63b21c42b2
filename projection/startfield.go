package projection

import (
	"context"

	"github.com/headwater-data/headwater/lineage"
)

// noteNoSuchField tells where the walk starts from a field that its dataset does not have at that time, for all that those
// say who write or declare it: nothing comes of a name that is mistyped. What readers show is often a part, and does not tell.
func (w *walk) noteNoSuchField(ctx context.Context, start lineage.NodeID) error {
	node := w.known[start].Node
	if node.Kind != lineage.NodeField {
		return nil
	}
	history, err := w.schemaHistory(ctx, w.wholeOf(start))
	if err != nil {
		return err
	}
	version := history.At(w.at.validAt)
	if version == nil {
		return nil
	}
	if found, alike := version.Find(node.Path); !found {
		w.open.gaps = append(w.open.gaps, Gap{Kind: NoSuchField, Node: &node, Meant: alike})
	}
	return nil
}

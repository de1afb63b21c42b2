package projection

import (
	"context"

	"github.com/headwater-data/headwater/lineage"
)

// learnStart looks up the node to start from. A field of a dataset that is shown can be asked for, whether or not anybody
// has named it.
func (w *walk) learnStart(ctx context.Context) error {
	start := w.request.Start
	whole := start.Whole().ID()
	if err := w.learn(ctx, []lineage.NodeID{whole}); err != nil {
		return err
	}
	w.known[start.ID()] = knownNode{Node: start, shown: w.known[whole].shown}
	return nil
}

// learnFields looks up the names of nodes of which some are fields. A field is shown where its dataset is.
func (w *walk) learnFields(ctx context.Context, ids []lineage.NodeID) error {
	fields, err := selectFields(ctx, w.tx, w.at, hashesOf(w.unknown(ids)))
	if err != nil {
		return err
	}
	others := ids
	if len(fields) > 0 {
		others = nil
		for _, id := range ids {
			if field, isField := fields[id]; isField {
				id = field.dataset
			}
			others = append(others, id)
		}
	}
	if err := w.learn(ctx, others); err != nil {
		return err
	}
	for _, field := range fields {
		w.field(w.known[field.dataset], field.path)
	}
	return nil
}

// field notes a field as a node, shown where its dataset is.
func (w *walk) field(dataset knownNode, path lineage.FieldPath) lineage.NodeID {
	node := w.view.Names.Node(dataset.datasetID().Field(path))
	id := node.ID()
	w.known[id] = knownNode{Node: node, shown: dataset.shown}
	return id
}

// wholeOf is the dataset of a field; any other node is whole.
func (w *walk) wholeOf(id lineage.NodeID) lineage.NodeID {
	if node := w.known[id]; node.Kind == lineage.NodeField {
		return node.Whole().ID()
	}
	return id
}

// showing is the node under which a node shows. That of a field is the same field of the dataset that its own shows under.
func (w *walk) showing(id lineage.NodeID) lineage.NodeID {
	node := w.known[id]
	if node.Kind != lineage.NodeField {
		return w.classOf(id).canonical
	}
	return w.field(w.known[w.classOf(node.Whole().ID()).canonical], node.Path)
}

// fieldMembers are the fields that show as one: those of all names of its dataset.
func (w *walk) fieldMembers(id lineage.NodeID) []lineage.NodeID {
	node := w.known[id]
	var members []lineage.NodeID
	for _, member := range w.classOf(node.Whole().ID()).members {
		members = append(members, w.field(w.known[member], node.Path))
	}
	return members
}

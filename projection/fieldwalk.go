package projection

import (
	"context"
	"slices"

	"github.com/headwater-data/headwater/lineage"
)

// A walk that starts at a field goes along column maps. Its nodes are fields; whole datasets, where something influences
// all of one or where a source names no field; and jobs that make a field up.
//
// What is said of a whole is said of its parts: a walk that has come to a field goes on with what is said of that field,
// of its parts, of the fields that it is a part of, and of the dataset. A walk that has come to a whole dataset goes on
// with what is said of any of its fields.

// ofFields reports whether the walk is one over fields.
func (w *walk) ofFields() bool { return w.request.Start.Kind == lineage.NodeField }

// fieldCandidates gives the steps from fields, datasets and jobs along column maps, without regard to who asks.
func (w *walk) fieldCandidates(ctx context.Context, direction Direction, frontier []lineage.NodeID) ([]step, error) {
	met, err := w.meet(ctx, frontier)
	if err != nil {
		return nil, err
	}
	if direction == Upstream {
		return w.fieldStepsInto(ctx, met)
	}
	return w.fieldStepsFrom(ctx, met)
}

func (w *walk) fieldStepsInto(ctx context.Context, met meeting) ([]step, error) {
	passages, err := w.passages(ctx, w.at, w.at.writes.into, sortedKeys(met))
	if err != nil {
		return nil, err
	}
	links, err := selectLinksInto(ctx, w.tx, w.at, passages, met, w.request.kinds())
	if err != nil {
		return nil, err
	}
	return joinLinks(passages, links), nil
}

func (w *walk) fieldStepsFrom(ctx context.Context, met meeting) ([]step, error) {
	links, err := selectLinksFrom(ctx, w.tx, w.at, met, w.request.kinds())
	if err != nil || len(links) == 0 {
		return nil, err
	}
	passages, err := w.passages(ctx, w.at, w.at.writes.by, sortedKeys(links))
	if err != nil {
		return nil, err
	}
	return joinLinks(passages, links), nil
}

// joinLinks makes a step of each link of the maps that the passages write.
func joinLinks(passages []*passage, links map[lineage.Hash][]link) []step {
	var steps []step
	for _, p := range passages {
		for _, link := range links[p.flow] {
			steps = append(steps, step{from: link.from, to: link.to, passage: p, transformations: link.transformations})
		}
	}
	return steps
}

// meeting has, for each dataset of a frontier, the keys of what is said of the nodes in the frontier; for a job, its own.
type meeting map[lineage.Hash][]lineage.Hash

// meet finds what a frontier goes on with.
func (w *walk) meet(ctx context.Context, frontier []lineage.NodeID) (meeting, error) {
	met := meeting{}
	paths := map[lineage.Hash][]lineage.FieldPath{}
	for _, id := range frontier {
		node := w.known[id].Node
		whole := lineage.Hash(node.Whole().ID())
		met[whole] = append(met[whole], lineage.Hash(id))
		if node.Kind == lineage.NodeField {
			met[whole] = append(met[whole], wholesOf(node)...)
		}
		if node.Kind != lineage.NodeJob {
			paths[whole] = append(paths[whole], node.Path)
		}
	}
	parts, err := selectParts(ctx, w.tx, w.at, paths)
	if err != nil {
		return nil, err
	}
	for _, part := range parts {
		dataset := lineage.Hash(part.dataset)
		if slices.ContainsFunc(paths[dataset], part.path.Within) {
			met[dataset] = append(met[dataset], lineage.Hash(part.field))
		}
	}
	for whole, keys := range met {
		met[whole] = unique(keys)
	}
	return met, nil
}

// wholesOf are the keys of what a field is a part of, its dataset among them.
func wholesOf(field lineage.Node) []lineage.Hash {
	dataset := lineage.DatasetID{Namespace: field.Namespace, Name: field.Name}
	keys := []lineage.Hash{lineage.Hash(dataset.Node().ID())}
	for _, path := range field.Path.Wholes() {
		keys = append(keys, lineage.Hash(dataset.Field(path).ID()))
	}
	return keys
}

func hashesOf(ids []lineage.NodeID) []lineage.Hash {
	hashes := make([]lineage.Hash, len(ids))
	for i, id := range ids {
		hashes[i] = lineage.Hash(id)
	}
	return hashes
}

// unique sorts keys and leaves each once.
func unique(keys []lineage.Hash) []lineage.Hash {
	slices.SortFunc(keys, compareHashes)
	return slices.Compact(keys)
}

// takeNear takes the nodes at which steps begin where those are not what the walk had come to, but a whole or a part of it.
func (w *walk) takeNear(steps []step, direction Direction, depth int) {
	for _, s := range steps {
		w.take([]lineage.NodeID{s.near(direction)}, depth)
	}
}

// near is the end of the step that lies towards the start.
func (s step) near(direction Direction) lineage.NodeID {
	if direction == Upstream {
		return s.to
	}
	return s.from
}

// lookBehindTables notes whether the tables of the last fields lead on where their columns do not.
func (w *walk) lookBehindTables(ctx context.Context, direction Direction, frontier []lineage.NodeID) error {
	for part := range slices.Chunk(frontier, frontierPart) {
		open, err := w.openSteps(ctx, direction, part)
		if err != nil {
			return err
		}
		if slices.ContainsFunc(open, func(s openStep) bool { return s.unaccounted }) {
			w.incomplete[DepthReached] = true
			return nil
		}
	}
	return nil
}

// kinds are the transformations that the walk goes along, as the store has them.
func (r TraverseRequest) kinds() []int16 {
	if len(r.Transformations) == 0 {
		return []int16{int16(lineage.Direct), int16(lineage.Indirect)}
	}
	kinds := make([]int16, len(r.Transformations))
	for i, kind := range r.Transformations {
		kinds[i] = int16(kind)
	}
	return kinds
}

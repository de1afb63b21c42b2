package projection

import (
	"context"
	"maps"
	"slices"

	"github.com/headwater-data/headwater/lineage"
)

// lasting leaves out the steps that ended before the time of the question where a later one says the same, and those of
// which a field has gone since: a lookback shows what may still be so, and a column that was dropped, or dropped and made
// again, is not.
func (w *walk) lasting(ctx context.Context, steps []step) ([]step, error) {
	steps = lastSaid(steps)
	histories := map[lineage.NodeID]lineage.SchemaHistory{}
	var lasting []step
	for _, s := range steps {
		lasts, err := true, error(nil)
		if !s.passage.validTo.After(w.at.validAt) {
			lasts, err = w.lasts(ctx, s, histories)
		}
		if err != nil {
			return nil, err
		}
		if lasts {
			lasting = append(lasting, s)
		}
	}
	return lasting, nil
}

// lasts reports whether both ends of a step that has ended are still there.
func (w *walk) lasts(ctx context.Context, s step, histories map[lineage.NodeID]lineage.SchemaHistory) (bool, error) {
	for _, end := range []lineage.NodeID{s.from, s.to} {
		whole := w.wholeOf(end)
		if whole == end {
			continue
		}
		history, known := histories[whole]
		if !known {
			var err error
			if history, err = w.schemaHistory(ctx, whole); err != nil {
				return false, err
			}
			histories[whole] = history
		}
		if !history.Lasts(w.known[end].Path, s.passage.validTo, w.at.validAt) {
			return false, nil
		}
	}
	return true, nil
}

// schemaHistory reads the schemas of a dataset under all of its names.
func (w *walk) schemaHistory(ctx context.Context, dataset lineage.NodeID) (lineage.SchemaHistory, error) {
	members := w.classOf(dataset).members
	versions, err := w.schemas(ctx, members)
	if err != nil || len(versions) == 0 {
		return lineage.SchemaHistory{}, err
	}
	lives, err := w.lives(ctx, members)
	if err != nil {
		return lineage.SchemaHistory{}, err
	}
	return lineage.NewSchemaHistory(versions, lives[w.classOf(dataset).canonical].drops), nil
}

// lastSaid keeps, of the steps that say the same in one timeline, the last: a map that changes in one column says of the
// others what the map before has said.
func lastSaid(steps []step) []step {
	type ends struct {
		from, to lineage.NodeID
		timeline lineage.Hash
	}
	last := map[ends][]step{}
	for _, s := range steps {
		of := ends{s.from, s.to, s.passage.timeline}
		i := slices.IndexFunc(last[of], func(other step) bool { return slices.Equal(other.transformations, s.transformations) })
		switch {
		case i < 0:
			last[of] = append(last[of], s)
		case s.passage.validTo.After(last[of][i].passage.validTo):
			last[of][i] = s
		}
	}
	return slices.Concat(slices.Collect(maps.Values(last))...)
}

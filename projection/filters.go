package projection

import (
	"context"
	"maps"
	"slices"

	"github.com/headwater-data/headwater/lineage"
)

// Filters leave edges out of a traversal as if they were not there, so that the walk does not pass them. The zero value
// leaves out none.
type Filters struct {
	// Origins are those to keep; none: all.
	Origins []lineage.Origin
	// Publications are those to keep of what runs did; none: all. What is declared or stated by hand has none, and stays.
	Publications []lineage.Publication
	// Environment is the one in which both ends lie; empty: any. Jobs lie in none, and stay.
	Environment string
	// WithoutDropped leaves out the edges into datasets that are dropped, and those out of them.
	WithoutDropped bool
}

// none reports whether the filters leave out nothing.
func (f *Filters) none() bool {
	return len(f.Origins) == 0 && len(f.Publications) == 0 && f.Environment == "" && !f.WithoutDropped
}

// keep reports whether the filters keep what a passage gives.
func (f *Filters) keep(p *passage) bool {
	return (len(f.Origins) == 0 || slices.Contains(f.Origins, p.origin)) &&
		(len(f.Publications) == 0 || p.origin != lineage.Observed || slices.Contains(f.Publications, p.publication))
}

// filtered leaves out steps as the request asks. It takes them as they would show, so that what is left out is what would
// have been marked so.
func (w *walk) filtered(ctx context.Context, steps []step) ([]step, error) {
	if w.request.none() {
		return steps, nil
	}
	steps = slices.DeleteFunc(steps, func(s step) bool {
		return !w.request.keep(s.passage) || !w.inEnvironment(s.from) || !w.inEnvironment(s.to)
	})
	if !w.request.WithoutDropped || !w.view.Dropped {
		return steps, nil
	}
	ends := map[lineage.NodeID]bool{}
	for _, s := range steps {
		ends[w.wholeOf(s.from)], ends[w.wholeOf(s.to)] = true, true
	}
	lives, err := w.lives(ctx, slices.Collect(maps.Keys(ends)))
	dropped := func(id lineage.NodeID) bool { return !lives[w.wholeOf(id)].dropped.IsZero() }
	return slices.DeleteFunc(steps, func(s step) bool { return dropped(s.from) || dropped(s.to) }), err
}

// inEnvironment reports whether a node does not lie outside of the environment that the request asks for.
func (w *walk) inEnvironment(id lineage.NodeID) bool {
	node := w.known[id].Node
	return w.request.Environment == "" || node.Kind == lineage.NodeJob || w.view.Names.Environment(node.Namespace) == w.request.Environment
}

package projection

import (
	"context"
	"maps"
	"slices"

	"github.com/headwater-data/headwater/lineage"
)

// aliasClass is the nodes that show as one.
type aliasClass struct {
	canonical lineage.NodeID
	members   []lineage.NodeID
	aliases   []lineage.AliasClaim
}

// classOf is the class of a node; that of a node without aliases has no other member.
func (w *walk) classOf(id lineage.NodeID) *aliasClass {
	if class := w.classes[id]; class != nil {
		return class
	}
	return &aliasClass{canonical: id, members: []lineage.NodeID{id}}
}

// membersOf are the nodes that show as the given ones.
func (w *walk) membersOf(ids []lineage.NodeID) []lineage.NodeID {
	var members []lineage.NodeID
	for _, id := range ids {
		if w.known[id].Kind == lineage.NodeField {
			members = append(members, w.fieldMembers(id)...)
			continue
		}
		members = append(members, w.classOf(id).members...)
	}
	return members
}

// classify finds the classes of nodes. They come from what was said between nodes that the caller may see: what was said
// of a hidden one neither joins nor parts.
func (w *walk) classify(ctx context.Context, ids []lineage.NodeID) error {
	if !w.view.Aliased {
		return nil
	}
	reached := map[lineage.NodeID]bool{}
	pending := map[lineage.NodeID]bool{}
	for _, id := range ids {
		if _, done := w.classes[id]; !done && w.known[id].Kind == lineage.NodeDataset {
			pending[id] = true
		}
	}
	var joining, ended []lineage.AliasClaim
	for len(pending) > 0 {
		maps.Copy(reached, pending)
		holding, passed, err := w.holding(ctx, sortedKeys(pending))
		if err != nil {
			return err
		}
		clear(pending)
		ended = append(ended, passed...)
		for _, claim := range holding {
			if claim.Alias == w.without {
				w.withoutHolds = true
				continue
			}
			name, of := claim.Name.Node().ID(), claim.Of.Node().ID()
			if !reached[name] && !reached[of] {
				continue
			}
			joining = append(joining, claim)
			for _, id := range []lineage.NodeID{name, of} {
				if !reached[id] {
					pending[id] = true
				}
			}
		}
	}
	for id := range reached {
		w.classes[id] = nil
	}
	for _, class := range lineage.AliasClasses(joining) {
		w.addClass(class)
	}
	ended = slices.DeleteFunc(ended, func(claim lineage.AliasClaim) bool { return !reached[claim.Of.Node().ID()] })
	return w.addFormers(ctx, ended)
}

// holding reads the aliases that hold of all names that touch some nodes, and the renamings that ended because a name
// passed to another dataset.
func (w *walk) holding(ctx context.Context, ids []lineage.NodeID) (holding, passed []lineage.AliasClaim, err error) {
	names, err := w.claims(ctx, ids)
	if err != nil {
		return nil, nil, err
	}
	for _, claims := range names {
		holding = append(holding, lineage.Holding(claims, w.at.validAt)...)
		for _, claim := range claims {
			if claim.Passed && !claim.To.After(w.at.validAt) {
				passed = append(passed, claim)
			}
		}
	}
	return holding, passed, nil
}

// claims reads all that is claimed of all names that touch some nodes, name by name, and leaves out what is said of a node
// that the caller may not see.
func (w *walk) claims(ctx context.Context, ids []lineage.NodeID) ([][]lineage.AliasClaim, error) {
	claims, err := readAliasClaims(ctx, w.tx, w.at, ids)
	if err != nil {
		return nil, err
	}
	if claims, err = w.shownClaims(ctx, claims); err != nil {
		return nil, err
	}
	var ends []lineage.NodeID
	for _, claim := range claims {
		ends = append(ends, claim.name, claim.of)
	}
	if err := w.learn(ctx, ends); err != nil {
		return nil, err
	}
	claims = slices.DeleteFunc(claims, func(c aliasClaim) bool { return !w.known[c.name].shown || !w.known[c.of].shown })
	if err := w.learnNameChanges(ctx, claims); err != nil {
		return nil, err
	}
	var names [][]lineage.AliasClaim
	for i, claim := range claims { // they are sorted by name
		if i == 0 || claim.name != claims[i-1].name {
			names = append(names, nil)
		}
		claim.Name, claim.Of = w.known[claim.name].datasetID(), w.known[claim.of].datasetID()
		names[len(names)-1] = append(names[len(names)-1], claim.AliasClaim)
	}
	return names, nil
}

func (k knownNode) datasetID() lineage.DatasetID {
	return lineage.DatasetID{Namespace: k.Namespace, Name: k.Name}
}

func (w *walk) addClass(class lineage.AliasClass) {
	w.joined = true
	added := &aliasClass{canonical: class.Canonical.Node().ID(), aliases: class.Aliases}
	for _, member := range class.Members {
		id := member.Node().ID()
		added.members = append(added.members, id)
		w.classes[id] = added
	}
	w.beginTogether(class.Aliases)
}

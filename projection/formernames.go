package projection

import (
	"context"
	"slices"
	"time"

	"github.com/headwater-data/headwater/lineage"
)

// A dataset that was renamed keeps what runs wrote to it under its old name, also once another dataset has taken that name.
// The old name does not stand for it any more; the walk reads what was written up to then from the graph as it was just
// before, and carries it over. So a dataset may have had a name that had a name, and each is read as of its own end.
//
// What was declared or stated by a person is of the name, and stays with it; and who reads a name reads whatever has it.

// former is a name that a dataset had until another one took it.
type former struct {
	lineage.AliasClaim
	// then is the walk at the end of the renaming, as if that itself had not been said: it tells the old name's part alone.
	then *walk
	// found are the steps that it gives, by where it starts.
	found map[formerStart][]step
}

// formerStart is a dataset or a field under its old name, in a walk over tables or over fields.
type formerStart struct {
	node     lineage.NodeID
	ofFields bool
}

// formerKey tells former names apart: they are the same for every dataset and time that they are met from.
type formerKey struct {
	lineage.Alias
	until time.Time
}

// addFormers finds the names that datasets had, among the renamings that ended, and adds them to what is known of these.
func (w *walk) addFormers(ctx context.Context, ended []lineage.AliasClaim) error {
	type renaming struct{ name, of lineage.DatasetID }
	last := map[renaming]lineage.AliasClaim{}
	for _, claim := range ended {
		of := renaming{claim.Name, claim.Of}
		if claim.Said.EffectiveAt.Before(w.began(claim.Of.Node().ID())) {
			continue // the dataset that was renamed has lost the new name as well
		}
		if claim.Said.Compare(last[of].Said) > 0 {
			last[of] = claim
		}
	}
	for _, claim := range last {
		f, err := w.former(ctx, claim)
		if err != nil {
			return err
		}
		if f != nil {
			of := claim.Of.Node().ID()
			w.joined, w.formers[of] = true, append(w.formers[of], f)
		}
	}
	for _, of := range w.formers {
		slices.SortFunc(of, func(a, b *former) int { return a.Compare(b.Alias) })
	}
	return nil
}

// former looks at the time just before a renaming ended: nil where it did not hold then.
func (w *walk) former(ctx context.Context, claim lineage.AliasClaim) (*former, error) {
	key := formerKey{claim.Alias, claim.To}
	if f, known := w.allFormers[key]; known {
		return f, nil
	}
	then := *w // what it learns of nodes, w knows
	then.at.validAt, then.at.limit = claim.To.Add(-time.Microsecond), nil
	then.forget()
	then.without = claim.Alias
	name := claim.Name.Node().ID()
	if err := then.classify(ctx, []lineage.NodeID{name}); err != nil {
		return nil, err
	}
	w.allFormers[key] = nil
	if then.withoutHolds {
		w.allFormers[key] = &former{AliasClaim: claim, then: &then, found: map[formerStart][]step{}}
	}
	return w.allFormers[key], nil
}

// forget drops what depends on the time of the walk.
func (w *walk) forget() {
	w.classes, w.joined = map[lineage.NodeID]*aliasClass{}, false
	w.formers, w.changes = map[lineage.NodeID][]*former{}, map[lineage.NodeID]lineage.NameChanges{}
	w.passed = map[lineage.NodeID]time.Time{}
	w.without, w.withoutHolds = lineage.Alias{}, false
	w.ends = jobEnds{}
}

// isFormer reports whether the walk is one at the end of a renaming.
func (w *walk) isFormer() bool { return w.without != lineage.Alias{} }

// wasAnothers reports whether a name was that of another dataset before.
func (w *walk) wasAnothers(name lineage.NodeID) bool { return !w.began(name).IsZero() }

// severalNames reports whether a dataset has other names, or had some.
func (w *walk) severalNames(dataset lineage.NodeID) bool {
	return w.classes[dataset] != nil || len(w.formers[dataset]) > 0
}

// aliasesOf are what joins the other names of a node to it, and its former ones.
func (w *walk) aliasesOf(id lineage.NodeID) []lineage.AliasClaim {
	aliases := slices.Clone(w.classOf(id).aliases)
	for _, f := range w.formersOf(id) {
		aliases = append(aliases, f.AliasClaim)
	}
	return aliases
}

// formersOf are the former names of a dataset.
func (w *walk) formersOf(dataset lineage.NodeID) []*former {
	var formers []*former
	for _, member := range w.classOf(dataset).members {
		formers = append(formers, w.formers[member]...)
	}
	return formers
}

// carriedSchemas are the versions of the schemas of datasets that were stated under former names.
func (w *walk) carriedSchemas(ctx context.Context, datasets []lineage.NodeID) ([]lineage.SchemaVersion, error) {
	var carried []lineage.SchemaVersion
	for _, dataset := range datasets {
		for _, f := range w.formers[dataset] {
			versions, err := f.then.schemas(ctx, f.then.classOf(f.Name.Node().ID()).members)
			if err != nil {
				return nil, err
			}
			carried = append(carried, versions...)
		}
	}
	return carried, nil
}

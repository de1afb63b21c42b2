package lineage

import (
	"maps"
	"slices"
)

// KnownName is a raw name and the name under which its dataset is known.
type KnownName struct {
	Raw, Node DatasetID
}

// NamePlan is what a set of rules would change. Each list is sorted.
type NamePlan struct {
	// Before and After count the datasets.
	Before, After int
	Merges        []NameMerge
	Splits        []NameSplit
	Renames       []NameRename
	// Unresolved are names that would not fit and do so far, Resolved those that would fit and do not so far.
	Unresolved []Misfit
	Resolved   []NameRename
}

// NameMerge makes one dataset of several.
type NameMerge struct {
	Into DatasetID
	From []DatasetID
}

// NameSplit makes several datasets of one.
type NameSplit struct {
	From DatasetID
	Into []DatasetID
}

// NameRename shows one dataset under another name.
type NameRename struct {
	From, To DatasetID
}

// Misfit is a name that does not have the shape of its namespace.
type Misfit struct {
	DatasetID
	Reason string
}

// Plan says what the rules would change among known names, which hold under the rules of now.
func (r *NameRules) Plan(now *NameRules, known []KnownName) NamePlan {
	into, from := map[DatasetID]datasetSet{}, map[DatasetID]datasetSet{}
	misfits, resolved := map[DatasetID]string{}, map[NameRename]bool{}
	for _, name := range known {
		next := r.Resolve(name.Raw)
		into[name.Node] = into[name.Node].with(next.DatasetID)
		from[next.DatasetID] = from[next.DatasetID].with(name.Node)
		fits, fitted := next.Misfit == "", now.Resolve(name.Raw).Misfit == ""
		switch {
		case fitted && !fits:
			misfits[next.DatasetID] = next.Misfit
		case fits && !fitted:
			resolved[NameRename{name.Node, next.DatasetID}] = true
		}
	}
	plan := NamePlan{Before: len(into), After: len(from)}
	for _, node := range slices.SortedFunc(maps.Keys(into), DatasetID.Compare) {
		next := into[node].sorted()
		if len(next) > 1 {
			plan.Splits = append(plan.Splits, NameSplit{From: node, Into: next})
		} else if rename := (NameRename{node, next[0]}); len(from[next[0]]) == 1 && node != next[0] && !resolved[rename] {
			plan.Renames = append(plan.Renames, rename)
		}
	}
	for _, node := range slices.SortedFunc(maps.Keys(from), DatasetID.Compare) {
		if len(from[node]) > 1 {
			plan.Merges = append(plan.Merges, NameMerge{Into: node, From: from[node].sorted()})
		}
	}
	for _, name := range slices.SortedFunc(maps.Keys(misfits), DatasetID.Compare) {
		plan.Unresolved = append(plan.Unresolved, Misfit{name, misfits[name]})
	}
	plan.Resolved = slices.SortedFunc(maps.Keys(resolved), func(a, b NameRename) int {
		if c := a.From.Compare(b.From); c != 0 {
			return c
		}
		return a.To.Compare(b.To)
	})
	return plan
}

type datasetSet map[DatasetID]bool

func (s datasetSet) with(id DatasetID) datasetSet {
	if s == nil {
		s = datasetSet{}
	}
	s[id] = true
	return s
}

func (s datasetSet) sorted() []DatasetID { return slices.SortedFunc(maps.Keys(s), DatasetID.Compare) }

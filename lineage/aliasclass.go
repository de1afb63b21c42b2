package lineage

import (
	"cmp"
	"maps"
	"slices"
	"strings"
	"time"
)

// AliasClaim is an alias as one author has it, seen from a point in both times.
type AliasClaim struct {
	Alias
	// From and To are when it holds; To is Forever while nothing ended it.
	From, To time.Time
	// Passed tells of a renaming that it ended at To because one of the names passed to another dataset.
	Passed bool
	// Said is when the author said so last, up to the valid time in question.
	Said Moment
	Sender
}

// Holding picks, from all that is claimed of one name at any time, what holds at one time. A name stands for one dataset at
// a time: the claim that was said last rules, with those that the same event made beside it. What it replaced stays
// replaced, also after it has ended itself.
func Holding(claims []AliasClaim, at time.Time) []AliasClaim {
	var last Moment
	for _, claim := range claims {
		if !claim.From.After(at) && claim.Said.Compare(last) > 0 {
			last = claim.Said
		}
	}
	var holding []AliasClaim
	for _, claim := range Dated(claims) {
		if !claim.From.After(at) && claim.Said.Compare(last) == 0 && claim.To.After(at) {
			holding = append(holding, claim)
		}
	}
	return holding
}

// Dated ends each of the claims of one name where the name began to be given to another dataset.
func Dated(claims []AliasClaim) []AliasClaim {
	dated := slices.Clone(claims)
	for i := range dated {
		for _, other := range claims {
			if other.Of != dated[i].Of && other.From.After(dated[i].Said.EffectiveAt) && other.From.Before(dated[i].To) {
				dated[i].To = other.From
			}
		}
	}
	return dated
}

// EndRename ends a renaming where another dataset takes the old name, or the new one, if nothing has ended it before.
func (c *AliasClaim) EndRename(name, of NameChanges) {
	passed := firstOf(name.TakenAfter(c.Said.EffectiveAt), of.LostAfter(c.Said.EffectiveAt))
	if c.Source == ByRename && passed.Before(c.To) {
		c.To, c.Passed = passed, true
	}
}

// Conflicting lists what else than in a claim a name was said to stand for, of all that is claimed of it, while the claim
// held by its author's word.
func Conflicting(claims []AliasClaim, claim AliasClaim) []DatasetID {
	var others []DatasetID
	for _, other := range claims {
		if other.Of != claim.Of && other.From.Before(claim.To) && claim.From.Before(other.To) {
			others = append(others, other.Of)
		}
	}
	slices.SortFunc(others, DatasetID.Compare)
	return slices.Compact(others)
}

// AliasClass is the names of one dataset.
type AliasClass struct {
	// Canonical is the name under which the dataset shows: one that a person asked for, else the smallest.
	Canonical DatasetID
	// Members are all names, sorted.
	Members []DatasetID
	// Aliases are what joins them, sorted, each once.
	Aliases []AliasClaim
}

// AliasClasses joins names that are connected by aliases that hold. Chains are followed, and cycles are as good as chains.
// The classes are sorted by their canonical names.
func AliasClasses(holding []AliasClaim) []AliasClass {
	class := map[DatasetID]*AliasClass{}
	of := func(id DatasetID) *AliasClass {
		if class[id] == nil {
			class[id] = &AliasClass{Members: []DatasetID{id}}
		}
		return class[id]
	}
	for _, claim := range holding {
		a, b := of(claim.Name), of(claim.Of)
		if len(a.Members) < len(b.Members) {
			a, b = b, a
		}
		if a != b {
			for _, member := range b.Members {
				class[member] = a
			}
			a.Members = append(a.Members, b.Members...)
			a.Aliases = append(a.Aliases, b.Aliases...)
		}
		a.Aliases = append(a.Aliases, claim)
	}
	distinct := map[*AliasClass]bool{}
	for _, c := range class {
		distinct[c] = true
	}
	classes := make([]AliasClass, 0, len(distinct))
	for c := range maps.Keys(distinct) {
		slices.SortFunc(c.Members, DatasetID.Compare)
		slices.SortFunc(c.Aliases, AliasClaim.compare)
		c.Aliases = slices.Compact(c.Aliases)
		c.Canonical = canonical(c)
		classes = append(classes, *c)
	}
	slices.SortFunc(classes, func(a, b AliasClass) int { return a.Canonical.Compare(b.Canonical) })
	return classes
}

func canonical(c *AliasClass) DatasetID {
	first := c.Members[0]
	found := false
	for _, alias := range c.Aliases {
		if alias.Canonical && (!found || alias.Name.Compare(first) < 0) {
			first, found = alias.Name, true
		}
	}
	return first
}

func (c AliasClaim) compare(other AliasClaim) int {
	return cmp.Or(c.Alias.Compare(other.Alias), c.From.Compare(other.From), c.To.Compare(other.To), c.Said.Compare(other.Said),
		strings.Compare(c.Producer, other.Producer))
}

package lineage

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// Symlink is another name of a dataset, or the name of where its data lies.
type Symlink struct {
	DatasetID
	Location bool `json:"location,omitzero"`
}

// Symlinks are what a symlinks facet names of a dataset.
type Symlinks struct {
	DatasetID
	// Identifiers are sorted, each once. There are none where the facet is deleted: the dataset has no other names any more.
	Identifiers []Symlink `json:"identifiers"`
}

// aliases turns each identifier the right way: a table stands for the place where its data lies, whichever of the two the
// facet is of, since it is the table that can be pointed to another place.
func (s Symlinks) aliases() []Alias {
	aliases := make([]Alias, len(s.Identifiers))
	for i, identifier := range s.Identifiers {
		aliases[i] = Alias{Name: identifier.DatasetID, Of: s.DatasetID, Source: BySymlink}
		if identifier.Location {
			aliases[i].Name, aliases[i].Of = aliases[i].Of, aliases[i].Name
		}
	}
	return aliases
}

// maxSymlinks bounds the identifiers of one dataset in one event. Clients send one or two.
const maxSymlinks = 100

// symlinks reads the symlinks facets of an event's datasets. One that names nothing says nothing.
// Source: SymlinksDatasetFacet.
func (r *facetReader) symlinks(event Event) []Symlinks {
	named := map[DatasetID][]Symlink{}
	read := func(dataset Dataset, path string) {
		identifiers := r.identifiers(dataset.Facets, path+".facets")
		if len(identifiers) > 0 || slices.Contains(dataset.Deleted, "symlinks") {
			named[dataset.DatasetID] = append(named[dataset.DatasetID], identifiers...)
		}
	}
	if event.Kind == DatasetEvent {
		read(event.Dataset, "dataset")
	}
	for i, input := range event.Inputs {
		read(input, fmt.Sprintf("inputs[%d]", i))
	}
	for i, output := range event.Outputs {
		read(output, fmt.Sprintf("outputs[%d]", i))
	}
	var symlinks []Symlinks
	for dataset, identifiers := range named {
		slices.SortFunc(identifiers, Symlink.compare)
		symlinks = append(symlinks, Symlinks{dataset, slices.Compact(identifiers)})
	}
	slices.SortFunc(symlinks, func(a, b Symlinks) int { return a.DatasetID.Compare(b.DatasetID) })
	return symlinks
}

func (r *facetReader) identifiers(facets Facets, path string) []Symlink {
	type symlinksFacet struct {
		Identifiers []struct {
			DatasetID
			Type string `json:"type"`
		} `json:"identifiers"`
	}
	facet, _ := readFacet[symlinksFacet](r, facets, "symlinks", path)
	var identifiers []Symlink
	broken := 0
	for _, identifier := range facet.Identifiers {
		if !usableName(identifier.Namespace, identifier.Name) {
			broken++
			continue
		}
		identifiers = append(identifiers, Symlink{
			NewDatasetID(identifier.Namespace, identifier.Name), strings.EqualFold(identifier.Type, "LOCATION"),
		})
	}
	if broken > 0 {
		r.warn("malformed_facet", path+".symlinks", "%d of its identifiers were left out: they do not name a dataset", broken)
	}
	if len(identifiers) > maxSymlinks {
		r.warn("too_many_symlinks", path+".symlinks", "names %d identifiers; the first %d were kept", len(identifiers), maxSymlinks)
		identifiers = identifiers[:maxSymlinks]
	}
	return identifiers
}

func (s Symlink) compare(other Symlink) int {
	return cmp.Or(s.DatasetID.Compare(other.DatasetID), compareBools(s.Location, other.Location))
}

// RunSymlinks are what a sender's events of a run name of a dataset, with the first event that names just that. A run says
// it once, for a stream may repeat it for ever; a run that ends says it again where the sender said something else in between.
type RunSymlinks struct {
	Symlinks
	First Witness `json:"first"`
	// Last is the last such event; zero where there is only one.
	Last Witness `json:"last,omitzero"`
}

func (r *Run) addSymlinks(c Contribution) {
	added := make([]RunSymlinks, len(c.Symlinks))
	for i, symlinks := range c.Symlinks {
		added[i] = RunSymlinks{Symlinks: symlinks, First: Witness{c.Moment, c.Sender}}
	}
	r.Symlinks = unite(r.Symlinks, added, compareRunSymlinks, (*RunSymlinks).join)
}

func compareRunSymlinks(a, b RunSymlinks) int {
	return cmp.Or(a.compareAuthor(b), slices.CompareFunc(a.Identifiers, b.Identifiers, Symlink.compare))
}

// compareAuthor orders by who names which dataset: what they say later replaces what they said before.
func (s RunSymlinks) compareAuthor(other RunSymlinks) int {
	return cmp.Or(s.DatasetID.Compare(other.DatasetID), strings.Compare(s.First.Producer, other.First.Producer))
}

func (s *RunSymlinks) join(other RunSymlinks) {
	for _, witness := range []Witness{other.First, other.Last} {
		switch {
		case witness.Key.IsZero():
		case witness.Compare(s.First.Moment) < 0:
			if s.Last.Key.IsZero() {
				s.Last = s.First
			}
			s.First = witness
		case witness.Compare(s.First.Moment) > 0 && witness.Compare(s.Last.Moment) > 0:
			s.Last = witness
		}
	}
}

// symlinkStatements are what the run calls its datasets, whether it is published or not. Datasets of one event that are
// known under one name have the names of all of them.
func (r *Run) symlinkStatements() []Statement {
	compare := func(a, b RunSymlinks) int {
		return cmp.Or(a.DatasetID.Compare(b.DatasetID), a.First.Compare(b.First.Moment))
	}
	rest := slices.Concat(r.Symlinks, r.restatedSymlinks())
	if r.Continuous() { // facets add up
		rest = slices.DeleteFunc(slices.Clone(r.Symlinks), func(s RunSymlinks) bool { return len(s.Identifiers) == 0 })
	}
	slices.SortFunc(rest, compare)
	var statements []Statement
	for len(rest) > 0 {
		first, aliases := rest[0], []Alias(nil)
		for len(rest) > 0 && compare(rest[0], first) == 0 {
			aliases = append(aliases, rest[0].aliases()...)
			rest = rest[1:]
		}
		statements = append(statements,
			namesStatement(first.DatasetID, aliases, first.First.Moment, first.First.Sender, first.First.Producer))
	}
	return statements
}

// restatedSymlinks are those that their sender named again, at the last event that did, after it had said something else.
func (r *Run) restatedSymlinks() []RunSymlinks {
	var restated []RunSymlinks
	for _, s := range r.Symlinks {
		if slices.ContainsFunc(r.Symlinks, func(other RunSymlinks) bool {
			return s.compareAuthor(other) == 0 && s.First.Compare(other.First.Moment) < 0 && s.Last.Compare(other.First.Moment) > 0
		}) {
			restated = append(restated, RunSymlinks{Symlinks: s.Symlinks, First: s.Last})
		}
	}
	return restated
}

// symlinksUnder gives datasets and identifiers the names that rules have for them.
func symlinksUnder(names *NameRules, raw []RunSymlinks) []RunSymlinks {
	known := make([]RunSymlinks, len(raw))
	for i, s := range raw {
		identifiers := make([]Symlink, len(s.Identifiers))
		for j, identifier := range s.Identifiers {
			identifiers[j] = Symlink{names.Dataset(identifier.DatasetID), identifier.Location}
		}
		slices.SortFunc(identifiers, Symlink.compare)
		known[i] = RunSymlinks{Symlinks{names.Dataset(s.DatasetID), slices.Compact(identifiers)}, s.First, s.Last}
	}
	return unite(nil, known, compareRunSymlinks, (*RunSymlinks).join)
}

// namesStatement says what an author calls a dataset from a moment on. Scope keeps authors apart who do not replace each
// other's statements.
func namesStatement(dataset DatasetID, aliases []Alias, at Moment, sender Sender, scope string) Statement {
	return Statement{
		EffectiveAt: at.EffectiveAt, Key: at.Key, Until: Forever, Content: NewNames(dataset, aliases), Output: dataset.Node(),
		Speaks: true, Origin: Observed, Scope: scope, Sender: sender,
	}
}

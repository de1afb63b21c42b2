package lineage

import (
	"cmp"
	"slices"
	"strings"
)

// AliasSource is what says that two names are names of one dataset. The numbers are stored.
type AliasSource int16

// The sources of aliases. Likeness of names is none of them.
const (
	// BySymlink is a symlinks facet.
	BySymlink AliasSource = iota + 1
	// ByRename is a renaming: the old name stands for the new one.
	ByRename
	// ByRegistration is a person.
	ByRegistration
)

// Alias says that a name stands for a dataset, which has a name of its own.
type Alias struct {
	Name, Of DatasetID
	Source   AliasSource
	// Canonical asks to show the dataset under Name.
	Canonical bool
	// Reason is why a person says so.
	Reason string
}

// Compare orders aliases by what they say.
func (a Alias) Compare(other Alias) int {
	return cmp.Or(a.Name.Compare(other.Name), a.Of.Compare(other.Of), cmp.Compare(a.Source, other.Source),
		compareBools(a.Canonical, other.Canonical), strings.Compare(a.Reason, other.Reason))
}

func compareBools(a, b bool) int {
	switch {
	case a == b:
		return 0
	case b:
		return -1
	default:
		return 1
	}
}

// AliasLevel says what a dataset is called. Its content is a *Names.
const AliasLevel Level = 4

// Names is all that one author calls a dataset at one time. It is the content of a statement and never changes.
type Names struct {
	// Aliases are sorted, each once.
	Aliases []Alias
	id      Hash
}

// NewNames takes what is said of a dataset, in any order. That a name stands for itself says nothing.
func NewNames(dataset DatasetID, aliases []Alias) *Names {
	aliases = slices.SortedFunc(slices.Values(aliases), Alias.Compare)
	aliases = slices.DeleteFunc(slices.Compact(aliases), func(a Alias) bool { return a.Name == a.Of })
	parts := []string{"names", dataset.Namespace, dataset.Name}
	for _, alias := range aliases {
		precedence := "any"
		if alias.Canonical {
			precedence = "canonical"
		}
		parts = append(parts, string(rune('0'+alias.Source)), precedence, alias.Reason,
			alias.Name.Namespace, alias.Name.Name, alias.Of.Namespace, alias.Of.Name)
	}
	return &Names{Aliases: aliases, id: HashOf(parts...)}
}

// ID is the hash of what is said.
func (n *Names) ID() Hash { return n.id }

// Level is AliasLevel.
func (*Names) Level() Level { return AliasLevel }

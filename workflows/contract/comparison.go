package contract

import (
	"slices"

	"github.com/headwater-data/headwater/lineage"
)

// Comparison holds two projections of the same events against each other, both at one place in the log.
type Comparison struct {
	At     lineage.Position `json:"at"`
	Live   Digests          `json:"live"`
	Shadow Digests          `json:"shadow"`
	// Tables are those that answers come from.
	Tables []TableComparison `json:"tables"`
}

// Digests are the digests of one projection.
type Digests struct {
	Projection string `json:"projection"`
	Resolver   string `json:"resolver"`
	// NameRules is the revision of the rules under which it folds; empty where names are taken as they are.
	NameRules string `json:"nameRules,omitempty"`
	// State digests what is believed now; it is the same for every order of arrival.
	State string `json:"state"`
	// History digests every row; it is the same for every fold of one log.
	History string `json:"history"`
}

// TableComparison compares one table.
type TableComparison struct {
	Table      string `json:"table"`
	LiveRows   int64  `json:"liveRows"`
	ShadowRows int64  `json:"shadowRows"`
	Equal      bool   `json:"equal"`
	// Raw tables hold what was said as it was said: they are the same under all name rules.
	Raw bool `json:"raw,omitempty"`
}

// Approvable reports whether readers may see the shadow: it is the live projection row for row, or it folds under other
// name rules and differs only in what follows from them.
func (c Comparison) Approvable() bool {
	differs := func(t TableComparison) bool { return t.Raw && !t.Equal }
	return c.Equal() || c.Live.NameRules != c.Shadow.NameRules && c.Live.Resolver == c.Shadow.Resolver && !slices.ContainsFunc(c.Tables, differs)
}

// Equal reports whether the shadow is the live projection, row for row.
func (c Comparison) Equal() bool {
	return c.Live.History == c.Shadow.History && c.Live.State == c.Shadow.State
}

package contract

import "github.com/headwater-data/headwater/lineage"

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
	// Raw digests what was said, whatever names are made of it; it is the same for every fold of one log, under all name rules.
	Raw string `json:"raw,omitempty"`
}

// TableComparison compares one table.
type TableComparison struct {
	Table      string `json:"table"`
	LiveRows   int64  `json:"liveRows"`
	ShadowRows int64  `json:"shadowRows"`
	Equal      bool   `json:"equal"`
}

// Approvable reports whether readers may see the shadow: it is the live projection row for row, or it folds under other
// name rules and differs only in what follows from them, or another version of the code built it, and the differences are
// what that is for. Whether they are, a person judges.
func (c Comparison) Approvable() bool {
	return c.Equal() || c.Upgraded() || c.renamed()
}

// Upgraded reports whether another version of the code built the shadow.
func (c Comparison) Upgraded() bool { return c.Live.Resolver != c.Shadow.Resolver }

// renamed reports whether the shadow says the same under other names.
func (c Comparison) renamed() bool {
	return c.Live.NameRules != c.Shadow.NameRules && c.Live.Raw == c.Shadow.Raw && c.Live.Raw != ""
}

// Equal reports whether the shadow is the live projection, row for row.
func (c Comparison) Equal() bool {
	return c.Live.History == c.Shadow.History && c.Live.State == c.Shadow.State
}

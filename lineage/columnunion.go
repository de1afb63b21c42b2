package lineage

import (
	"bytes"
	"slices"
)

// ColumnMapUnion is what the column maps of several raw outputs say together that name rules unite. It is known by its
// parts: a run keeps no more than the hashes of maps, and the stores unite what is in them.
type ColumnMapUnion struct {
	// Parts are the hashes of the maps, two or more, sorted.
	Parts []Hash
}

// ID implements Content.
func (u *ColumnMapUnion) ID() Hash {
	parts := []string{"column maps"}
	for _, part := range u.Parts {
		parts = append(parts, string(part[:]))
	}
	return HashOf(parts...)
}

// Level implements Content.
func (*ColumnMapUnion) Level() Level { return ColumnLevel }

// unitedMaps is what one map or several say, in any order: mostly they are one.
func unitedMaps(parts []Hash) Content {
	slices.SortFunc(parts, func(a, b Hash) int { return bytes.Compare(a[:], b[:]) })
	if parts = slices.Compact(parts); len(parts) == 1 {
		return ColumnMapID(parts[0])
	}
	return &ColumnMapUnion{parts}
}

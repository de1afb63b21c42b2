package lineage

import "time"

// Lasts reports whether the field that a dataset has under a path at one time is, for all that is known, still there at a
// later one. A field that was dropped and made again between is another one.
func (h SchemaHistory) Lasts(path FieldPath, from, to time.Time) bool {
	holds := h.At(to)
	if path == "" || holds == nil || holds.Source == ReadSchema { // a read may be of some fields alone
		return true
	}
	since := h.Since(holds)
	there, ok := since[path]
	if !ok {
		return holds.Schema.covers(path)
	}
	return !there.After(from) || !h.tellsOf(there)
}

// covers reports whether a field of the schema, whose parts it does not tell, holds a path.
func (s *Schema) covers(path FieldPath) bool {
	covers := false
	s.Walk(func(of FieldPath, field Field) { covers = covers || len(field.Fields) == 0 && path.Within(of) })
	return covers
}

// tellsOf reports whether anything is known of the time before another.
func (h SchemaHistory) tellsOf(before time.Time) bool {
	for _, version := range h.Versions {
		if version.From.Before(before) && version.Source != ReadSchema {
			return true
		}
	}
	return false
}

package lineage

import "time"

// Lasts reports whether the field that a dataset has under a path at one time is, for all that is known, still there at a
// later one. A field that was dropped and made again between is another one.
func (h SchemaHistory) Lasts(path FieldPath, from, to time.Time) bool {
	holds := h.At(to)
	if path == "" || holds == nil || holds.Source == ReadSchema { // a read may be of some fields alone
		return true
	}
	spelled, covers := FieldPath(""), false
	holds.walk(func(known, of FieldPath, field Field) {
		if known == path {
			spelled = of
		}
		covers = covers || len(field.Fields) == 0 && path.Within(known) // of which it does not tell the parts
	})
	if spelled == "" {
		return covers
	}
	there := h.Since(holds)[spelled]
	return !there.After(from) || !h.tellsOf(there)
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

package lineage

import "strings"

// walk visits every field with the path under which it is known, and that which the schema spells.
func (v *SchemaVersion) walk(visit func(known, spelled FieldPath, field Field)) {
	v.Schema.Walk(func(path FieldPath, field Field) { visit(v.Columns.Path(path), path, field) })
}

// Spellings are the paths of the fields as the schema spells them, by those under which they are known. Of several the first
// counts.
func (v *SchemaVersion) Spellings() map[FieldPath]FieldPath {
	spellings := map[FieldPath]FieldPath{}
	v.walk(func(known, spelled FieldPath, _ Field) {
		if _, taken := spellings[known]; !taken {
			spellings[known] = spelled
		}
	})
	return spellings
}

// Find reports whether the schema has a field, or cannot tell: of a struct or an array of which it has no parts, any may be
// there, and whether a struct stands in an array is not told by all alike. Where it has not, alike is the field whose name
// differs only in upper and lower case, if there is one.
func (v *SchemaVersion) Find(path FieldPath) (found bool, alike FieldPath) {
	sought := path.withoutElements()
	v.walk(func(known, spelled FieldPath, field Field) {
		name := known.withoutElements()
		switch {
		case name == sought || len(field.Fields) == 0 && sought.Within(name):
			found = true
		case alike == "" && strings.EqualFold(string(name), string(sought)):
			alike = spelled
		}
	})
	if found {
		return true, ""
	}
	return false, alike
}

// withoutElements is the path with arrays as their elements.
func (p FieldPath) withoutElements() FieldPath {
	return FieldPath(strings.ReplaceAll(string(p), "[]", ""))
}

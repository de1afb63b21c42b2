package lineage

import "strings"

// Find reports whether the schema has a field, or cannot tell: of a struct or an array of which it has no parts, any may be
// there, and whether a struct stands in an array is not told by all alike. Where it has not, alike is the field whose name
// differs only in upper and lower case, if there is one.
func (s *Schema) Find(path FieldPath) (found bool, alike FieldPath) {
	sought := path.withoutElements()
	s.Walk(func(of FieldPath, field Field) {
		name := of.withoutElements()
		switch {
		case name == sought || len(field.Fields) == 0 && sought.Within(name):
			found = true
		case alike == "" && strings.EqualFold(string(name), string(sought)):
			alike = of
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

package lineage

import "strings"

// FieldPath names a field within its dataset, in one syntax whoever reports it: names are joined by dots, [] stands for
// the elements of an array, and a name that does not follow the syntax stands in backquotes, those within it doubled:
//
//	customer.addresses[].zip
//	`count(1)`
//
// OpenLineage has no way to tell a column that is called a.b from the part b of a column a: both are a.b. The empty path
// stands for the whole dataset.
type FieldPath string

// NewFieldPath is the path that a document or a caller writes, WithoutSecrets. An index as in a[0] or a[*] becomes [], and
// quotes that SQL engines put around a name go. A text that does not follow the syntax is one name, as engines name a column
// after the expression behind it.
func NewFieldPath(text string) FieldPath {
	if text == "" {
		return ""
	}
	return FieldPath("").Child(WithoutSecrets(text))
}

// Child is the field within p that goes by a name, which is not empty and may be a path itself.
func (p FieldPath) Child(name string) FieldPath { return FieldPath(appendField([]byte(p), name)) }

// appendField adds what a name means to a path.
func appendField(path []byte, name string) []byte {
	if along, ok := appendAlong(path, name); ok {
		return along
	}
	return appendName(path, "`"+strings.ReplaceAll(name, "`", "``")+"`")
}

// arrayElement is how OpenLineage calls the element of an array, where a name is expected.
const arrayElement = "_element"

// appendAlong goes on from a path along a text. ok is false where that does not follow the syntax.
func appendAlong(path []byte, text string) (along []byte, ok bool) {
	for rest := text; ; {
		name, quoted, after, ok := cutName(rest)
		switch {
		case !ok:
			return nil, false
		case quoted:
			path = appendField(path, name)
		case name == arrayElement && len(path) > 0:
			path = append(path, "[]"...)
		default:
			path = appendName(path, name)
		}
		for strings.HasPrefix(after, "[") {
			index, behind, closed := strings.Cut(after[1:], "]")
			if !closed || strings.Trim(index, "0123456789") != "" && index != "*" {
				return nil, false
			}
			path, after = append(path, "[]"...), behind
		}
		if after == "" {
			return path, true
		}
		if rest, ok = strings.CutPrefix(after, "."); !ok {
			return nil, false
		}
	}
}

func appendName(path []byte, name string) []byte {
	if len(path) > 0 {
		path = append(path, '.')
	}
	return append(path, name...)
}

// special are the characters that a name has only in quotes.
const special = ".[]()`"

// cutName takes the first name off a path, out of its quotes.
func cutName(path string) (name string, quoted bool, after string, ok bool) {
	if path == "" || path[0] != '`' && path[0] != '"' {
		end := strings.IndexAny(path, special)
		if end < 0 {
			end = len(path)
		}
		// What else is special cannot follow a name, so that the caller sees it.
		return path[:end], false, path[end:], end > 0
	}
	quote, inside := path[:1], path[1:]
	for at := 0; ; at++ {
		end := strings.Index(inside[at:], quote)
		if end < 0 {
			return "", true, "", false
		}
		at += end
		if !strings.HasPrefix(inside[at+1:], quote) {
			return strings.ReplaceAll(inside[:at], quote+quote, quote), true, inside[at+1:], at > 0
		}
		at++
	}
}

// Elements are the elements of the array p.
func (p FieldPath) Elements() FieldPath { return p + "[]" }

// Within reports whether p is whole or a part of it, as a.b is of a. Everything is within the whole dataset.
func (p FieldPath) Within(whole FieldPath) bool {
	rest, ok := strings.CutPrefix(string(p), string(whole))
	return ok && (whole == "" || rest == "" || rest[0] == '.' || rest[0] == '[')
}

// Wholes are the fields that p is a part of, the widest first; the dataset is not among them.
func (p FieldPath) Wholes() []FieldPath {
	var wholes []FieldPath
	quoted := false
	for i, char := range []byte(p) {
		switch {
		case char == '`':
			quoted = !quoted
		case !quoted && (char == '.' || char == '['):
			wholes = append(wholes, p[:i])
		}
	}
	return wholes
}

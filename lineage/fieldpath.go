package lineage

import "strings"

// FieldPath names a field within its dataset, in one syntax whoever reports it: names are joined by dots, [] stands for
// the elements of an array, and a name that holds one of . [ ] ( ) ` stands in backquotes, those within it doubled:
//
//	customer.addresses[].zip
//	`count(1)`
//
// The empty path stands for the whole dataset.
type FieldPath string

// NewFieldPath is the path that a document or a caller writes, WithoutSecrets. An index as in a[0] or a[*] becomes [].
// A text that does not follow the syntax is one name, as SQL engines name a column after the expression behind it.
func NewFieldPath(text string) FieldPath {
	text = WithoutSecrets(text)
	var path FieldPath
	for rest := text; ; {
		name, after, ok := cutName(rest)
		if !ok {
			return FieldPath("").Child(text)
		}
		path = path.Child(name)
		for strings.HasPrefix(after, "[") {
			index, behind, closed := strings.Cut(after[1:], "]")
			if !closed || strings.Trim(index, "0123456789") != "" && index != "*" {
				return FieldPath("").Child(text)
			}
			path, after = path.Elements(), behind
		}
		if after == "" {
			return path
		}
		if rest, ok = strings.CutPrefix(after, "."); !ok {
			return FieldPath("").Child(text)
		}
	}
}

// special are the characters for which a name stands in backquotes.
const special = ".[]()`"

// cutName takes the first name off a path.
func cutName(path string) (name, after string, ok bool) {
	quoted, isQuoted := strings.CutPrefix(path, "`")
	if !isQuoted {
		end := strings.IndexAny(path, special)
		if end < 0 {
			end = len(path)
		}
		// What else is special cannot follow a name, so that the caller sees it.
		return path[:end], path[end:], end > 0
	}
	for at := 0; ; at++ {
		end := strings.IndexByte(quoted[at:], '`')
		if end < 0 {
			return "", "", false
		}
		at += end
		if !strings.HasPrefix(quoted[at+1:], "`") {
			return strings.ReplaceAll(quoted[:at], "``", "`"), quoted[at+1:], at > 0
		}
		at++
	}
}

// arrayElement is how OpenLineage calls the element of an array, where a name is expected.
const arrayElement = "_element"

// Child is the field of that name within p.
func (p FieldPath) Child(name string) FieldPath {
	if name == arrayElement && p != "" {
		return p.Elements()
	}
	if strings.ContainsAny(name, special) {
		name = "`" + strings.ReplaceAll(name, "`", "``") + "`"
	}
	if p == "" {
		return FieldPath(name)
	}
	return p + "." + FieldPath(name)
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

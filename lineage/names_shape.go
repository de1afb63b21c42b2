package lineage

import (
	"fmt"
	"regexp"
	"strings"
)

// NameShape is what the names in a namespace look like: one of the words below, or words with . or / between them, one
// for each part, such as database.schema.table. A dot behind a backslash separates nothing: so OpenLineage escapes it. Nor does
// one in the quotes that a part begins with.
type NameShape string

// The shapes that are not made of parts.
const (
	// ShapeAny fits every name, and nothing is folded in it but as one part.
	ShapeAny NameShape = "any"
	// ShapePath is that of files: /data/orders. Doubled slashes, and those at the end, are folded.
	ShapePath NameShape = "path"
	// ShapeKey is that of objects in a bucket: data/orders. Slashes are folded as in a path, and at the beginning.
	ShapeKey NameShape = "key"
	// ShapeTopic is what Kafka allows as the name of a topic.
	ShapeTopic NameShape = "topic"
)

// namedParts are shapes made of parts.
var namedParts = regexp.MustCompile(`^[a-z_]+([./][a-z_]+)+$`)

func (s NameShape) valid() bool {
	return s == ShapeAny || s.isPath() || s == ShapeTopic || namedParts.MatchString(string(s))
}

// isPath reports whether names have folders.
func (s NameShape) isPath() bool { return s == ShapePath || s == ShapeKey }

// misfit says why a name does not have the shape; empty if it does.
func (s NameShape) misfit(name string) string {
	switch s {
	case ShapeAny:
		return ""
	case ShapePath:
		if !strings.HasPrefix(name, "/") {
			return "is no path from the root: it does not begin with a slash"
		}
	case ShapeKey:
	case ShapeTopic:
		if strings.Trim(name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-") != "" {
			return "is no topic: a topic has letters, digits, dots, dashes and underscores"
		}
	default:
		if _, ok := s.split(name); !ok {
			return fmt.Sprintf("does not have the %d parts of %s", len(s.between())+1, s)
		}
	}
	return ""
}

// between are the separators of a shape that is made of parts.
func (s NameShape) between() string {
	var separators strings.Builder
	for _, r := range string(s) {
		if r == '.' || r == '/' {
			separators.WriteRune(r)
		}
	}
	return separators.String()
}

// split gives the parts of a name. ok is false where they are not as many as the shape has, or one is empty.
func (s NameShape) split(name string) (parts []string, ok bool) {
	for _, separator := range []byte(s.between()) {
		part, rest, found := cutUnescaped(name, separator)
		if !found || part == "" {
			return nil, false
		}
		parts, name = append(parts, part), rest
	}
	if separators := s.between(); separators != "" {
		if _, _, more := cutUnescaped(name, separators[len(separators)-1]); more {
			return nil, false
		}
	}
	return append(parts, name), name != ""
}

// cutUnescaped is strings.Cut at the first separator that stands behind no backslash and in no quotes.
func cutUnescaped(text string, separator byte) (before, after string, found bool) {
	for i := quotedEnd(text); i < len(text); i++ {
		if text[i] == separator && (i == 0 || text[i-1] != '\\') {
			return text[:i], text[i+1:], true
		}
	}
	return text, "", false
}

// closingQuotes are the quotes that platforms put around a name, by the one that opens.
var closingQuotes = map[byte]byte{'"': '"', '`': '`', '[': ']'}

// quotedEnd is where the quotes end in which a text begins; 0 where it begins in none.
func quotedEnd(text string) int {
	if text == "" || closingQuotes[text[0]] == 0 {
		return 0
	}
	end := strings.IndexByte(text[1:], closingQuotes[text[0]])
	if end < 0 {
		return 0
	}
	return end + 2
}

package workflows

import (
	"fmt"
	"strings"
	"unicode"
)

// table is a Markdown table of names and values.
type table struct{ rows strings.Builder }

func (t *table) row(name, value string) { fmt.Fprintf(&t.rows, "| **%s** | %s |\n", name, value) }

func (t *table) String() string { return "| | |\n| --- | --- |\n" + t.rows.String() }

// code shows a text that somebody else chose as it is: as code, it can neither mark up the page nor leave its cell.
func code(text string) string {
	text = strings.Map(func(r rune) rune {
		switch {
		case r == '`':
			return '\''
		case unicode.IsControl(r):
			return ' '
		default:
			return r
		}
	}, text)
	return "`" + strings.ReplaceAll(text, "|", `\|`) + "`"
}

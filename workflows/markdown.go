package workflows

import (
	"fmt"
	"strings"
	"unicode"
)

// markdown is a page in the making, line by line.
type markdown struct{ text string }

func (m *markdown) line(format string, args ...any) { m.text += fmt.Sprintf(format, args...) + "\n" }

// table begins a table; the rows follow.
func (m *markdown) table(headings ...string) {
	m.row(headings...)
	m.line("%s|", strings.Repeat("| --- ", len(headings)))
}

func (m *markdown) row(cells ...string) { m.line("| %s |", strings.Join(cells, " | ")) }

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

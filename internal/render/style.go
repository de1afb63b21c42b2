// Package render shows answers to people: a traversal as a tree, as DOT or as a Mermaid chart, a run as a page, and
// any answer as JSON. Everything is pure: an answer in, text out.
package render

import (
	"fmt"
	"strings"
	"time"

	"github.com/fatih/color"
)

// Style is how a text for people looks.
type Style struct {
	// Colour adds the escape codes of a terminal.
	Colour bool
	// Now is what ages are counted from.
	Now time.Time
}

func (s Style) paint(text string, attributes ...color.Attribute) string {
	paint := color.New(attributes...)
	if !s.Colour {
		paint.DisableColor()
	} else {
		paint.EnableColor()
	}
	return paint.Sprint(text)
}

func (s Style) strong(text string) string  { return s.paint(text, color.Bold) }
func (s Style) faint(text string) string   { return s.paint(text, color.Faint) }
func (s Style) good(text string) string    { return s.paint(text, color.FgGreen) }
func (s Style) bad(text string) string     { return s.paint(text, color.FgRed) }
func (s Style) warning(text string) string { return s.paint(text, color.FgYellow) }

// ago says how long before now a moment was, to the greatest unit that fits.
func (s Style) ago(at time.Time) string {
	age := s.Now.Sub(at)
	switch {
	case age < 0:
		return "at " + clock(at)
	case age < time.Minute:
		return "just now"
	case age < time.Hour:
		return count(int(age/time.Minute), "minute") + " ago"
	case age < 48*time.Hour:
		return count(int(age/time.Hour), "hour") + " ago"
	default:
		return count(int(age/(24*time.Hour)), "day") + " ago"
	}
}

// clock writes a moment in UTC, to the second.
func clock(at time.Time) string { return at.UTC().Format("2006-01-02 15:04:05 UTC") }

// count writes "1 hour" and "2 hours".
func count(n int, unit string) string {
	if n == 1 {
		return "1 " + unit
	}
	return fmt.Sprintf("%d %ss", n, unit)
}

// word turns the name of an enum value into what people say: RUN_STATE_COMPLETED is "completed".
func word(value fmt.Stringer, prefix string) string {
	return strings.ReplaceAll(strings.ToLower(strings.TrimPrefix(value.String(), prefix)), "_", " ")
}

package lineage

import (
	"fmt"
	"strings"
)

// Warning is something odd in an event that was accepted all the same.
type Warning struct {
	Code string `json:"code"`
	// Path is where in the document, such as "inputs[2].facets.schema"; empty for the document as a whole.
	Path   string `json:"path,omitzero"`
	Reason string `json:"reason"`
}

// maxWarnings bounds what is kept of one event's oddities: a body of 32 MiB has room for millions.
const maxWarnings = 100

// warnings collects what was odd in an event.
type warnings struct {
	list []Warning
}

func (w *warnings) warn(code, path, format string, args ...any) {
	switch n := len(w.list); {
	case n < maxWarnings:
		w.list = append(w.list, Warning{Code: code, Path: RedactText(excerpt(path)), Reason: RedactText(fmt.Sprintf(format, args...))})
	case n == maxWarnings:
		w.list = append(w.list, Warning{Code: "more_warnings", Reason: fmt.Sprintf("only the first %d warnings were kept", maxWarnings)})
	}
}

// excerptBytes bounds what a message quotes of a document.
const excerptBytes = 200

// excerpt is the beginning of a text, whole where it is short.
func excerpt(text string) string { return cut(text, excerptBytes) }

// cut is the first bytes of a text, whole where it has no more.
func cut(text string, bytes int) string {
	if len(text) <= bytes {
		return text
	}
	return strings.ToValidUTF8(text[:bytes], "") + "…" // the cut may go through a character
}

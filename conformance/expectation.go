package main

import (
	"errors"
	"fmt"
	"io/fs"
	"strings"

	"github.com/headwater-data/headwater/lineage"
)

// expectation is what a case should give, as its file in expect/ has it.
type expectation struct {
	// later says what a later version will do about a case that is not for this one, besides what it gives now.
	later string
	// missing says what a later version will add to a case of which the rest holds now.
	missing string
	// answers has a line for each document, in the order of their names.
	answers string
	// picture is what the system then shows.
	picture string
	// names are the rules that it should show so under, from a file of their own; nil for none.
	names *lineage.NameRules
}

// answersEnd stands between the answers and the picture.
const answersEnd = "\n---\n"

// parseExpectation reads lines "# …" for the reader, "later: …" or "in part: …", then the answers, a line of three
// dashes, and the picture.
func parseExpectation(text string) (expectation, error) {
	var e expectation
	for {
		line, rest, _ := strings.Cut(text, "\n")
		later, isLater := strings.CutPrefix(line, "later: ")
		missing, isPart := strings.CutPrefix(line, "in part: ")
		switch {
		case isLater:
			e.later = later
		case isPart:
			e.missing = missing
		case !strings.HasPrefix(line, "#"):
			return e, e.split(text)
		}
		text = rest
	}
}

func (e *expectation) split(text string) error {
	var found bool
	if e.answers, e.picture, found = strings.Cut("\n"+text, answersEnd); !found {
		return errors.New("no line of three dashes stands between the answers and the picture")
	}
	e.answers, e.picture = strings.TrimSpace(e.answers), strings.TrimSpace(e.picture)
	return nil
}

// expectationOf is that of a synthetic case; found is false where none is written.
func expectationOf(expectations fs.FS, name string) (e expectation, found bool, err error) {
	text, err := fs.ReadFile(expectations, "expect/"+name+".txt")
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return e, false, nil
	case err != nil:
		return e, false, err
	}
	if e, err = parseExpectation(string(text)); err != nil {
		return e, true, fmt.Errorf("expect/%s.txt: %w", name, err)
	}
	return e, true, nil
}

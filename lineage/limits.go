package lineage

import (
	"bytes"
	"encoding/json/jsontext"
	"errors"
	"io"
	"strings"
	"unicode/utf8"
)

// Limits bounds what one event may hold. A value at the bound is accepted.
type Limits struct {
	// Depth is how deep objects and arrays may nest.
	Depth int
	// NameBytes bounds each namespace and name, in bytes of UTF-8.
	NameBytes int
	// RunIDBytes bounds a run id, in bytes of UTF-8.
	RunIDBytes int
	// Datasets bounds inputs and outputs, each.
	Datasets int
}

// DefaultLimits holds real documents with room to spare: the deepest seen nests 128 levels, the longest name has 5,004 bytes.
func DefaultLimits() Limits {
	return Limits{Depth: 512, NameBytes: 8192, RunIDBytes: 512, Datasets: 20_000}
}

// byteOrderMark may open a document; JSON has no use for it.
var byteOrderMark = []byte("\xef\xbb\xbf")

// checkSyntax reads a whole document once, so that what comes after may take its parts as valid JSON. A name that
// stands twice in one object is refused: there is no telling which of the two the producer meant.
func checkSyntax(document []byte, limits Limits) error {
	if len(bytes.TrimSpace(document)) == 0 {
		return invalid("empty_body", "", "the body is empty; send one OpenLineage event as a JSON object")
	}
	if !utf8.Valid(document) {
		return invalid("not_utf8", "", "the body is not valid UTF-8; encode JSON as UTF-8")
	}
	decoder := jsontext.NewDecoder(bytes.NewReader(document))
	for values := 0; ; {
		_, err := decoder.ReadToken()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return syntaxError(err)
		}
		if decoder.StackDepth() == 0 {
			values++
		}
		if values > 1 {
			return invalid("not_json", "", "something follows the JSON document; send one event a request, or an array to the batch endpoint")
		}
		if depth := decoder.StackDepth(); depth > limits.Depth {
			return invalid("too_deep", "", "objects and arrays nest deeper than %d levels", limits.Depth)
		}
	}
}

func syntaxError(err error) *InvalidError {
	if errors.Is(err, jsontext.ErrDuplicateName) {
		return invalid("duplicate_name", "", "a name stands twice in one JSON object, so its value is ambiguous: %v", err)
	}
	return invalid("not_json", "", "the body is not valid JSON: %s", strings.TrimPrefix(err.Error(), "jsontext: "))
}

func checkName(value, path string, limits Limits) error {
	switch {
	case value == "":
		return invalid("missing_name", path, "is missing or empty; every job and dataset needs a namespace and a name")
	case len(value) > limits.NameBytes:
		return invalid("name_too_long", path, "has %d bytes, more than the limit of %d", len(value), limits.NameBytes)
	case strings.ContainsRune(value, 0):
		return invalid("nul_in_name", path, "holds the character U+0000, which cannot be stored; remove it")
	}
	return nil
}

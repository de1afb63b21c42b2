package lineage

import (
	"bytes"
	"encoding/json/jsontext"
	"errors"
	"io"
	"strings"
	"unicode/utf8"
)

// byteOrderMark may open a document; JSON has no use for it.
var byteOrderMark = []byte("\xef\xbb\xbf")

// checkSyntax reads a whole document once, so that what comes after may take its parts as valid JSON. A name that
// stands twice in one object is refused: there is no telling which of the two the producer meant.
func checkSyntax(document []byte, limits Limits) error {
	if len(bytes.TrimSpace(document)) == 0 {
		return invalid("empty_body", "", "the body is empty; send one event as a JSON object")
	}
	if !utf8.Valid(document) {
		return invalid("not_utf8", "", "the body is not valid UTF-8; encode JSON as UTF-8")
	}
	decoder := jsontext.NewDecoder(bytes.NewBuffer(document))
	for values := 0; ; {
		_, err := decoder.ReadToken()
		switch {
		case errors.Is(err, io.EOF):
			return nil
		case values == 1:
			return invalid("trailing_data", "", "something follows the JSON document; send one event a request, or an array to the batch endpoint")
		case err != nil:
			return SyntaxError(err)
		}
		switch depth := decoder.StackDepth(); {
		case depth == 0:
			values++
		case depth > limits.Depth:
			return invalid("too_deep", "", "objects and arrays nest deeper than the limit of %d levels", limits.Depth)
		}
	}
}

// maxSyntaxBytes bounds what is told of a syntax error: it names where it is, however deep that lies.
const maxSyntaxBytes = 800

// pointerEscapes are taken out of a JSON Pointer, for people and for whoever looks for credentials in it.
var pointerEscapes = strings.NewReplacer("~1", "/", "~0", "~")

// SyntaxError tells a producer what package jsontext found.
func SyntaxError(err error) *InvalidError {
	var syntactic *jsontext.SyntacticError
	if errors.As(err, &syntactic) && errors.Is(err, jsontext.ErrDuplicateName) {
		return invalid("duplicate_name", "", "%q stands twice in one JSON object, so its value is ambiguous; send each name once",
			excerpt(pointerEscapes.Replace(string(syntactic.JSONPointer))))
	}
	return invalid("not_json", "", "the body is not valid JSON: %s",
		cut(pointerEscapes.Replace(strings.TrimPrefix(err.Error(), "jsontext: ")), maxSyntaxBytes))
}

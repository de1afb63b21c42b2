package lineage

import (
	"bytes"
	"encoding/json/jsontext"
	"errors"
	"io"
)

// RedactJSON gives a JSON document without the credentials in it: what goes by the name of one, the value of a pair such as
// {"name": "api.key", "value": "…"}, and what RedactText takes out of texts and of the names of members. All else stays byte
// for byte; a document without credentials is returned itself. An error means that it is no JSON.
func RedactJSON(document []byte) ([]byte, error) { return redactJSON(document, RedactText) }

// redactJSON is RedactJSON with a rule of the caller's for texts and names.
func redactJSON(document []byte, redact func(string) string) ([]byte, error) {
	start := len(document) - len(bytes.TrimPrefix(document, byteOrderMark))
	r := jsonRedactor{document: document, redact: redact, decoder: jsontext.NewDecoder(bytes.NewBuffer(document[start:])), start: start}
	for {
		switch err := r.next(); {
		case errors.Is(err, io.EOF) && r.copied == 0:
			return document, nil
		case errors.Is(err, io.EOF):
			return append(r.shown, document[r.copied:]...), nil
		case err != nil:
			return nil, err
		}
	}
}

// jsonRedactor copies a document, and writes other texts in place of some.
type jsonRedactor struct {
	document []byte
	redact   func(string) string
	decoder  *jsontext.Decoder
	start    int // of what is decoded
	open     []openJSON
	shown    []byte
	copied   int // up to where the document was copied
}

// openJSON is an object or an array that is being read.
type openJSON struct {
	array bool
	// member is the name of the member of an object that is read.
	member string
	// secret: the elements of the array, or the member "value" of the object, are credentials.
	secret bool
}

// next reads one token.
func (r *jsonRedactor) next() error {
	switch kind := r.decoder.PeekKind(); kind {
	case jsontext.KindBeginObject, jsontext.KindBeginArray:
		r.open = append(r.open, openJSON{array: kind == jsontext.KindBeginArray, secret: r.secret()})
		_, err := r.decoder.ReadToken()
		return err
	case jsontext.KindEndObject, jsontext.KindEndArray:
		if _, err := r.decoder.ReadToken(); err != nil { // nothing may be open
			return err
		}
		r.open = r.open[:len(r.open)-1]
		return nil
	case jsontext.KindString:
		return r.text()
	case jsontext.KindNumber:
		written, err := r.decoder.ReadValue()
		if err == nil && r.secret() {
			err = r.replace(written, redacted)
		}
		return err
	default: // a literal, or the end
		_, err := r.decoder.ReadValue()
		return err
	}
}

// text reads a name or a string.
func (r *jsonRedactor) text() error {
	isName := isMemberName(r.decoder)
	written, err := r.decoder.ReadValue()
	if err != nil {
		return err
	}
	unquoted, err := jsontext.AppendUnquote(nil, written)
	if err != nil {
		return err
	}
	text := string(unquoted)
	shown := r.redact(text)
	switch {
	case isName:
		r.open[len(r.open)-1].member = text
	case r.secret():
		shown = redacted
	case r.names():
		r.open[len(r.open)-1].secret = r.open[len(r.open)-1].secret || isCredential(text)
	}
	if shown == text {
		return nil
	}
	return r.replace(written, shown)
}

// secret reports whether the value that follows is a credential, whatever it is.
func (r *jsonRedactor) secret() bool {
	if len(r.open) == 0 {
		return false
	}
	in := r.open[len(r.open)-1]
	if in.array {
		return in.secret
	}
	return isCredential(in.member) || in.secret && in.member == "value"
}

// names reports whether the value that follows names what the object around it holds.
func (r *jsonRedactor) names() bool {
	if len(r.open) == 0 {
		return false
	}
	in := r.open[len(r.open)-1]
	return !in.array && (in.member == "name" || in.member == "key")
}

// replace writes a text in place of the value that was read last.
func (r *jsonRedactor) replace(written jsontext.Value, text string) error {
	end := r.start + int(r.decoder.InputOffset())
	r.shown = append(r.shown, r.document[r.copied:end-len(written)]...)
	var err error
	r.shown, err = jsontext.AppendQuote(r.shown, text)
	r.copied = end
	return err
}

// isMemberName reports whether the token that follows names a member of an object.
func isMemberName(decoder *jsontext.Decoder) bool {
	kind, tokens := decoder.StackIndex(decoder.StackDepth())
	return kind == jsontext.KindBeginObject && tokens%2 == 0
}

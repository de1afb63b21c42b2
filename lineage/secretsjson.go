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
	r := jsonRedactor{document: document, redact: redact, names: map[string]shownName{}, decoder: jsontext.NewDecoder(bytes.NewBuffer(document[start:])), start: start}
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
	// names are the names of members that were met: a document has few, many times over.
	names map[string]shownName
}

// shownName is what a name is shown as, and whether it is that of a credential.
type shownName struct {
	text       string
	credential bool
}

// openJSON is an object or an array that is being read.
type openJSON struct {
	array bool
	// member is the name of the member of an object that is read, credential whether it is that of a credential.
	member     string
	credential bool
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
	text, shown := string(unquoted), redacted
	switch {
	case isName:
		shown = r.enter(text)
	case !r.secret():
		shown = r.redact(text)
		r.note(text)
	}
	if shown == text {
		return nil
	}
	return r.replace(written, shown)
}

// enter takes a name for that of the member that follows, and gives what it is shown as.
func (r *jsonRedactor) enter(name string) string {
	known, met := r.names[name]
	if !met {
		known = shownName{r.redact(name), isCredential(name)}
		r.names[name] = known
	}
	in := &r.open[len(r.open)-1]
	in.member, in.credential = name, known.credential
	return known.text
}

// note remembers that the object around a text holds a credential, where the text is the name of one.
func (r *jsonRedactor) note(text string) {
	if len(r.open) == 0 {
		return
	}
	if in := &r.open[len(r.open)-1]; in.member == "name" || in.member == "key" {
		in.secret = in.secret || isCredential(text)
	}
}

// secret reports whether the value that follows is a credential, whatever it is.
func (r *jsonRedactor) secret() bool {
	if len(r.open) == 0 {
		return false
	}
	in := r.open[len(r.open)-1]
	return in.array && in.secret || in.credential || in.secret && in.member == "value"
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

package lineage

import (
	"bytes"
	"encoding/json/jsontext"
	"encoding/json/v2"
	"errors"
	"fmt"
	"io"
)

// decodeObject splits a JSON object into its members, which are parts of value and not copies of them. A member that is
// null is absent. What is within the members is not checked: checkSyntax has seen it, or whoever reads them does.
func decodeObject(value jsontext.Value) (map[string]jsontext.Value, error) {
	if value.Kind() != jsontext.KindBeginObject {
		return nil, invalid("not_an_object", "", "the document is %s where a JSON object is expected", kindName(value.Kind()))
	}
	s := newSplitter(value)
	members := map[string]jsontext.Value{}
	err := s.each(func() error {
		name, err := s.decoder.ReadToken()
		if err != nil {
			return err
		}
		key := name.String()
		if _, twice := members[key]; twice {
			return invalid("duplicate_name", "", "%q stands twice in one JSON object, so its value is ambiguous; send each name once", excerpt(key))
		}
		members[key], err = s.next()
		return err
	})
	if refused, ok := errors.AsType[*InvalidError](err); ok {
		return nil, refused
	}
	if err != nil {
		return nil, SyntaxError(err)
	}
	for name, member := range members {
		if member.Kind() == jsontext.KindNull {
			delete(members, name)
		}
	}
	return members, nil
}

func encodeObject(members map[string]jsontext.Value) (jsontext.Value, error) {
	encoded, err := json.Marshal(members, json.Deterministic(true))
	if err != nil {
		return nil, fmt.Errorf("encode a JSON object: %w", err)
	}
	return encoded, nil
}

// decodeArray splits a JSON array into its elements, which are parts of value. Null is the empty array.
func decodeArray(value jsontext.Value) ([]jsontext.Value, bool) {
	if len(value) == 0 || value.Kind() == jsontext.KindNull {
		return nil, true
	}
	if value.Kind() != jsontext.KindBeginArray {
		return nil, false
	}
	s := newSplitter(value)
	var elements []jsontext.Value
	err := s.each(func() error {
		element, err := s.next()
		elements = append(elements, element)
		return err
	})
	return elements, err == nil
}

// splitter cuts an object or an array, without a copy and without checking a second time what it cuts out.
type splitter struct {
	whole   jsontext.Value
	decoder *jsontext.Decoder
}

func newSplitter(whole jsontext.Value) *splitter {
	return &splitter{whole, jsontext.NewDecoder(bytes.NewBuffer(whole), jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true))}
}

// each calls cut for each member or element, which it must consume, and makes sure that nothing follows the whole.
func (s *splitter) each(cut func() error) error {
	if _, err := s.decoder.ReadToken(); err != nil {
		return err
	}
	for s.decoder.PeekKind() != s.end() {
		if err := cut(); err != nil {
			return err
		}
	}
	if _, err := s.decoder.ReadToken(); err != nil {
		return err
	}
	switch _, err := s.decoder.ReadToken(); {
	case errors.Is(err, io.EOF):
		return nil
	case err != nil:
		return err
	default:
		return errors.New("something follows the JSON document")
	}
}

// end is the kind of the token that closes the whole.
func (s *splitter) end() jsontext.Kind {
	if s.whole.Kind() == jsontext.KindBeginArray {
		return jsontext.KindEndArray
	}
	return jsontext.KindEndObject
}

// next cuts the next value out.
func (s *splitter) next() (jsontext.Value, error) {
	value, err := s.decoder.ReadValue()
	if err != nil {
		return nil, err
	}
	end := s.decoder.InputOffset()
	return s.whole[end-int64(len(value)) : end : end], nil
}

// decodeString reads a JSON string. Null is the empty string.
func decodeString(value jsontext.Value) (string, bool) {
	if len(value) == 0 || value.Kind() == jsontext.KindNull {
		return "", true
	}
	var text string
	if value.Kind() != jsontext.KindString || json.Unmarshal(value, &text) != nil {
		return "", false
	}
	return text, true
}

func kindName(kind jsontext.Kind) string {
	switch kind {
	case jsontext.KindInvalid:
		return "missing"
	case jsontext.KindNull:
		return "null"
	case jsontext.KindTrue, jsontext.KindFalse:
		return "a boolean"
	case jsontext.KindString:
		return "a string"
	case jsontext.KindNumber:
		return "a number"
	case jsontext.KindBeginArray, jsontext.KindEndArray:
		return "an array"
	default:
		return "an object"
	}
}

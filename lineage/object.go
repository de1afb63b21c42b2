package lineage

import (
	"encoding/json/jsontext"
	"encoding/json/v2"
	"fmt"
)

// decodeObject splits a JSON object into its members. A member that is null is absent.
func decodeObject(value jsontext.Value) (map[string]jsontext.Value, error) {
	if value.Kind() != jsontext.KindBeginObject {
		return nil, invalid("not_an_object", "", "the document is %s where a JSON object is expected", kindName(value.Kind()))
	}
	var members map[string]jsontext.Value
	if err := json.Unmarshal(value, &members); err != nil {
		return nil, syntaxError(err)
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

// decodeArray splits a JSON array into its elements. Null is the empty array.
func decodeArray(value jsontext.Value) ([]jsontext.Value, bool) {
	if len(value) == 0 || value.Kind() == jsontext.KindNull {
		return nil, true
	}
	var elements []jsontext.Value
	if value.Kind() != jsontext.KindBeginArray || json.Unmarshal(value, &elements) != nil {
		return nil, false
	}
	return elements, true
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

package lineage

import (
	"encoding/json/jsontext"
	"encoding/json/v2"
	"fmt"
)

// decodeObject splits a JSON object into its members. A member that is null is absent.
func decodeObject(value jsontext.Value) (map[string]jsontext.Value, error) {
	var members map[string]jsontext.Value
	if value.Kind() != '{' {
		return nil, invalid("not_an_object", "", "is %s where a JSON object is expected", kindName(value))
	}
	if err := json.Unmarshal(value, &members); err != nil {
		return nil, syntaxError(err)
	}
	for name, member := range members {
		if member.Kind() == 'n' {
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
	if len(value) == 0 || value.Kind() == 'n' {
		return nil, true
	}
	var elements []jsontext.Value
	if value.Kind() != '[' || json.Unmarshal(value, &elements) != nil {
		return nil, false
	}
	return elements, true
}

// decodeString reads a JSON string. Null is the empty string.
func decodeString(value jsontext.Value) (string, bool) {
	if len(value) == 0 || value.Kind() == 'n' {
		return "", true
	}
	var text string
	if value.Kind() != '"' || json.Unmarshal(value, &text) != nil {
		return "", false
	}
	return text, true
}

func kindName(value jsontext.Value) string {
	switch value.Kind() {
	case 0:
		return "missing"
	case 'n':
		return "null"
	case '"':
		return "a string"
	case '[':
		return "an array"
	case 't', 'f':
		return "a boolean"
	case '{':
		return "an object"
	default:
		return "a number"
	}
}

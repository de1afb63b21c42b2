package render

import (
	"encoding/json/jsontext"
	"fmt"

	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/proto"
)

// JSON is an answer as the API gives it, indented. The same answer gives the same bytes.
func JSON(answer proto.Message) (string, error) {
	compact, err := protojson.Marshal(answer)
	if err != nil {
		return "", fmt.Errorf("write JSON: %w", err)
	}
	text := jsontext.Value(compact) // protojson varies its white space on purpose
	if err := text.Indent(jsontext.WithIndent("  ")); err != nil {
		return "", fmt.Errorf("write JSON: %w", err)
	}
	return text.String() + "\n", nil
}

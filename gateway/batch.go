package gateway

import (
	"bytes"
	"encoding/json/jsontext"
	"errors"
	"io"

	"github.com/headwater-data/headwater/lineage"
)

// errTooManyEvents means that a request has more events than the limit.
var errTooManyEvents = errors.New("too many events")

// splitBatch cuts a JSON array into its elements and judges none of them: a name that stands twice or a broken UTF-8
// sequence costs only the event that it is in. The error is errTooManyEvents or a *refusal of the whole body.
func splitBatch(body []byte, limit int) ([][]byte, error) {
	decoder := jsontext.NewDecoder(bytes.NewReader(bytes.TrimPrefix(body, []byte("\xef\xbb\xbf"))),
		jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true))
	if decoder.PeekKind() != '[' {
		return nil, &refusal{code: "not_a_batch", reason: "the body is no JSON array of events; send a single event to /api/v1/lineage"}
	}
	if _, err := decoder.ReadToken(); err != nil {
		return nil, refusalOf(lineage.SyntaxError(err))
	}
	var events [][]byte
	for decoder.PeekKind() != ']' {
		event, err := decoder.ReadValue()
		if err != nil {
			return nil, refusalOf(lineage.SyntaxError(err))
		}
		if len(events) == limit {
			return nil, errTooManyEvents
		}
		events = append(events, bytes.Clone(event))
	}
	if _, err := decoder.ReadToken(); err != nil {
		return nil, refusalOf(lineage.SyntaxError(err))
	}
	if _, err := decoder.ReadToken(); !errors.Is(err, io.EOF) {
		return nil, &refusal{code: "not_json", reason: "something follows the JSON array"}
	}
	return events, nil
}

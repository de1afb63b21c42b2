package system

import (
	"bytes"
	"context"
	"encoding/json/v2"
	"fmt"
	"io"
	"net/http"
)

// The doors of OpenLineage: for an event, and for an array of them.
const (
	SingleDoor = "/api/v1/lineage"
	BatchDoor  = "/api/v1/lineage/batch"
)

// Answer is what a door said to a document, whether it took it or not.
type Answer struct {
	Status int
	Header http.Header
	Body   []byte
}

// Post sends a document as producers do, and decodes the JSON of the answer into said. The error is that of the
// connection, or of an answer that is no JSON.
func (c *Caller) Post(ctx context.Context, door string, document []byte, said any) (Answer, error) {
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, c.URL+door, bytes.NewReader(document))
	if err != nil {
		return Answer{}, err
	}
	request.Header.Set("Content-Type", "application/json")
	response, err := c.HTTP.Do(request)
	if err != nil {
		return Answer{}, err
	}
	defer response.Body.Close()
	answer := Answer{Status: response.StatusCode, Header: response.Header}
	if answer.Body, err = io.ReadAll(response.Body); err != nil {
		return Answer{}, err
	}
	if err := json.Unmarshal(answer.Body, said); err != nil {
		return Answer{}, fmt.Errorf("the door answered %s with no JSON: %q: %w", response.Status, answer.Body, err)
	}
	return answer, nil
}

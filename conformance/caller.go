package main

import (
	"context"
	"encoding/json/jsontext"
	"encoding/json/v2"
	"slices"

	"connectrpc.com/connect/v2"

	headwaterv1 "github.com/headwater-data/headwater/gen/headwater/v1"
	"github.com/headwater-data/headwater/internal/system"
)

// caller speaks to a system through its public doors.
type caller struct{ *system.Caller }

func newCaller(url string) *caller {
	c := &caller{system.NewCaller(url, "")}
	c.HTTP.Timeout = patience // a document may have megabytes
	return c
}

// answer is what an OpenLineage door says.
type answer struct {
	system.Answer `json:"-"`

	Code      string `json:"code"`
	Path      string `json:"path"`
	Reason    string `json:"reason"`
	Duplicate bool   `json:"duplicate"`
	Offset    int64  `json:"offset"`
	// Outcome and what follows is of a batch.
	Outcome string `json:"status"`
	Summary struct {
		Received   int `json:"received"`
		Successful int `json:"successful"`
		Failed     int `json:"failed"`
	} `json:"summary"`
	Failed []struct {
		Index     int    `json:"index"`
		Retriable bool   `json:"retriable"`
		Code      string `json:"code"`
	} `json:"failed_events"`
}

// send posts a document as clients do: a single event to one door, an array of them to the other.
func (c *caller) send(ctx context.Context, document []byte) (said answer, err error) {
	door := system.SingleDoor
	if isBatch(document) {
		door = system.BatchDoor
	}
	said.Answer, err = c.Post(ctx, door, document, &said)
	return said, err
}

// isBatch reports whether a document is an array of events. One that is deeply nested brackets is no such thing.
func isBatch(document []byte) bool {
	var events []jsontext.Value
	return json.Unmarshal(document, &events) == nil && len(events) > 0
}

// folded asks how far the projection that readers see has folded the log.
func (c *caller) folded(ctx context.Context) (int64, error) {
	response, err := c.Projections.ListProjections(ctx, &headwaterv1.ListProjectionsRequest{})
	if err != nil {
		return 0, err
	}
	return response.GetProjections()[0].GetPosition().GetOffset(), nil
}

// run asks for a run; nil where it is not known.
func (c *caller) run(ctx context.Context, of runName) (*headwaterv1.GetRunResponse, error) {
	response, err := c.Runs.GetRun(ctx, &headwaterv1.GetRunRequest{
		RunId: of.runID, Job: &headwaterv1.Job{Namespace: of.job.namespace, Name: of.job.name},
	})
	if isAbsent(err) {
		return nil, nil
	}
	return response, err
}

// wholeDepth is deeper than any graph of a case.
const wholeDepth = 100

// around asks for all that leads to a dataset or job and all that follows from it; nil where it is not in the graph.
func (c *caller) around(ctx context.Context, start *headwaterv1.NodeReference, collapse bool) (*headwaterv1.TraverseResponse, error) {
	response, err := c.Lineage.Traverse(ctx, &headwaterv1.TraverseRequest{
		Start: start, Direction: headwaterv1.Direction_DIRECTION_BOTH, Depth: new(int32(wholeDepth)), Collapse: collapse,
	})
	if isAbsent(err) {
		return nil, nil
	}
	return response, err
}

// dataset asks what is known of a dataset by itself; nil where there is none of that name.
func (c *caller) dataset(ctx context.Context, of name) (*headwaterv1.GetNodeResponse, error) {
	response, err := c.Lineage.GetNode(ctx, &headwaterv1.GetNodeRequest{
		Node: &headwaterv1.GetNodeRequest_Dataset{Dataset: &headwaterv1.Dataset{Namespace: of.namespace, Name: of.name}},
	})
	if isAbsent(err) {
		return nil, nil
	}
	return response, err
}

// isAbsent reports whether what was asked for does not exist or could not: a document may name what no question can.
func isAbsent(err error) bool {
	return err != nil && slices.Contains([]connect.Code{connect.CodeNotFound, connect.CodeInvalidArgument}, connect.CodeOf(err))
}

// isBusy reports whether the system asks to be asked again.
func isBusy(err error) bool { return connect.CodeOf(err) == connect.CodeUnavailable }

// quarantined lists what was refused, without its payloads.
func (c *caller) quarantined(ctx context.Context) (*headwaterv1.ListQuarantineResponse, error) {
	return c.Ingest.ListQuarantine(ctx, &headwaterv1.ListQuarantineRequest{})
}

// stateDigest hashes what the system believes.
func (c *caller) stateDigest(ctx context.Context) (string, error) {
	response, err := c.Projections.GetDigest(ctx, &headwaterv1.GetDigestRequest{})
	return response.GetStateDigest(), err
}

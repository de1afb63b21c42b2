package e2e

import (
	"context"
	"net/http"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"google.golang.org/protobuf/types/known/durationpb"

	headwaterv1 "github.com/headwater-data/headwater/gen/headwater/v1"
	"github.com/headwater-data/headwater/internal/system"
	"github.com/headwater-data/headwater/lineage"
)

// caller is someone with a token.
type caller struct{ *system.Caller }

// answer is what the OpenLineage door says to an event.
type answer struct {
	system.Answer `json:"-"`

	EventID      string `json:"eventId"`
	Offset       int64  `json:"offset"`
	Duplicate    bool   `json:"duplicate"`
	Reason       string `json:"reason"`
	QuarantineID int64  `json:"quarantineId"`
}

// patience is how long a test waits for what has to come: enough for a machine with much else to do.
const patience = time.Minute

// post sends an OpenLineage document, and as clients do again where the door has no time for it. The error is that of the
// connection; the door's is in the answer.
func (c caller) post(document []byte) (said answer, err error) {
	for deadline := time.Now().Add(patience); ; <-time.After(100 * time.Millisecond) {
		said = answer{}
		said.Answer, err = c.Post(context.Background(), system.SingleDoor, document, &said)
		if err != nil || said.Status != http.StatusServiceUnavailable || time.Now().After(deadline) {
			return said, err
		}
	}
}

// send sends an event that must be accepted.
func (c caller) send(t *testing.T, e event) answer {
	t.Helper()
	result, err := c.post(e.document())
	require.NoError(t, err)
	require.Equal(t, http.StatusCreated, result.Status, result.Reason)
	return result
}

func (c caller) run(t *testing.T, id string) (*headwaterv1.Run, error) {
	t.Helper()
	response, err := c.Runs.GetRun(t.Context(), &headwaterv1.GetRunRequest{RunId: id})
	return response.GetRun(), err
}

// longest is the time that a traversal may have at most.
var longest = durationpb.New(30 * time.Second)

// upstream walks from a dataset to where it comes from.
func (c caller) upstream(t *testing.T, of lineage.DatasetID, depth int32) (*headwaterv1.TraverseResponse, error) {
	t.Helper()
	return c.Lineage.Traverse(t.Context(), &headwaterv1.TraverseRequest{
		Start: &headwaterv1.NodeReference{Node: &headwaterv1.NodeReference_Dataset{
			Dataset: &headwaterv1.Dataset{Namespace: of.Namespace, Name: of.Name},
		}},
		Direction: headwaterv1.Direction_DIRECTION_UPSTREAM,
		Depth:     &depth, TimeBudget: longest,
	})
}

// names lists the datasets of an answer without their namespaces.
func names(answer *headwaterv1.TraverseResponse) []string {
	var found []string
	for _, node := range answer.GetNodes() {
		if node.GetDataset() != nil {
			found = append(found, node.GetDataset().GetName())
		}
	}
	return found
}

// within waits until the condition holds, and fails the test with what it last lacked when that takes too long.
func within(t *testing.T, limit time.Duration, condition func() error) {
	t.Helper()
	timeout := time.After(limit)
	tick := time.NewTicker(25 * time.Millisecond)
	defer tick.Stop()
	for {
		err := condition()
		if err == nil {
			return
		}
		select {
		case <-timeout:
			t.Fatalf("not within %v: %v", limit, err)
		case <-tick.C:
		}
	}
}

package e2e

import (
	"fmt"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/headwater-data/headwater/demo"
	headwaterv1 "github.com/headwater-data/headwater/gen/headwater/v1"
)

// night is the base time of the demo in this system.
var night = demo.Night(time.Now())

// sendDemo sends the demo unless that was done before, and waits until its lineage shows.
var demoOnce sync.Once

func sendDemo(t *testing.T) {
	t.Helper()
	demoOnce.Do(func() {
		_, err := demo.Send(t.Context(), headwater.admin.HTTP, headwater.admin.URL, night)
		require.NoError(t, err)
		within(t, patience, func() error { return demo.Await(t.Context(), headwater.admin.HTTP, headwater.admin.URL) })
	})
}

// awaitQuiet waits until the projection has folded the whole log and every run that ended is decided.
func awaitQuiet(t *testing.T, limit time.Duration) {
	t.Helper()
	sendDemo(t)
	within(t, limit, func() error {
		got, err := headwater.admin.upstream(t, demo.MainOutput, 1)
		p := got.GetProjection()
		if err == nil && p.GetEventsBehind()+p.GetRunsAwaitingDecision() > 0 {
			err = fmt.Errorf("%d events behind, %d runs await a decision", p.GetEventsBehind(), p.GetRunsAwaitingDecision())
		}
		return err
	})
}

// digest hashes the active projection once it is quiet.
func digest(t *testing.T) *headwaterv1.GetDigestResponse {
	t.Helper()
	awaitQuiet(t, time.Minute)
	got, err := headwater.admin.Projections.GetDigest(t.Context(), &headwaterv1.GetDigestRequest{})
	require.NoError(t, err)
	return got
}

package projection_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/headwater-data/headwater/lineage"
	"github.com/headwater-data/headwater/projection"
)

func TestEndedRunsAwaitADecisionFromTheirLastEvidence(t *testing.T) {
	b := setup(t)
	none, err := b.store.Awaiting(t.Context())
	require.NoError(t, err)
	require.Equal(t, projection.Awaiting{}, none)

	b.tell(story{run: "under way", job: "j", kind: lineage.Start, outputs: []string{"a"}})
	b.tell(story{run: "ended", job: "j", kind: lineage.Complete, minute: 1, outputs: []string{"a"}})
	b.tell(story{run: "later", job: "j", kind: lineage.Complete, minute: 2, outputs: []string{"a"}})
	b.tell(story{run: "without outputs", job: "j", kind: lineage.Complete, minute: 3})
	b.fold(b.active, len(b.log))
	awaiting, err := b.store.Awaiting(t.Context())
	require.NoError(t, err)
	require.EqualValues(t, 2, awaiting.Runs)
	require.InDelta(t, time.Since(b.log[1].ReceivedAt).Seconds(), awaiting.Oldest.Seconds(), 60)
}

package projection_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/headwater-data/headwater/lineage"
	"github.com/headwater-data/headwater/projection"
)

func TestRunSizesAreOfEndedRunsThatBeganInTheSample(t *testing.T) {
	b := setup(t)
	b.tell(story{run: "old", job: "j", kind: lineage.Start})
	b.tell(story{run: "short", job: "j", kind: lineage.Complete, minute: 1})
	for minute := range 4 {
		b.tell(story{run: "long", job: "j", kind: lineage.Running, minute: 2 + minute})
	}
	b.tell(story{run: "long", job: "j", kind: lineage.Complete, minute: 6})
	b.tell(story{run: "old", job: "j", kind: lineage.Complete, minute: 7})
	b.tell(story{run: "under way", job: "j", kind: lineage.Start, minute: 8})
	b.fold(b.active, len(b.log))

	sizes, err := b.store.RunSizes(t.Context(), int64(len(b.log)-1))
	require.NoError(t, err)
	require.EqualValues(t, 2, sizes.Runs)
	require.EqualValues(t, 5, sizes.Largest)
	require.Equal(t, []projection.RunBucket{{AtMost: 1, Count: 1}, {AtMost: 8, Count: 1}}, sizes.Histogram)
}

package projection_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/headwater-data/headwater/lineage"
	"github.com/headwater-data/headwater/projection"
)

func TestARoundOfDispatchEndsAtItsLimitAndTellsEachRunOnce(t *testing.T) {
	b := setup(t)
	for minute := range 3 {
		b.tell(story{run: "first", job: "j", kind: lineage.Running, minute: minute})
	}
	b.tell(story{run: "second", job: "j", kind: lineage.Complete, minute: 4})
	b.fold(b.active, len(b.log))

	evidence, err := b.store.Evidence(t.Context(), 3)
	require.NoError(t, err)
	require.EqualValues(t, 3, evidence.Through)
	require.Len(t, evidence.Runs, 1, "the fourth entry is beyond the limit")
	require.EqualValues(t, 3, evidence.Runs[0].Last)

	evidence, err = b.store.Evidence(t.Context(), 4)
	require.NoError(t, err)
	require.Len(t, evidence.Runs, 2)
	require.NoError(t, b.store.MoveDispatch(t.Context(), evidence.From, evidence.Through))
	require.ErrorIs(t, b.store.MoveDispatch(t.Context(), evidence.From, evidence.Through), projection.ErrFenced)
	evidence, err = b.store.Evidence(t.Context(), 4)
	require.NoError(t, err)
	require.Equal(t, evidence.From, evidence.Through)
	require.Empty(t, evidence.Runs)
}

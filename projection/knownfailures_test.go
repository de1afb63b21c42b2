package projection_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/headwater-data/headwater/lineage"
	"github.com/headwater-data/headwater/projection"
)

// These are failures of other lineage systems, named after what they protect.

func TestEmptyStartHidesNothing(t *testing.T) {
	b := setup(t)
	b.complete(story{run: "1", job: "load", minute: 5, inputs: []string{"orders"}, outputs: []string{"daily"}})
	b.tell(story{run: "2", job: "load", kind: lineage.Start, minute: 10})
	b.fold(b.active, 1)
	require.Equal(t, []string{"orders→daily"}, b.upstreamAt(20, "daily"))
}

func TestLateStartMovesNothing(t *testing.T) {
	b := setup(t)
	b.complete(story{run: "1", job: "load", minute: 5, inputs: []string{"orders"}, outputs: []string{"daily"}})
	b.tell(story{run: "1", job: "load", kind: lineage.Start, minute: 9})
	b.fold(b.active, 1)
	stored, err := b.store.Run(b.ctx, runKey(story{run: "1", job: "load"}).Hash())
	require.NoError(t, err)
	require.Equal(t, lineage.RunCompleted, stored.Run.State())
	require.Equal(t, []string{"orders→daily"}, b.upstreamAt(20, "daily"))
}

func TestBulkJobsGiveNoFalsePairs(t *testing.T) {
	b := setup(t)
	const tables = 50
	for i := range tables {
		b.complete(story{
			run: fmt.Sprint("load-", i), job: "bulk", minute: i, inputs: []string{fmt.Sprint("source", i)}, outputs: []string{fmt.Sprint("target", i)},
		})
	}
	b.fold(b.active, 100)
	for _, i := range []int{0, 7, tables - 1} {
		require.Equal(t, []string{fmt.Sprintf("source%d→target%d", i, i)}, b.upstreamAt(24*60, fmt.Sprint("target", i)))
		r := request(dataset(fmt.Sprint("source", i)), projection.Downstream)
		require.Len(t, b.traverse(r).Edges, 1)
	}
}

package projection_test

import (
	"context"
	"fmt"
	"sync"
	"testing"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/stretchr/testify/require"

	"github.com/headwater-data/headwater/lineage"
	"github.com/headwater-data/headwater/projection"
)

// connections gives a pool of as many open connections to the bundle's database. A walk has helpers where there are four.
func (b *bundle) connections(count int32) *pgxpool.Pool {
	b.t.Helper()
	config := b.pool.Config()
	config.MaxConns = count
	pool, err := pgxpool.NewWithConfig(b.ctx, config)
	require.NoError(b.t, err)
	b.t.Cleanup(pool.Close)
	open := make([]*pgxpool.Conn, count)
	for i := range open {
		open[i], err = pool.Acquire(b.ctx)
		require.NoError(b.t, err)
	}
	for _, conn := range open {
		conn.Release()
	}
	return pool
}

func TestHelpersReadTheSnapshotOfTheWalk(t *testing.T) {
	const width = 600
	b := setup(t)
	fan(b, width)
	pool := b.connections(8)
	for name, recordedAt := range map[string]lineage.Offset{"as it is known now": 0, "as it was known then": lineage.Offset(2 * width)} {
		ask := request(dataset("hub"), projection.Downstream)
		ask.RecordedAt = recordedAt
		alone, err := projection.NewStore(b.connections(1)).Traverse(b.ctx, ask)
		require.NoError(t, err)
		require.NotEmpty(t, alone.Edges)

		asked := false
		ask.Show = func(ctx context.Context, nodes []lineage.Node) ([]bool, error) {
			if !asked {
				asked = true
				b.rewrite(width, name)
			}
			return everything(ctx, nodes)
		}
		before := pool.Stat().AcquireCount()
		helped, err := projection.NewStore(pool).Traverse(b.ctx, ask)
		require.NoError(t, err)
		require.Greater(t, pool.Stat().AcquireCount()-before, int64(1), "helpers are borrowed")
		require.Equal(t, alone, helped, name)
	}
}

// rewrite has every job of the fan write from elsewhere, which ends what held.
func (b *bundle) rewrite(width int, from string) {
	for i := range width {
		b.complete(story{run: fmt.Sprint(from, i), job: fmt.Sprint("to-middle", i), minute: len(b.log), inputs: []string{from}, outputs: []string{fmt.Sprintf("middle%04d", i)}})
	}
	b.fold(b.active, 1000)
}

func TestManyCallersShareFewConnections(t *testing.T) {
	const width, callers = 200, 24
	b := setup(t)
	fan(b, width)
	ask := request(dataset("hub"), projection.Downstream)
	want := b.traverse(ask)
	for _, connections := range []int32{1, 2, 4, 5} {
		store := projection.NewStore(b.connections(connections))
		var group sync.WaitGroup
		for range callers {
			group.Go(func() {
				answer, err := store.Traverse(b.ctx, ask)
				if err != nil || len(answer.Edges) != len(want.Edges) {
					t.Errorf("with %d connections: %d edges, %v", connections, len(answer.Edges), err)
				}
			})
		}
		group.Wait()
	}
}

func TestAWalkGivesBackItsHelpersHoweverItEnds(t *testing.T) {
	b := setup(t)
	fan(b, 300)
	pool := b.connections(8)
	store := projection.NewStore(pool)
	ask := request(dataset("hub"), projection.Downstream)
	_, err := store.Traverse(b.ctx, ask)
	require.NoError(t, err)
	require.Zero(t, pool.Stat().AcquiredConns(), "after an answer")

	ctx, cancel := context.WithCancel(b.ctx)
	defer cancel()
	examined := 0
	ask.Show = func(ctx context.Context, nodes []lineage.Node) ([]bool, error) {
		if examined += len(nodes); examined > 300 {
			require.Greater(t, pool.Stat().AcquiredConns(), int32(1), "helpers are there")
			cancel()
		}
		return everything(ctx, nodes)
	}
	_, err = store.Traverse(ctx, ask)
	require.ErrorIs(t, err, context.Canceled)
	given := func() bool { return pool.Stat().AcquiredConns() == 0 } // those in the middle of a query are closed, not reused
	require.Eventually(t, given, time.Minute, time.Millisecond, "after the caller has gone")
}

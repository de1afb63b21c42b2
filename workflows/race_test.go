package workflows_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"go.temporal.io/sdk/client"
	"golang.org/x/sync/errgroup"

	"github.com/headwater-data/headwater/lineage"
	"github.com/headwater-data/headwater/workflows/contract"
)

// TestNoSignalIsLostWhileWorkflowsEnd settles runs at every weighing, so that each workflow is about to end when the next
// signal comes: before it asks for the end, while Temporal considers that, or after. Every signal that is waited for must be
// weighed, though no other comes.
func TestNoSignalIsLostWhileWorkflowsEnd(t *testing.T) {
	const runs, signals = 8, 50
	s := newStage(t)
	weighed := newWeighings()
	script(s.worker, contract.WeighRunActivity, func(weighing contract.Weighing) (contract.Weighed, error) {
		weighed.add(weighing)
		return completed, nil
	})
	executions := make([]map[string]bool, runs)
	group, ctx := errgroup.WithContext(t.Context())
	for i := range runs {
		key := dailyOrders
		key.RunID = fmt.Sprint("racing-", i)
		executions[i] = map[string]bool{}
		random := rand.New(rand.NewPCG(uint64(i), 7))
		group.Go(func() error {
			for offset := lineage.Offset(1); offset <= signals; offset++ {
				run, err := s.client.SignalWithStartWorkflow(ctx, contract.RunWorkflowID(key), contract.EvidenceSignal,
					contract.Evidence{Offset: offset}, client.StartWorkflowOptions{TaskQueue: contract.TaskQueue},
					contract.RunLifecycleWorkflow, contract.RunLifecycle{Run: key})
				if err != nil {
					return err
				}
				executions[i][run.GetRunID()] = true
				if random.IntN(4) == 0 { // and else the next follows on its heels
					continue
				}
				if err := weighed.await(ctx, key.RunID, offset); err != nil {
					return err
				}
				if random.IntN(4) == 0 { // a workflow that has ended for certain, however slow Temporal is
					if err := run.Get(ctx, nil); err != nil {
						return err
					}
					continue
				}
				time.Sleep(time.Duration(random.IntN(6)) * time.Millisecond) //nolint:forbidigo // so that the next one hits another moment
			}
			return weighed.await(ctx, key.RunID, signals)
		})
	}
	require.NoError(t, group.Wait())

	count := 0
	for i := range runs {
		count += len(executions[i])
	}
	require.Greater(t, count, 2*runs, "workflows must end in between")
	require.Less(t, count, runs*signals, "and signals must come to those that have not ended")
}

// weighings remembers up to where each run was weighed.
type weighings struct {
	mutex   sync.Mutex
	upTo    map[string]lineage.Offset
	changed chan struct{} // closed at the next weighing
}

func newWeighings() *weighings {
	return &weighings{upTo: map[string]lineage.Offset{}, changed: make(chan struct{})}
}

func (w *weighings) add(weighing contract.Weighing) {
	w.mutex.Lock()
	defer w.mutex.Unlock()
	w.upTo[weighing.Run.RunID] = max(w.upTo[weighing.Run.RunID], weighing.UpTo)
	close(w.changed)
	w.changed = make(chan struct{})
}

// await waits until a run was weighed up to an offset.
func (w *weighings) await(ctx context.Context, run string, offset lineage.Offset) error {
	lost := time.After(patience)
	for {
		w.mutex.Lock()
		upTo, changed := w.upTo[run], w.changed
		w.mutex.Unlock()
		if upTo >= offset {
			return nil
		}
		select {
		case <-changed:
		case <-ctx.Done():
			return ctx.Err()
		case <-lost:
			return fmt.Errorf("run %s was signalled offset %d and weighed up to %d only", run, offset, upTo)
		}
	}
}

package e2e

import (
	"fmt"
	"net/http"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	headwaterv1 "github.com/headwater-data/headwater/gen/headwater/v1"
	"github.com/headwater-data/headwater/internal/system"
	"github.com/headwater-data/headwater/lineage"
	"github.com/headwater-data/headwater/workflows/contract"
)

// crashRun is a run of the crash test, with the offset at which each of its events was acknowledged.
type crashRun struct {
	events  []event
	offsets []int64
	implied ending
}

// ending is a terminal event and what it implies.
type ending struct {
	kind        lineage.EventType
	state       headwaterv1.RunState
	publication headwaterv1.Publication
}

var endings = []ending{
	{lineage.Complete, headwaterv1.RunState_RUN_STATE_COMPLETED, headwaterv1.Publication_PUBLICATION_PUBLISHED},
	{lineage.Fail, headwaterv1.RunState_RUN_STATE_FAILED, headwaterv1.Publication_PUBLICATION_DIAGNOSTIC},
	{lineage.Abort, headwaterv1.RunState_RUN_STATE_ABORTED, headwaterv1.Publication_PUBLICATION_DIAGNOSTIC},
}

func crashRuns(n int) []*crashRun {
	runs := make([]*crashRun, n)
	for i := range runs {
		run := &crashRun{implied: endings[i%len(endings)]}
		id, began := newRunID(), time.Now()
		for j, kind := range []lineage.EventType{lineage.Start, lineage.Running, run.implied.kind} {
			run.events = append(run.events, event{
				kind: kind, at: began.Add(time.Duration(j) * time.Millisecond), run: id, namespace: "e2e-crash",
				job: fmt.Sprintf("job_%d", i%20), inputs: []string{"raw.orders"}, outputs: []string{fmt.Sprintf("mart.table_%d", i%20)},
			})
		}
		runs[i] = run
	}
	return runs
}

func TestKilledPartsLoseAndDoubleNothing(t *testing.T) {
	runs := crashRuns(120)
	total := int64(3 * len(runs))
	var acknowledged atomic.Int64
	var senders sync.WaitGroup
	for sender := range 8 {
		senders.Go(func() {
			for i := sender; i < len(runs); i += 8 {
				runs[i].send(t, &acknowledged)
			}
		})
	}
	for _, crash := range []struct {
		part  *system.Part
		after int64
	}{{headwater.Worker, total / 5}, {headwater.Gateway, 2 * total / 5}, {headwater.Worker, 3 * total / 5}, {headwater.Gateway, 4 * total / 5}} {
		within(t, time.Minute, func() error {
			if acknowledged.Load() < crash.after {
				return fmt.Errorf("%d of %d events are acknowledged", acknowledged.Load(), total)
			}
			return nil
		})
		crash.part.Kill()
		require.NoError(t, crash.part.Start(t.Context()))
	}
	within(t, time.Minute, func() error {
		if acknowledged.Load() < total {
			return fmt.Errorf("%d of %d events are acknowledged", acknowledged.Load(), total)
		}
		return nil
	})
	senders.Wait()

	requireOnceInTheLog(t, runs)
	awaitQuiet(t, 5*time.Minute)
	for _, run := range runs {
		requireSettled(t, run)
	}
	temporal := operator(t)
	started, comparison := replay(t, temporal, "e2e-after-crash")
	requireEqual(t, comparison)
	require.Equal(t, contract.Rejected, decide(t, temporal, started, contract.RejectUpdate).Outcome)
}

// send sends the events of the run in their order, each again and again until it is acknowledged.
func (r *crashRun) send(t *testing.T, acknowledged *atomic.Int64) {
	t.Helper()
	again := time.NewTicker(20 * time.Millisecond)
	defer again.Stop()
	for len(r.offsets) < len(r.events) && t.Context().Err() == nil {
		answered, err := headwater.producer.post(r.events[len(r.offsets)].document())
		switch {
		case err == nil && answered.Status == http.StatusCreated:
			r.offsets = append(r.offsets, answered.Offset)
			acknowledged.Add(1)
		case err == nil && answered.Status == http.StatusBadRequest:
			t.Errorf("refused: %s", answered.Reason)
			return
		default:
			<-again.C
		}
	}
}

// requireOnceInTheLog sends everything again: each event must be known, at the place that was acknowledged.
func requireOnceInTheLog(t *testing.T, runs []*crashRun) {
	t.Helper()
	seen := map[int64]bool{}
	for _, run := range runs {
		for i, e := range run.events {
			answered := headwater.producer.send(t, e)
			require.True(t, answered.Duplicate)
			require.Equal(t, run.offsets[i], answered.Offset)
			require.False(t, seen[answered.Offset], "two events at offset %d", answered.Offset)
			seen[answered.Offset] = true
		}
	}
}

// requireSettled checks that the run is as its events say, each of which it has once.
func requireSettled(t *testing.T, run *crashRun) {
	t.Helper()
	got, err := headwater.reader.run(t, run.events[0].run)
	require.NoError(t, err)
	require.Equal(t, run.implied.state, got.GetState())
	require.Len(t, got.GetOutputs(), 1)
	require.Equal(t, run.implied.publication, got.GetOutputs()[0].GetPublication())
	require.Len(t, got.GetOutputs()[0].GetDecisions(), 1)
	var offsets []int64
	for _, e := range got.GetEvents() {
		offsets = append(offsets, e.GetOffset())
	}
	require.Equal(t, run.offsets, offsets)
}

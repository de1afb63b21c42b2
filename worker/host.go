package worker

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"sync"
	"sync/atomic"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"
	"go.temporal.io/sdk/activity"
	"go.temporal.io/sdk/client"
	sdk "go.temporal.io/sdk/worker"
	"go.temporal.io/sdk/workflow"
	"golang.org/x/sync/errgroup"

	"github.com/headwater-data/headwater/activities"
	"github.com/headwater-data/headwater/workflows"
	"github.com/headwater-data/headwater/workflows/contract"
)

const (
	// maxActivities bounds how many activities run at a time, those within workflow tasks apart; each holds a connection
	// to the database now and then.
	maxActivities = 32
	// maxCached bounds the workflows that stay in memory, at some 25 KB each, between their tasks. One that had to go is
	// replayed from its history, which costs Temporal more than all else that a decision takes: so the backlog of a peak
	// should fit.
	maxCached = 10_000
	// stopTimeout is how long activities may go on when the worker ends.
	stopTimeout = 20 * time.Second
)

// host runs workflows and activities for Temporal, and the dispatcher that feeds them.
type host struct {
	options   client.Options
	interval  time.Duration // of the archive
	runs      *activities.Runs
	replays   *activities.Replays
	archiving *activities.Archiving
	database  *pgxpool.Pool
	metrics   *metrics
	logger    *slog.Logger

	// connected is the client while the host works for Temporal, else nil.
	connected atomic.Pointer[client.Client]
}

// boundCache holds for the whole process, and must be set before the first worker starts.
var boundCache = sync.OnceFunc(func() { sdk.SetStickyWorkflowCacheSize(maxCached) })

// run connects to Temporal and works for it until ctx ends. It fails when Temporal does not answer or lacks what the
// workflows need.
func (h *host) run(ctx context.Context) error {
	temporal, err := client.DialContext(ctx, h.options)
	if err != nil {
		return fmt.Errorf("connect to Temporal at %s: %w", h.options.HostPort, err)
	}
	defer temporal.Close()
	if err := h.prepare(ctx, temporal); err != nil {
		return err
	}
	boundCache()
	failed := make(chan error, 1)
	hosting := sdk.New(temporal, contract.TaskQueue, sdk.Options{
		MaxConcurrentActivityExecutionSize:      maxActivities,
		MaxConcurrentLocalActivityExecutionSize: maxActivities,
		WorkerStopTimeout:                       stopTimeout,
		OnFatalError: func(err error) {
			select {
			case failed <- err:
			default: // one is enough
			}
		},
	})
	h.register(hosting, temporal)
	if err := hosting.Start(); err != nil {
		return fmt.Errorf("poll Temporal for tasks: %w", err)
	}
	defer hosting.Stop()
	h.connected.Store(&temporal)
	h.metrics.temporalConnected.Set(1)
	defer func() {
		h.connected.Store(nil)
		h.metrics.temporalConnected.Set(0)
	}()

	group, ctx := errgroup.WithContext(ctx)
	group.Go(func() error {
		select {
		case <-ctx.Done():
			return nil
		case err := <-failed:
			return fmt.Errorf("polling Temporal for tasks: %w", err)
		}
	})
	resume := make(chan struct{}, 1)
	group.Go(func() error { return h.tend(ctx, temporal, resume) })
	group.Go(func() error {
		dispatcher := &dispatcher{
			projections: h.runs.Projections, log: h.runs.Log, client: temporal, resumption: resume, metrics: h.metrics, logger: h.logger,
		}
		supervise(ctx, h.logger, "dispatcher", func(ctx context.Context) error {
			return lead(ctx, h.database.Config().ConnConfig, dispatcherLock, dispatcher.run)
		})
		return nil
	})
	return group.Wait()
}

func (h *host) register(registry sdk.Registry, temporal client.Client) {
	reweighing := &activities.Reweighing{Projections: h.runs.Projections, Temporal: temporal}
	for name, run := range map[string]any{
		contract.RunLifecycleWorkflow: workflows.RunLifecycle,
		contract.ReweighWorkflow:      workflows.Reweigh,
		contract.ReplayWorkflow:       workflows.Replay,
		contract.ArchiveWorkflow:      workflows.Archive,
	} {
		registry.RegisterWorkflowWithOptions(run, workflow.RegisterOptions{Name: name})
	}
	for name, run := range map[string]any{
		contract.WeighRunActivity:      h.runs.WeighRun,
		contract.MarkOutputActivity:    h.runs.MarkOutput,
		contract.TimeOutGatesActivity:  h.runs.TimeOutGates,
		contract.TellRunsActivity:      reweighing.TellRuns,
		contract.WriteSegmentsActivity: h.archiving.WriteSegments,
		contract.CreateShadowActivity:  h.replays.CreateShadow,
		contract.FoldArchiveActivity:   h.replays.FoldArchive,
		contract.FoldTailActivity:      h.replays.FoldTail,
		contract.CompareActivity:       h.replays.Compare,
		contract.CatchUpActivity:       h.replays.CatchUp,
		contract.SwitchReadersActivity: h.replays.SwitchReaders,
		contract.RetireShadowActivity:  h.replays.RetireShadow,
	} {
		registry.RegisterActivityWithOptions(run, activity.RegisterOptions{Name: name})
	}
}

// check says why the host does not work for Temporal, or nil.
func (h *host) check(ctx context.Context) error {
	connected := h.connected.Load()
	if connected == nil {
		return errors.New("not connected to Temporal")
	}
	_, err := (*connected).CheckHealth(ctx, &client.CheckHealthRequest{})
	return err
}

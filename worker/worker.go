// Package worker keeps Headwater going: the projectors, which fold the log into the projections; the dispatcher, which
// tells the workflows of runs about new evidence; and the host of workflows and activities.
//
// Evidence does not wait for Temporal. The projectors need PostgreSQL alone; the rest joins whenever Temporal answers.
package worker

import (
	"context"
	"errors"
	"log/slog"
	"net"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/prometheus/client_golang/prometheus"
	"go.temporal.io/sdk/client"
	"golang.org/x/sync/errgroup"

	"github.com/headwater-data/headwater/activities"
	"github.com/headwater-data/headwater/archive"
	"github.com/headwater-data/headwater/eventlog"
	"github.com/headwater-data/headwater/internal/telemetry"
	"github.com/headwater-data/headwater/policy"
	"github.com/headwater-data/headwater/projection"
)

// Config is what a worker works with. Every field but Lateness must be set.
type Config struct {
	// Database is migrated to the schema of this binary.
	Database *pgxpool.Pool
	Policies *policy.Engine
	// OpenArchive is called when the archive is first needed, and again until it succeeds.
	OpenArchive func(context.Context) (*archive.Archive, error)
	// ArchiveInterval is how long an event waits at most until it is archived.
	ArchiveInterval time.Duration
	// Lateness is how long the workflow of a settled run stays for late evidence, from the receipt of the first event that
	// ended the run. Zero: it ends at once, and late evidence starts it again.
	Lateness time.Duration
	// Temporal need not answer when the worker starts.
	Temporal client.Options
	// Listener is where health and metrics are served. Run closes it.
	Listener net.Listener
	Metrics  *prometheus.Registry
	Logger   *slog.Logger
}

// Run works until ctx ends, then lets what is under way come to its end. It fails only if it cannot serve health and
// metrics: all else that fails is begun again.
func Run(ctx context.Context, config Config) error {
	log := eventlog.New(config.Database, eventlog.Options{Logger: config.Logger})
	// The activities that end with the host still append decisions, so the log is closed after it.
	committed := make(chan error, 1)
	go func() { committed <- log.Run(context.WithoutCancel(ctx)) }()

	err := run(ctx, config, log)
	log.Close()
	return errors.Join(err, <-committed)
}

func run(ctx context.Context, config Config, log *eventlog.Log) error {
	store := projection.NewStore(config.Database)
	catalogue := archive.NewCatalogue(config.Database)
	quarantine := eventlog.NewQuarantine(config.Database)
	opened := &lazyArchive{open: config.OpenArchive}
	metrics := newMetrics(config.Metrics)
	config.Metrics.MustRegister(&offsets{
		log: log, projections: store, catalogue: catalogue, quarantine: quarantine, logger: config.Logger,
	})
	telemetry.RegisterPolicies(config.Metrics, config.Policies.Failure)
	config.Metrics.MustRegister(&awaiting{projections: store, logger: config.Logger})

	projectors := &projectors{
		database: config.Database, store: store, logger: config.Logger,
		projector: &projector{store: store, log: log, metrics: metrics, logger: config.Logger},
	}
	host := &host{
		options:  config.Temporal,
		interval: config.ArchiveInterval,
		runs:     &activities.Runs{Projections: store, Log: log, Policies: config.Policies, Lateness: config.Lateness},
		replays:  &activities.Replays{Projections: store, Log: log, Catalogue: catalogue, Archive: opened.get},
		archiving: &activities.Archiving{
			Log: log, Quarantine: quarantine, Catalogue: catalogue, Archive: opened.get,
		},
		database: config.Database, metrics: metrics, logger: config.Logger,
	}
	group, ctx := errgroup.WithContext(ctx)
	group.Go(func() error { return serve(ctx, config, host) })
	for name, part := range map[string]func(context.Context) error{
		"policies": config.Policies.Watch, "projectors": projectors.run, "temporal": host.run,
	} {
		group.Go(func() error {
			supervise(ctx, config.Logger, name, part)
			return nil
		})
	}
	return group.Wait()
}

package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"time"

	"github.com/headwater-data/headwater/archive"
	"github.com/headwater-data/headwater/internal/telemetry"
	"github.com/headwater-data/headwater/migrations"
	"github.com/headwater-data/headwater/worker"
)

// workerCommand folds the log, decides runs and moves the log into the archive.
type workerCommand struct {
	database
	temporalFlags
	bucketFlags
	policyFlags
	telemetryFlags

	Listen   string        `default:"127.0.0.1:8081" placeholder:"ADDRESS" help:"Where to serve health and metrics; ${default} unless set."`
	Lateness time.Duration `default:"0s" placeholder:"DURATION" help:"How long the workflow of a settled run stays for late evidence, from the receipt of the first event that ended the run; ${default} unless set: it ends at once, and late evidence starts it again."`

	ArchiveInterval      time.Duration         `default:"1m" placeholder:"DURATION" help:"How long an event waits, at most, until it is archived; ${default} unless set."`
	ArchiveRetention     time.Duration         `default:"8760h" placeholder:"DURATION" help:"How long nobody can delete what is archived; ${default} unless set."`
	ArchiveRetentionMode archive.RetentionMode `default:"COMPLIANCE" enum:"COMPLIANCE,GOVERNANCE" help:"Object lock: ${enum}. GOVERNANCE lets those who hold a special permission delete."`
}

// Help is shown by --help.
func (*workerCommand) Help() string {
	return `docs/deploy.md explains every setting. For example, with secrets in the environment:

  export HEADWATER_DATABASE_URL=postgres://headwater:secret@db/headwater
  export HEADWATER_S3_ACCESS_KEY=key HEADWATER_S3_SECRET_KEY=secret
  headwater worker --temporal-address temporal:7233 --s3-endpoint https://s3.example.com --s3-bucket headwater-archive`
}

// Validate names all settings that are wrong, before anything starts.
func (c *workerCommand) Validate() error {
	var errs []error
	if _, _, err := net.SplitHostPort(c.Listen); err != nil {
		errs = append(errs, fmt.Errorf("--listen: %w", err))
	}
	if c.Lateness < 0 {
		errs = append(errs, fmt.Errorf("--lateness must not be negative, as %v is", c.Lateness))
	}
	if c.ArchiveInterval < time.Second {
		errs = append(errs, fmt.Errorf("--archive-interval must be 1s or longer, not %v", c.ArchiveInterval))
	}
	if c.ArchiveRetention <= 0 {
		errs = append(errs, fmt.Errorf("--archive-retention must be longer than %v", c.ArchiveRetention))
	}
	return errors.Join(append(errs, c.temporalFlags.validate(), c.bucketFlags.required())...)
}

// Run works until ctx ends, and then finishes what is under way.
func (c *workerCommand) Run(ctx context.Context) error {
	spendMemory(3 * baseMemory) // a batch of the projector, a segment of the archive
	logger, err := c.logger()
	if err != nil {
		return err
	}
	slog.SetDefault(logger) // for what has no logger of its own
	stopTracing, traceErr := telemetry.StartTracing(ctx, "headwater-worker", c.OTLPEndpoint)
	temporal, temporalErr := c.temporalFlags.options(logger)
	rules, policyErr := c.load(ctx, logger)
	pool, poolErr := c.open(ctx)
	if err := errors.Join(traceErr, temporalErr, policyErr, poolErr); err != nil {
		return err
	}
	defer pool.Close()
	if err := migrations.Check(ctx, pool); err != nil {
		return err
	}
	var config net.ListenConfig
	listener, err := config.Listen(ctx, "tcp", c.Listen)
	if err != nil {
		return fmt.Errorf("%w; choose another address with --listen", err)
	}
	logger.Info("worker is running", "address", listener.Addr().String(), "temporal", c.TemporalAddress, "policies", rules.Revision())
	worked := worker.Run(ctx, worker.Config{
		Database: pool,
		Policies: rules,
		OpenArchive: func(ctx context.Context) (*archive.Archive, error) {
			config := c.bucketFlags.config(logger)
			config.RetentionMode, config.Retention = c.ArchiveRetentionMode, c.ArchiveRetention
			return archive.Open(ctx, config)
		},
		ArchiveInterval: c.ArchiveInterval,
		Lateness:        c.Lateness,
		Temporal:        temporal,
		Listener:        listener,
		Metrics:         telemetry.NewRegistry(),
		Logger:          logger,
	})
	return errors.Join(worked, stopTracing(context.WithoutCancel(ctx)))
}

package main

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"log/slog"
	"net"

	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/headwater-data/headwater/archive"
	"github.com/headwater-data/headwater/eventlog"
	"github.com/headwater-data/headwater/gateway"
	"github.com/headwater-data/headwater/gateway/principal"
	"github.com/headwater-data/headwater/internal/health"
	"github.com/headwater-data/headwater/internal/telemetry"
	"github.com/headwater-data/headwater/migrations"
	"github.com/headwater-data/headwater/policy"
	"github.com/headwater-data/headwater/projection"
)

// gatewayCommand serves the doors and the answers.
type gatewayCommand struct {
	database
	policyFlags
	telemetryFlags
	bucketFlags `group:"Archive, read for events that the log does not hold any more"`
	Limit       limitFlags `embed:"" prefix:"limit-" group:"Limits"`

	Listen string `default:"127.0.0.1:8080" placeholder:"ADDRESS" help:"Where to serve HTTP/1.1 and HTTP/2 without TLS."`
	IDKey  string `name:"id-key" placeholder:"SECRET" help:"Secret of 32 characters or more behind the node ids in answers. Gateways that serve the same callers need the same one; without it each start makes its own."`
	Dev    bool   `help:"Let a caller without credentials do everything, as the principal dev. Only on a loopback address."`
}

// Help is shown by --help.
func (*gatewayCommand) Help() string {
	return `docs/deploy.md explains every setting. For example, with secrets in the environment:

  export HEADWATER_DATABASE_URL=postgres://headwater:secret@db/headwater
  headwater gateway --listen 0.0.0.0:8080`
}

// minIDKeyBytes keeps the key from being guessed.
const minIDKeyBytes = 32

// Validate names all settings that are wrong, before anything starts.
func (c *gatewayCommand) Validate() error {
	var errs []error
	if c.IDKey != "" && len(c.IDKey) < minIDKeyBytes {
		errs = append(errs, fmt.Errorf("--id-key must have %d characters or more", minIDKeyBytes))
	}
	host, _, err := net.SplitHostPort(c.Listen)
	if err != nil {
		errs = append(errs, fmt.Errorf("--listen: %w", err))
	}
	if c.Dev && !loopbackHost(host) {
		errs = append(errs, fmt.Errorf("--dev lets everyone in, so it needs a loopback address and not --listen=%s", c.Listen))
	}
	_, err = c.Limit.limits()
	return errors.Join(append(errs, err, c.bucketFlags.optional())...)
}

func loopbackHost(host string) bool {
	address := net.ParseIP(host)
	return host == "localhost" || address != nil && address.IsLoopback()
}

// Run serves until ctx ends, and then finishes what it has accepted.
func (c *gatewayCommand) Run(ctx context.Context) error {
	spendMemory(baseMemory + 4*c.Limit.InFlightBytes) // to decode a byte takes about three
	logger, err := c.logger()
	if err != nil {
		return err
	}
	stopTracing, traceErr := telemetry.StartTracing(ctx, "headwater-gateway", c.OTLPEndpoint)
	pool, poolErr := c.open(ctx)
	rules, policyErr := c.load(ctx, logger)
	if err := errors.Join(traceErr, poolErr, policyErr); err != nil {
		return err
	}
	defer pool.Close()

	log := eventlog.New(pool, eventlog.Options{Logger: logger, DatabaseBytes: c.Limit.DatabaseBytes})
	server, err := c.server(logger, pool, rules, log)
	if err != nil {
		return err
	}
	var config net.ListenConfig
	listener, err := config.Listen(ctx, "tcp", c.Listen)
	if err != nil {
		return fmt.Errorf("%w; choose another address with --listen", err)
	}
	logger.Info("gateway is serving", "address", listener.Addr().String(), "policies", rules.Revision())
	if c.Dev {
		logger.Warn("requests without credentials act as the principal dev, who may do everything")
	}

	// Requests that are under way when ctx ends still need commits, so the log ends after the server.
	committed := make(chan error, 1)
	go func() { committed <- log.Run(context.WithoutCancel(ctx)) }()
	watched := make(chan error, 1)
	go func() { watched <- rules.Watch(ctx) }()
	served := server.Run(ctx, listener)
	log.Close()
	return errors.Join(served, <-committed, stopTracing(context.WithoutCancel(ctx)))
}

func (c *gatewayCommand) server(logger *slog.Logger, pool *pgxpool.Pool, rules *policy.Engine, log *eventlog.Log) (*gateway.Server, error) {
	limits, err := c.Limit.limits()
	if err != nil {
		return nil, err
	}
	key := []byte(c.IDKey)
	if len(key) == 0 {
		key = []byte(rand.Text() + rand.Text())
	}
	archived, err := c.archived(logger, pool)
	if err != nil {
		return nil, err
	}
	return gateway.New(gateway.Config{
		Log:         log,
		Archive:     archived,
		Quarantine:  eventlog.NewQuarantine(pool),
		Projections: projection.NewStore(pool),
		Policy:      rules,
		Principals:  principal.NewStore(pool),
		Limits:      limits,
		IDKey:       key,
		Checks: []health.Check{
			{Name: "database", Probe: pool.Ping},
			{Name: "migrations", Probe: func(ctx context.Context) error { return migrations.Check(ctx, pool) }},
		},
		Logger:  logger,
		Metrics: telemetry.NewRegistry(),
		Dev:     c.Dev,
	})
}

// archived finds events in the archive; nil where the gateway was not told of one.
func (c *gatewayCommand) archived(logger *slog.Logger, pool *pgxpool.Pool) (*archive.Finder, error) {
	if !c.given() {
		return nil, nil
	}
	return archive.NewFinder(c.bucketFlags.config(logger), archive.NewCatalogue(pool))
}

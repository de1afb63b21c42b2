package main

import (
	"context"
	"log/slog"
	"net"

	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/prometheus/client_golang/prometheus"
	"golang.org/x/sync/errgroup"

	"github.com/headwater-data/headwater/eventlog"
	"github.com/headwater-data/headwater/gateway"
	"github.com/headwater-data/headwater/gateway/principal"
	"github.com/headwater-data/headwater/policy"
	"github.com/headwater-data/headwater/projection"
)

// openDoor serves a gateway on a database until ctx ends, as parts of serving, and gives its address.
func openDoor(ctx context.Context, serving *errgroup.Group, pool *pgxpool.Pool, rules *policy.Engine, logger *slog.Logger) (string, error) {
	// A commit may take its time: what is asked here is not how fast the machine is.
	limits := gateway.DefaultLimits()
	limits.AppendTime = patience
	log := eventlog.New(pool, eventlog.Options{CommitTimeout: patience, Logger: logger})
	server, err := gateway.New(gateway.Config{
		Log: log, Quarantine: eventlog.NewQuarantine(pool), Projections: projection.NewStore(pool), Policy: rules,
		Principals: principal.NewStore(pool), Limits: limits, IDKey: []byte("known to a run of conformance alone"),
		Logger: logger, Metrics: prometheus.NewRegistry(), Dev: true,
	})
	if err != nil {
		return "", err
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return "", err
	}
	serving.Go(func() error { return log.Run(context.WithoutCancel(ctx)) })
	serving.Go(func() error {
		defer log.Close() // requests under way need it until then
		return server.Run(ctx, listener)
	})
	return "http://" + listener.Addr().String(), nil
}

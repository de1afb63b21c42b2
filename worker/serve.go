package worker

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"time"

	"github.com/prometheus/client_golang/prometheus/promhttp"

	"github.com/headwater-data/headwater/internal/health"
	"github.com/headwater-data/headwater/migrations"
)

// closeTimeout is how long a request may go on when the worker ends.
const closeTimeout = 5 * time.Second

// serve answers /healthz (the process lives), /readyz (it can do its work) and /metrics until ctx ends.
func serve(ctx context.Context, config Config, host *host) error {
	ready := health.NewReadiness(config.Logger,
		health.Check{Name: "database", Probe: config.Database.Ping},
		health.Check{Name: "migrations", Probe: func(ctx context.Context) error { return migrations.Check(ctx, config.Database) }},
		health.Check{Name: "temporal", Probe: host.check})
	mux := http.NewServeMux()
	mux.HandleFunc("GET /healthz", health.ServeAlive)
	mux.Handle("GET /readyz", ready)
	mux.Handle("GET /metrics", promhttp.HandlerFor(config.Metrics, promhttp.HandlerOpts{}))

	server := &http.Server{Handler: mux, ReadHeaderTimeout: closeTimeout}
	closed := make(chan error, 1)
	stop := context.AfterFunc(ctx, func() {
		ready.End()
		ending, cancel := context.WithTimeout(context.WithoutCancel(ctx), closeTimeout)
		defer cancel()
		closed <- server.Shutdown(ending)
	})
	err := server.Serve(config.Listener)
	if stop() || !errors.Is(err, http.ErrServerClosed) {
		return fmt.Errorf("serve health and metrics on %s: %w", config.Listener.Addr(), err)
	}
	return <-closed
}

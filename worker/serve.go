package worker

import (
	"context"
	"encoding/json/v2"
	"errors"
	"fmt"
	"net/http"
	"time"

	"github.com/prometheus/client_golang/prometheus/promhttp"

	"github.com/headwater-data/headwater/migrations"
)

// closeTimeout is how long a request may go on when the worker ends.
const closeTimeout = 5 * time.Second

// serve answers /healthz (the process lives), /readyz (it can do its work) and /metrics until ctx ends.
func serve(ctx context.Context, config Config, host *host) error {
	ready := &readiness{logger: config.Logger, checks: map[string]check{
		"database":   config.Database.Ping,
		"migrations": func(ctx context.Context) error { return migrations.Check(ctx, config.Database) },
		"policies":   func(context.Context) error { return config.Policies.Failure() },
		"temporal":   host.check,
	}}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /healthz", func(w http.ResponseWriter, _ *http.Request) {
		answer(w, http.StatusOK, map[string]string{"status": "ok"})
	})
	mux.Handle("GET /readyz", ready)
	mux.Handle("GET /metrics", promhttp.HandlerFor(config.Metrics, promhttp.HandlerOpts{}))

	server := &http.Server{Handler: mux, ReadHeaderTimeout: closeTimeout}
	closed := make(chan error, 1)
	stop := context.AfterFunc(ctx, func() {
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

func answer(w http.ResponseWriter, status int, body any) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_ = json.MarshalWrite(w, body) // who asked has gone
}

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

const (
	// readyTimeout bounds how long a readiness check waits for the database.
	readyTimeout = 2 * time.Second
	// closeTimeout is how long a request may go on when the worker ends.
	closeTimeout = 5 * time.Second
)

// serve answers /healthz (the process lives), /readyz (it can do its work) and /metrics until ctx ends.
func serve(ctx context.Context, config Config, host *host) error {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /healthz", func(w http.ResponseWriter, _ *http.Request) { answer(w, http.StatusOK, nil) })
	mux.HandleFunc("GET /readyz", func(w http.ResponseWriter, r *http.Request) {
		if missing := missing(r.Context(), config, host); len(missing) > 0 {
			answer(w, http.StatusServiceUnavailable, missing)
			return
		}
		answer(w, http.StatusOK, nil)
	})
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

// missing says what the worker cannot do its work without and does not have.
func missing(ctx context.Context, config Config, host *host) map[string]string {
	ctx, cancel := context.WithTimeout(ctx, readyTimeout)
	defer cancel()
	missing := map[string]string{}
	if err := migrations.Check(ctx, config.Database); err != nil {
		missing["database"] = err.Error()
	}
	if !host.connected.Load() {
		missing["temporal"] = "not connected"
	}
	return missing
}

// readiness is the body of /healthz and /readyz.
type readiness struct {
	Ready   bool              `json:"ready"`
	Missing map[string]string `json:"missing,omitempty"`
}

func answer(w http.ResponseWriter, status int, missing map[string]string) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_ = json.MarshalWrite(w, readiness{Ready: status == http.StatusOK, Missing: missing}) // who asked has gone
}

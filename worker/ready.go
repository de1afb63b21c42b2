package worker

import (
	"context"
	"log/slog"
	"net/http"
	"time"
)

// readyTimeout bounds how long all checks together may take.
const readyTimeout = 2 * time.Second

// check says why something is missing that the worker cannot do all its work without, or nil.
type check func(context.Context) error

// readiness knows whether the worker can do all its work.
type readiness struct {
	checks map[string]check
	logger *slog.Logger
}

// readyAnswer is the body of /readyz.
type readyAnswer struct {
	Ready  bool              `json:"ready"`
	Checks map[string]string `json:"checks"`
}

// ServeHTTP answers 200 when every check passes, else 503. Why one fails is told to the log alone.
func (r *readiness) ServeHTTP(w http.ResponseWriter, request *http.Request) {
	ctx, cancel := context.WithTimeout(request.Context(), readyTimeout)
	defer cancel()
	asked := readyAnswer{Ready: true, Checks: map[string]string{}}
	status := http.StatusOK
	for name, check := range r.checks {
		asked.Checks[name] = "ok"
		if err := check(ctx); err != nil {
			r.logger.WarnContext(ctx, "the worker is not ready", "check", name, "error", err)
			asked.Ready, asked.Checks[name] = false, "failing; the log of the worker says why"
			status = http.StatusServiceUnavailable
		}
	}
	answer(w, status, asked)
}

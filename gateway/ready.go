package gateway

import (
	"context"
	"log/slog"
	"net/http"
	"sync"
	"time"
)

// checkTime bounds one readiness check.
const checkTime = 2 * time.Second

// Check is something that the gateway cannot serve without.
type Check struct {
	Name string
	// Probe returns why it is missing, or nil. The reason is logged; whoever asks is only told that it is failing.
	Probe func(context.Context) error
}

// What /readyz says of a check.
const (
	checkOK      = "ok"
	checkFailing = "failing; the log of the server says why"
)

// readiness knows whether the gateway can serve: its checks pass and it is not shutting down.
type readiness struct {
	checks []Check
	logger *slog.Logger
	ending chan struct{}

	mu sync.Mutex
	// reasons is why checks fail, as last logged.
	reasons map[string]string
}

// readyAnswer is the body of /readyz.
type readyAnswer struct {
	Ready  bool              `json:"ready"`
	Checks map[string]string `json:"checks"`
}

// ask runs all checks side by side.
func (r *readiness) ask(ctx context.Context) readyAnswer {
	ctx, cancel := context.WithTimeout(ctx, checkTime)
	defer cancel()
	failures := make([]error, len(r.checks))
	var waiting sync.WaitGroup
	for i, check := range r.checks {
		waiting.Go(func() { failures[i] = check.Probe(ctx) })
	}
	waiting.Wait()
	result := readyAnswer{Ready: true, Checks: map[string]string{}}
	for i, check := range r.checks {
		result.Checks[check.Name] = checkOK
		if failures[i] != nil {
			result.Ready = false
			result.Checks[check.Name] = checkFailing
		}
		r.note(ctx, check.Name, failures[i])
	}
	select {
	case <-r.ending:
		result.Ready = false
		result.Checks["shutdown"] = "under way"
	default:
	}
	return result
}

// note logs a check when what it says changes, since it is asked again and again.
func (r *readiness) note(ctx context.Context, check string, failure error) {
	reason := ""
	if failure != nil {
		reason = failure.Error()
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	switch before := r.reasons[check]; {
	case before == reason:
		return
	case reason == "":
		r.logger.InfoContext(ctx, "readiness check passes again", "check", check)
	default:
		r.logger.WarnContext(ctx, "readiness check fails", "check", check, "error", reason)
	}
	r.reasons[check] = reason
}

// ServeHTTP answers /readyz: 200 when ready, else 503 with the reasons.
func (r *readiness) ServeHTTP(w http.ResponseWriter, req *http.Request) {
	result := r.ask(req.Context())
	status := http.StatusOK
	if !result.Ready {
		status = http.StatusServiceUnavailable
	}
	answer(w, status, result)
}

// serveAlive answers /healthz: the process answers, whatever it depends on.
func serveAlive(w http.ResponseWriter, _ *http.Request) {
	answer(w, http.StatusOK, map[string]string{"status": "ok"})
}

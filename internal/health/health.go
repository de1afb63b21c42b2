// Package health answers whether a process lives and whether it can do its work, over HTTP.
package health

import (
	"context"
	"encoding/json/v2"
	"log/slog"
	"net/http"
	"sync"
	"time"
)

// checkTime bounds how long all checks together may take.
const checkTime = 2 * time.Second

// Check is something that a process cannot do all its work without.
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

// Readiness knows whether a process can do its work: its checks pass and it is not shutting down.
type Readiness struct {
	checks []Check
	logger *slog.Logger
	ending chan struct{}

	mu sync.Mutex
	// reasons is why checks fail, as last logged.
	reasons map[string]string
}

// NewReadiness asks checks whenever it is asked itself.
func NewReadiness(logger *slog.Logger, checks ...Check) *Readiness {
	return &Readiness{checks: checks, logger: logger, ending: make(chan struct{}), reasons: map[string]string{}}
}

// End says that the process is shutting down. It must be called once at most.
func (r *Readiness) End() { close(r.ending) }

// Ending is closed once the process is shutting down.
func (r *Readiness) Ending() <-chan struct{} { return r.ending }

// Answer is the body of /readyz.
type Answer struct {
	Ready  bool              `json:"ready"`
	Checks map[string]string `json:"checks"`
}

// Ask runs all checks side by side.
func (r *Readiness) Ask(ctx context.Context) Answer {
	ctx, cancel := context.WithTimeout(ctx, checkTime)
	defer cancel()
	failures := make([]error, len(r.checks))
	var waiting sync.WaitGroup
	for i, check := range r.checks {
		waiting.Go(func() { failures[i] = check.Probe(ctx) })
	}
	waiting.Wait()
	result := Answer{Ready: true, Checks: map[string]string{}}
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
func (r *Readiness) note(ctx context.Context, check string, failure error) {
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

// ServeHTTP answers /readyz: 200 when ready, else 503 with the checks that fail.
func (r *Readiness) ServeHTTP(w http.ResponseWriter, request *http.Request) {
	result := r.Ask(request.Context())
	status := http.StatusOK
	if !result.Ready {
		status = http.StatusServiceUnavailable
	}
	answer(w, status, result)
}

// ServeAlive answers /healthz: the process answers, whatever it depends on.
func ServeAlive(w http.ResponseWriter, _ *http.Request) {
	answer(w, http.StatusOK, map[string]string{"status": "ok"})
}

func answer(w http.ResponseWriter, status int, body any) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_ = json.MarshalWrite(w, body) // a caller that left reads no answer
}

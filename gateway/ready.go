package gateway

import (
	"context"
	"net/http"
	"sync"
	"time"
)

// checkTime bounds one readiness check.
const checkTime = 2 * time.Second

// Check is something that the gateway cannot serve without.
type Check struct {
	Name string
	// Probe returns why it is missing, or nil. Its text is shown to whoever asks, so it must hold no secrets.
	Probe func(context.Context) error
}

// readiness knows whether the gateway can serve: its checks pass and it is not shutting down.
type readiness struct {
	checks []Check
	ending chan struct{}
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
	result := readyAnswer{Ready: true, Checks: map[string]string{}}
	var (
		mu      sync.Mutex
		waiting sync.WaitGroup
	)
	for _, check := range r.checks {
		waiting.Go(func() {
			err := check.Probe(ctx)
			mu.Lock()
			defer mu.Unlock()
			result.Checks[check.Name] = "ok"
			if err != nil {
				result.Ready = false
				result.Checks[check.Name] = err.Error()
			}
		})
	}
	waiting.Wait()
	select {
	case <-r.ending:
		result.Ready = false
		result.Checks["shutdown"] = "under way"
	default:
	}
	return result
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

package load

import (
	"context"
	"net/http"
	"time"

	"github.com/headwater-data/headwater/bench/report"
)

// Probes are medians of what the machine can do at all. Other figures are best read as ratios to them.
type Probes struct {
	report.Probes
	// Request is an empty one.
	Request time.Duration
}

// Probe measures the probes of this run, into a section that further ones may follow in.
func (r *Rig) Probe(ctx context.Context) (report.Section, error) {
	section, common, err := r.Report.Probe(ctx, r.Dir, r.Pool)
	if err != nil {
		return section, err
	}
	empty, err := report.Repeat(func() error { return r.emptyRequest(ctx) })
	if err != nil {
		return section, err
	}
	section.Percentiles("empty request", empty)
	r.probes = Probes{common, empty.At(50)}
	return section, nil
}

// emptyRequest has the gateway answer nothing.
func (r *Rig) emptyRequest(ctx context.Context) error {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, r.System.Producer.URL+"/healthz", nil)
	if err != nil {
		return err
	}
	response, err := r.System.Producer.HTTP.Do(request)
	if err != nil {
		return err
	}
	return response.Body.Close()
}

// Ratios compares the median of latencies with the probes of this run.
func (r *Rig) Ratios(section report.Section, name string, latencies report.Latencies) {
	r.probes.Ratios(section, name, latencies)
	section.Ratio(name, latencies, "empty request", r.probes.Request)
}

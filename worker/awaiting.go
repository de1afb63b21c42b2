package worker

import (
	"context"
	"log/slog"

	"github.com/prometheus/client_golang/prometheus"

	"github.com/headwater-data/headwater/projection"
)

var (
	awaitingRuns = prometheus.NewDesc("headwater_runs_awaiting_decision",
		"Runs that have ended, with outputs that are undecided, or were decided before what came since. Those that were decided to wait for gates do not count.", nil, nil)
	gatedRuns = prometheus.NewDesc("headwater_runs_awaiting_gates",
		"Runs that have ended and wait for gates to answer, as the publication policy wants it.", nil, nil)
	awaitingSeconds = prometheus.NewDesc("headwater_oldest_undecided_run_seconds",
		"How long, of the runs that await a decision, that one has waited whose last evidence is the oldest; 0 where none does.", nil, nil)
)

// awaiting measures, when asked, what ended runs wait for. All workers report the same.
type awaiting struct {
	projections *projection.Store
	logger      *slog.Logger
}

// Describe implements prometheus.Collector.
func (a *awaiting) Describe(descriptions chan<- *prometheus.Desc) {
	descriptions <- awaitingRuns
	descriptions <- gatedRuns
	descriptions <- awaitingSeconds
}

// Collect implements prometheus.Collector. What cannot be measured is left out.
func (a *awaiting) Collect(collected chan<- prometheus.Metric) {
	ctx, cancel := context.WithTimeout(context.Background(), collectTimeout)
	defer cancel()
	now, err := a.projections.Awaiting(ctx)
	if err != nil {
		a.logger.WarnContext(ctx, "some metrics are missing", "error", err)
		return
	}
	collected <- prometheus.MustNewConstMetric(awaitingRuns, prometheus.GaugeValue, float64(now.Decision))
	collected <- prometheus.MustNewConstMetric(gatedRuns, prometheus.GaugeValue, float64(now.Gates))
	collected <- prometheus.MustNewConstMetric(awaitingSeconds, prometheus.GaugeValue, now.Oldest.Seconds())
}

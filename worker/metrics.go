package worker

import (
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"github.com/headwater-data/headwater/lineage"
)

type metrics struct {
	batchEntries      *prometheus.HistogramVec
	applySeconds      *prometheus.HistogramVec
	applyFailures     *prometheus.CounterVec
	visibilitySeconds *prometheus.HistogramVec
	signals           *prometheus.CounterVec
	resumedRuns       prometheus.Counter
	temporalConnected prometheus.Gauge
}

func newMetrics(registry prometheus.Registerer) *metrics {
	m := &metrics{
		batchEntries: prometheus.NewHistogramVec(prometheus.HistogramOpts{
			Name:    "headwater_projector_batch_entries",
			Help:    "Log entries folded in one transaction.",
			Buckets: prometheus.ExponentialBuckets(1, 4, 6),
		}, []string{"projection"}),
		applySeconds: prometheus.NewHistogramVec(prometheus.HistogramOpts{
			Name:    "headwater_projector_apply_seconds",
			Help:    "Time that the transaction of one batch took.",
			Buckets: prometheus.ExponentialBuckets(0.001, 2, 14),
		}, []string{"projection"}),
		applyFailures: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "headwater_projector_failures_total",
			Help: "Batches that could not be read or folded, and were tried again.",
		}, []string{"projection"}),
		visibilitySeconds: prometheus.NewHistogramVec(prometheus.HistogramOpts{
			Name:    "headwater_projector_visibility_seconds",
			Help:    "Time from the receipt of a batch's first entry until it was folded, which bounds that of the others.",
			Buckets: prometheus.ExponentialBuckets(0.01, 2, 14),
		}, []string{"projection"}),
		signals: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "headwater_dispatch_signals_total",
			Help: "Signals to run workflows by outcome: sent, retried, refused.",
		}, []string{"outcome"}),
		resumedRuns: prometheus.NewCounter(prometheus.CounterOpts{
			Name: "headwater_resumed_runs_total",
			Help: "Undecided runs whose workflow was gone, so that it was started again.",
		}),
		temporalConnected: prometheus.NewGauge(prometheus.GaugeOpts{
			Name: "headwater_temporal_connected",
			Help: "1 while the worker is connected to Temporal and polls for tasks, else 0.",
		}),
	}
	registry.MustRegister(m.batchEntries, m.applySeconds, m.applyFailures, m.visibilitySeconds, m.signals, m.resumedRuns, m.temporalConnected)
	return m
}

func (m *metrics) applied(projection string, entries []lineage.Entry, began time.Time) {
	m.batchEntries.WithLabelValues(projection).Observe(float64(len(entries)))
	m.applySeconds.WithLabelValues(projection).Observe(time.Since(began).Seconds())
	m.visibilitySeconds.WithLabelValues(projection).Observe(time.Since(entries[0].ReceivedAt).Seconds())
}

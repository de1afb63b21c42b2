package gateway

import (
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"github.com/headwater-data/headwater/policy"
)

// outcome is what became of an event, as counted.
type outcome string

// The outcomes of an event.
const (
	outcomeAccepted  outcome = "accepted"
	outcomeDuplicate outcome = "duplicate"
	outcomeRefused   outcome = "refused"
	outcomeForbidden outcome = "forbidden"
	outcomeFailed    outcome = "failed" // not known to be committed; the caller is to send it again
)

func (v verdict) outcome() outcome {
	switch {
	case v.refused != nil && v.refused.forbidden():
		return outcomeForbidden
	case v.refused != nil:
		return outcomeRefused
	case v.receipt.Duplicate:
		return outcomeDuplicate
	default:
		return outcomeAccepted
	}
}

// metrics counts and times. No label holds a name that a caller chooses.
type metrics struct {
	eventsTotal     *prometheus.CounterVec
	requestDuration *prometheus.HistogramVec
	appendDuration  prometheus.Histogram
}

func newMetrics(registry prometheus.Registerer) *metrics {
	m := &metrics{
		eventsTotal: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "headwater_events_total",
			Help: "Events received, by door, kind of principal and outcome.",
		}, []string{"door", "principal", "outcome"}),
		requestDuration: prometheus.NewHistogramVec(prometheus.HistogramOpts{
			Name:    "headwater_request_duration_seconds",
			Help:    "Time from a request's headers to the end of its answer, by route and HTTP status or Connect code.",
			Buckets: []float64{.001, .0025, .005, .01, .025, .05, .1, .25, .5, 1, 2.5, 5, 10, 30},
		}, []string{"route", "code"}),
		appendDuration: prometheus.NewHistogram(prometheus.HistogramOpts{
			Name:    "headwater_append_duration_seconds",
			Help:    "Time that a request's events waited for their commit to the log.",
			Buckets: []float64{.001, .0025, .005, .01, .025, .05, .1, .25, .5, 1, 2.5, 5},
		}),
	}
	registry.MustRegister(m.eventsTotal, m.requestDuration, m.appendDuration)
	return m
}

func (m *metrics) events(door string, kind policy.PrincipalKind, what outcome, count int) {
	m.eventsTotal.WithLabelValues(door, string(kind), string(what)).Add(float64(count))
}

func (m *metrics) requested(route, code string, took time.Duration) {
	m.requestDuration.WithLabelValues(route, code).Observe(took.Seconds())
}

func (m *metrics) appended(took time.Duration) {
	m.appendDuration.Observe(took.Seconds())
}

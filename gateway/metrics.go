package gateway

import (
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"github.com/headwater-data/headwater/eventlog"
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
	turnedAwayTotal *prometheus.CounterVec
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
		turnedAwayTotal: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "headwater_requests_turned_away_total",
			Help: "Requests that were not served, by reason: unauthenticated, forbidden, too_many_requests, no_room, log_busy, log_full, unavailable.",
		}, []string{"reason"}),
	}
	for _, reason := range append(overloads, unserved) {
		m.turnedAwayTotal.WithLabelValues(reason.name) // an alert needs the 0 before the 1
	}
	registry.MustRegister(m.eventsTotal, m.requestDuration, m.appendDuration, m.turnedAwayTotal)
	return m
}

// registerLoad shows how full the gateway is, beside the limits.
func registerLoad(registry prometheus.Registerer, admission *admission, log *eventlog.Log) {
	for _, gauge := range []struct {
		name, help string
		value      func() float64
	}{
		{"headwater_in_flight_requests", "Requests under way.", func() float64 { return float64(admission.now().requests) }},
		{"headwater_in_flight_bytes", "Bytes of bodies held for the requests under way.", func() float64 { return float64(admission.now().bytes) }},
		{"headwater_in_flight_limit_bytes", "Bytes of bodies at which requests are turned away.", func() float64 { return float64(admission.bytes) }},
		{"headwater_log_queue_records", "Events that wait for a commit to the log.", func() float64 { return float64(log.Stats().WaitingRecords) }},
		{"headwater_log_queue_bytes", "Compressed bytes of the events that wait for a commit.", func() float64 { return float64(log.Stats().WaitingBytes) }},
		{"headwater_database_bytes", "Size of the database; 0 until it is first measured.", func() float64 { return float64(log.Stats().DatabaseBytes) }},
		{"headwater_database_limit_bytes", "Size of the database at which events are turned away; 0 means never.", func() float64 { return float64(log.Stats().DatabaseLimit) }},
	} {
		registry.MustRegister(prometheus.NewGaugeFunc(prometheus.GaugeOpts{Name: gauge.name, Help: gauge.help}, gauge.value))
	}
}

func (m *metrics) events(door string, kind policy.PrincipalKind, what outcome, count int) {
	m.eventsTotal.WithLabelValues(door, string(kind), string(what)).Add(float64(count))
}

func (m *metrics) requested(route, code string, took time.Duration) {
	m.requestDuration.WithLabelValues(route, code).Observe(took.Seconds())
}

// turnedAway counts a request by why it was not served; nil means that it was.
func (m *metrics) turnedAway(cause error) {
	if reason := turnedAwayFor(cause); reason != "" {
		m.turnedAwayTotal.WithLabelValues(reason).Inc()
	}
}

func (m *metrics) appended(took time.Duration) {
	m.appendDuration.Observe(took.Seconds())
}

package telemetry

import (
	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
)

// NewRegistry makes a registry of metrics that has those of the Go runtime and of the process.
func NewRegistry() *prometheus.Registry {
	registry := prometheus.NewRegistry()
	registry.MustRegister(
		collectors.NewGoCollector(),
		collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}),
	)
	return registry
}

// RegisterPolicies shows whether the policy set as it stands on disk is out of use, which failure tells: the last good
// one goes on working, so the process stays ready.
func RegisterPolicies(registry prometheus.Registerer, failure func() error) {
	registry.MustRegister(prometheus.NewGaugeFunc(prometheus.GaugeOpts{
		Name: "headwater_policies_failing",
		Help: "1 while the policies as they stand on disk are not in use, because they do not compile or fail their tests.",
	}, func() float64 {
		if failure() != nil {
			return 1
		}
		return 0
	}))
}

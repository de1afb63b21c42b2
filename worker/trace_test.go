package worker_test

import (
	"os"
	"testing"

	"github.com/stretchr/testify/require"
	"go.opentelemetry.io/otel"
	"go.opentelemetry.io/otel/propagation"
	sdktrace "go.opentelemetry.io/otel/sdk/trace"
	"go.temporal.io/sdk/contrib/opentelemetry"
	"go.temporal.io/sdk/interceptor"

	"github.com/headwater-data/headwater/eventlog"
	"github.com/headwater-data/headwater/lineage"
)

// TestMain lets all tests make spans, which nobody collects.
func TestMain(m *testing.M) {
	otel.SetTracerProvider(sdktrace.NewTracerProvider())
	os.Exit(m.Run())
}

func TestTraceGoesOnFromTheRequestToTheDecision(t *testing.T) {
	b := setup(t)
	tracing, err := opentelemetry.NewTracingInterceptor(opentelemetry.TracerOptions{TextMapPropagator: propagation.TraceContext{}})
	require.NoError(t, err)
	b.options.Interceptors = []interceptor.ClientInterceptor{tracing}
	b.start()

	const trace = "4bf92f3577b34da6a3ce929d0e0e4736"
	orders := run("traced")
	b.append(eventlog.Record{
		Producer: "spark", EventID: "traced", Format: lineage.FormatOpenLineage, RunKey: orders.Hash(),
		ContentHash: lineage.HashOf("traced"), TraceParent: "00-" + trace + "-00f067aa0ba902b7-01",
		Payload: []byte(`{"eventType":"COMPLETE","eventTime":"2026-07-19T06:00:00Z","run":{"runId":"traced"},
			"job":{"namespace":"spark-prod","name":"daily_orders"},"outputs":[{"namespace":"warehouse","name":"mart.daily_orders"}],
			"producer":"https://example.com/test"}`),
	})
	b.awaitRun(orders, published)
	require.Contains(t, b.entries()[1].TraceParent, trace)
}

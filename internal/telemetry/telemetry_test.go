package telemetry_test

import (
	"bytes"
	"testing"

	"github.com/stretchr/testify/require"
	"go.opentelemetry.io/otel/propagation"

	"github.com/headwater-data/headwater/internal/telemetry"
)

func TestTraceParentIsThatOfTheRequest(t *testing.T) {
	t.Parallel()
	const traceParent = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"
	request := propagation.TraceContext{}.Extract(t.Context(), propagation.MapCarrier{"traceparent": traceParent})
	require.Equal(t, traceParent, telemetry.TraceParent(request))
}

func TestNoTraceContextIsEmpty(t *testing.T) {
	t.Parallel()
	require.Empty(t, telemetry.TraceParent(t.Context()))
}

func TestLoggerKeepsItsLevel(t *testing.T) {
	t.Parallel()
	var out bytes.Buffer
	logger, err := telemetry.NewLogger(&out, telemetry.LogJSON, "warn")
	require.NoError(t, err)
	logger.Info("quiet")
	logger.Warn("loud")
	require.NotContains(t, out.String(), "quiet")
	require.Contains(t, out.String(), `"msg":"loud"`)
}

func TestLoggerRefusesWhatItDoesNotKnow(t *testing.T) {
	t.Parallel()
	_, err := telemetry.NewLogger(nil, telemetry.LogText, "chatty")
	require.ErrorContains(t, err, "chatty")
	_, err = telemetry.NewLogger(nil, "xml", "info")
	require.ErrorContains(t, err, "xml")
}

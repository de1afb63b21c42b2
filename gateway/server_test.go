package gateway_test

import (
	"bytes"
	"context"
	"errors"
	"net"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"connectrpc.com/connect/v2"
	"connectrpc.com/connect/v2/connecthttp"
	"connectrpc.com/grpcreflect/v2"
	"github.com/stretchr/testify/require"
	"google.golang.org/grpc/health/grpc_health_v1"
	"google.golang.org/protobuf/reflect/protoreflect"

	"github.com/headwater-data/headwater/gateway"
	"github.com/headwater-data/headwater/gen/headwater/v1/headwaterv1connect"
	"github.com/headwater-data/headwater/internal/health"
)

func TestReadyOnlyWhenItsDependenciesAnswer(t *testing.T) {
	t.Parallel()
	var broken atomic.Bool
	b := setup(t, func(c *gateway.Config) {
		c.Checks = []health.Check{{Name: "database", Probe: func(context.Context) error {
			if broken.Load() {
				return errors.New("does not answer at postgres://hunter2")
			}
			return nil
		}}}
	})
	ready := b.send(t, http.MethodGet, "/readyz", nil)
	require.Equal(t, http.StatusOK, ready.Status)
	require.Equal(t, grpc_health_v1.HealthCheckResponse_SERVING, b.health(t, headwaterv1connect.IngestServiceName))

	broken.Store(true)
	unready := b.send(t, http.MethodGet, "/readyz", nil)
	require.Equal(t, http.StatusServiceUnavailable, unready.Status)
	require.Contains(t, unready.Body["checks"].(map[string]any)["database"], "failing")
	require.NotContains(t, unready.Body["checks"].(map[string]any)["database"], "hunter2", "why is for the log alone")
	require.Equal(t, http.StatusOK, b.send(t, http.MethodGet, "/healthz", nil).Status, "it is alive all the same")
	require.Equal(t, grpc_health_v1.HealthCheckResponse_NOT_SERVING, b.health(t, ""))
}

func TestShutdownFinishesWhatIsUnderWay(t *testing.T) {
	t.Parallel()
	b := setup(t)
	lock := b.holdLog(t)
	answered := make(chan string, 1)
	go func() {
		resp, err := http.Post(b.url+singleDoor, "application/json", bytes.NewReader(runEvent("START")))
		if err != nil {
			answered <- err.Error()
			return
		}
		answered <- resp.Status
		_ = resp.Body.Close()
	}()
	waiting := `SELECT count(*) FROM pg_stat_activity WHERE $1 = ANY(pg_blocking_pids(pid))`
	require.Eventually(t, func() bool {
		var count int
		return b.pool.QueryRow(t.Context(), waiting, lock.Conn().PgConn().PID()).Scan(&count) == nil && count > 0
	}, 30*time.Second, 10*time.Millisecond, "the request is being committed")

	b.stop()
	require.Eventually(t, func() bool {
		conn, err := net.Dial("tcp", strings.TrimPrefix(b.url, "http://"))
		if err == nil {
			_ = conn.Close()
		}
		return err != nil
	}, 30*time.Second, 10*time.Millisecond, "no new request is taken")
	require.NoError(t, lock.Rollback(t.Context()))
	require.Equal(t, "201 Created", <-answered)
	require.Len(t, b.entries(t), 1)
}

func TestWhatOperatorsAskNeedsNoCredentials(t *testing.T) {
	t.Parallel()
	b := setup(t, closed)
	for _, path := range []string{"/healthz", "/readyz", "/metrics"} {
		require.Equal(t, http.StatusOK, b.send(t, http.MethodGet, path, nil).Status, path)
	}
}

func TestReflectionNamesTheServices(t *testing.T) {
	t.Parallel()
	b := setup(t, closed)
	stream := grpcreflect.NewClient(connect.NewClient(connecthttp.NewTransport(b.http2, b.url, connecthttp.WithGRPC()))).NewStream(t.Context())
	defer stream.Close()
	services, err := stream.ListServices()
	require.NoError(t, err)
	require.Contains(t, services, protoreflect.FullName(headwaterv1connect.IngestServiceName))
}

// health asks by gRPC's health protocol.
func (b *bundle) health(t *testing.T, service string) grpc_health_v1.HealthCheckResponse_ServingStatus {
	t.Helper()
	client := connect.NewClient(connecthttp.NewTransport(b.http2, b.url, connecthttp.WithGRPC()))
	spec := connect.Spec{StreamType: connect.StreamTypeUnary, Procedure: "/grpc.health.v1.Health/Check"}
	var response grpc_health_v1.HealthCheckResponse
	require.NoError(t, client.CallUnary(t.Context(), spec, &grpc_health_v1.HealthCheckRequest{Service: service}, &response))
	return response.GetStatus()
}

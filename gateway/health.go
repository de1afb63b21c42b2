package gateway

import (
	"context"
	"strings"
	"time"

	"connectrpc.com/connect/v2"
	"google.golang.org/grpc/health/grpc_health_v1"

	"github.com/headwater-data/headwater/internal/health"
)

// The procedures of gRPC's health protocol.
const (
	healthService = "grpc.health.v1.Health"
	healthCheck   = "/" + healthService + "/Check"
	healthWatch   = "/" + healthService + "/Watch"
)

// registerHealth serves gRPC's health protocol, which Connect has no package for in this version. Every service is
// serving when the gateway is ready.
func registerHealth(server *connect.Server, ready *health.Readiness) {
	methods := grpc_health_v1.File_grpc_health_v1_health_proto.Services().ByName("Health").Methods()
	handler := healthHandler{ready: ready, services: map[string]bool{"": true}}
	for spec := range server.Specs() {
		handler.services[serviceOf(spec.Procedure)] = true
	}
	server.Register(
		connect.Method{
			Spec:    connect.Spec{StreamType: connect.StreamTypeUnary, Schema: methods.ByName("Check"), Procedure: healthCheck},
			Handler: handler.check,
		},
		connect.Method{
			Spec:    connect.Spec{StreamType: connect.StreamTypeServer, Schema: methods.ByName("Watch"), Procedure: healthWatch},
			Handler: handler.watch,
		},
	)
}

type healthHandler struct {
	ready    *health.Readiness
	services map[string]bool
}

func (h healthHandler) check(ctx context.Context, _ connect.Spec, stream connect.ServerStream) error {
	var req grpc_health_v1.HealthCheckRequest
	if err := stream.Receive(&req); err != nil {
		return err
	}
	if !h.services[req.GetService()] {
		return connect.Errorf(connect.CodeNotFound, "no service %q is served here", req.GetService())
	}
	return stream.Send(&grpc_health_v1.HealthCheckResponse{Status: h.status(ctx)})
}

// watchInterval is how often a watch asks anew.
const watchInterval = 2 * time.Second

// watch sends the status, and again each time that it changes, until the caller leaves or the gateway ends.
func (h healthHandler) watch(ctx context.Context, _ connect.Spec, stream connect.ServerStream) error {
	var req grpc_health_v1.HealthCheckRequest
	if err := stream.Receive(&req); err != nil {
		return err
	}
	ticker := time.NewTicker(watchInterval)
	defer ticker.Stop()
	for sent := grpc_health_v1.HealthCheckResponse_UNKNOWN; ; {
		status := grpc_health_v1.HealthCheckResponse_SERVICE_UNKNOWN
		if h.services[req.GetService()] {
			status = h.status(ctx)
		}
		if status != sent {
			if err := stream.Send(&grpc_health_v1.HealthCheckResponse{Status: status}); err != nil {
				return err
			}
			sent = status
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-h.ready.Ending():
			return connect.NewError(connect.CodeUnavailable, "the server is shutting down")
		case <-ticker.C:
		}
	}
}

func (h healthHandler) status(ctx context.Context) grpc_health_v1.HealthCheckResponse_ServingStatus {
	if h.ready.Ask(ctx).Ready {
		return grpc_health_v1.HealthCheckResponse_SERVING
	}
	return grpc_health_v1.HealthCheckResponse_NOT_SERVING
}

// serviceOf is the service in /package.Service/Method.
func serviceOf(procedure string) string {
	service, _, _ := strings.Cut(strings.TrimPrefix(procedure, "/"), "/")
	return service
}

package gateway

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"time"

	"connectrpc.com/connect/v2"
	"connectrpc.com/connect/v2/connecthttp"
	"connectrpc.com/connect/v2/connectproto"
	"connectrpc.com/grpcreflect/v2"
	"connectrpc.com/otelconnect"
	"connectrpc.com/validate"
	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/promhttp"
	"go.opentelemetry.io/contrib/instrumentation/net/http/otelhttp"

	"github.com/headwater-data/headwater/archive"
	"github.com/headwater-data/headwater/eventlog"
	"github.com/headwater-data/headwater/gateway/principal"
	"github.com/headwater-data/headwater/gen/headwater/v1/headwaterv1connect"
	"github.com/headwater-data/headwater/internal/health"
	"github.com/headwater-data/headwater/internal/telemetry"
	"github.com/headwater-data/headwater/policy"
	"github.com/headwater-data/headwater/projection"
)

// Config is what a gateway stands on. All but Archive, Dev and Checks must be given.
type Config struct {
	Log *eventlog.Log
	// Archive, where given, is read for events that the log does not hold any more.
	Archive     *archive.Finder
	Quarantine  *eventlog.Quarantine
	Projections *projection.Store
	Policy      *policy.Engine
	Principals  *principal.Store
	Limits      Limits
	// IDKey is the secret behind the node ids in answers. Gateways that serve the same callers need the same one.
	IDKey []byte
	// Checks are what /readyz asks.
	Checks  []health.Check
	Logger  *slog.Logger
	Metrics *prometheus.Registry
	// Dev lets a caller without credentials act as the principal dev. Never set it where others can reach the server.
	Dev bool
}

// Server serves the doors, the services and what operators ask of a process.
type Server struct {
	config  Config
	ready   *health.Readiness
	handler http.Handler
}

// shutdownTime is how long requests that are under way may take to end when the gateway does.
const shutdownTime = 30 * time.Second

// headerTime is how long a connection may take to send the headers of a request.
const headerTime = 10 * time.Second

// New puts a gateway together. It serves nothing yet.
func New(config Config) (*Server, error) {
	s := &Server{config: config, ready: health.NewReadiness(config.Logger, config.Checks...)}
	tracing, err := otelconnect.NewServerInterceptor(otelconnect.WithTrustRemote(), otelconnect.WithoutMetrics())
	if err != nil {
		return nil, fmt.Errorf("set up tracing of RPCs: %w", err)
	}
	admission := newAdmission(config.Limits)
	observer := &observer{metrics: newMetrics(config.Metrics), logger: config.Logger}
	registerLoad(config.Metrics, admission, config.Log)
	telemetry.RegisterPolicies(config.Metrics, config.Policy.Failure)
	guard := &guard{
		authenticator: newAuthenticator(config.Principals, config.Dev),
		admission:     admission,
		permissions:   newPermissions(config.Policy),
	}
	intake := &intake{
		log:        config.Log,
		quarantine: config.Quarantine,
		limits:     config.Limits,
		metrics:    observer.metrics,
		logger:     config.Logger,
	}

	mux := http.NewServeMux()
	rpc := connect.NewServer(observer.intercept, tracing, guard.intercept, validate.NewServerInterceptor())
	headwaterv1connect.RegisterIngestServiceHandler(rpc, &ingestService{intake: intake, events: newEventReader(config)})
	headwaterv1connect.RegisterLineageServiceHandler(rpc, &lineageService{
		projections: config.Projections, policy: config.Policy, ids: config.IDKey,
	})
	headwaterv1connect.RegisterRunServiceHandler(rpc, &runService{projections: config.Projections, policy: config.Policy})
	headwaterv1connect.RegisterAdminServiceHandler(rpc, &adminService{
		nameService: nameService{projections: config.Projections, policy: config.Policy}, intake: intake,
	})
	headwaterv1connect.RegisterDeclarationServiceHandler(rpc, &declarationService{intake: intake, projections: config.Projections})
	headwaterv1connect.RegisterProjectionServiceHandler(rpc, &projectionService{projections: config.Projections})
	registerHealth(rpc, s.ready)
	grpcreflect.Register(rpc)
	connecthttp.Mount(meteredRPCs{mux, admission, config.Limits}, rpc,
		connecthttp.WithCodecs(connectproto.NewBinaryCodec(), newJSONCodec()), boundedMessages(config.Limits))

	door := &openLineageDoor{intake: intake, limits: config.Limits}
	for _, route := range []struct {
		pattern, procedure string
		take               http.HandlerFunc
	}{
		{"POST /{$}", "POST /", door.takeEvent},
		{"POST /api/v1/lineage", "POST /api/v1/lineage", door.takeEvent},
		{"POST /api/v1/lineage/{$}", "POST /api/v1/lineage", door.takeEvent},
		{"POST /api/v1/lineage/batch", "POST /api/v1/lineage/batch", door.takeBatch},
		{"POST /api/v1/lineage/batch/{$}", "POST /api/v1/lineage/batch", door.takeBatch},
	} {
		handler := otelhttp.NewHandler(guard.door(route.procedure, route.take), route.procedure)
		mux.Handle(route.pattern, observer.door(route.procedure, admission.metered(nothing, handler)))
	}

	mux.HandleFunc("GET /{$}", serveGreeting)
	mux.HandleFunc("GET /healthz", health.ServeAlive)
	mux.Handle("GET /readyz", s.ready)
	mux.Handle("GET /metrics", promhttp.HandlerFor(config.Metrics, promhttp.HandlerOpts{}))
	s.handler = withoutSmuggling(withoutRedirects(mux))
	return s, nil
}

// Handler serves everything, for a test or for a server of the caller's own.
func (s *Server) Handler() http.Handler { return s.handler }

// Run serves HTTP/1.1 and HTTP/2, both without TLS, until ctx ends. Then it takes no new requests, finishes those
// under way and returns nil; the log must go on committing until then.
func (s *Server) Run(ctx context.Context, listener net.Listener) error {
	protocols := new(http.Protocols)
	protocols.SetHTTP1(true)
	protocols.SetUnencryptedHTTP2(true)
	server := &http.Server{
		Handler:           s.handler,
		Protocols:         protocols,
		ReadHeaderTimeout: min(headerTime, s.config.Limits.ReadTime),
		ReadTimeout:       s.config.Limits.ReadTime,
		WriteTimeout:      s.config.Limits.WriteTime,
		IdleTimeout:       s.config.Limits.IdleTime,
		MaxHeaderBytes:    s.config.Limits.HeaderBytes,
		ErrorLog:          slog.NewLogLogger(s.config.Logger.Handler(), slog.LevelDebug),
	}
	ended := make(chan error, 1)
	go func() { ended <- server.Serve(listener) }()
	select {
	case err := <-ended:
		return fmt.Errorf("serve on %s: %w", listener.Addr(), err)
	case <-ctx.Done():
	}
	s.ready.End()
	grace, cancel := context.WithTimeout(context.WithoutCancel(ctx), shutdownTime)
	defer cancel()
	if err := server.Shutdown(grace); err != nil {
		return errors.Join(fmt.Errorf("requests were still under way after %s: %w", shutdownTime, err), server.Close())
	}
	return nil
}

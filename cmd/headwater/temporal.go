package main

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"log/slog"

	"go.opentelemetry.io/otel/propagation"
	"go.temporal.io/sdk/client"
	"go.temporal.io/sdk/contrib/opentelemetry"
	"go.temporal.io/sdk/interceptor"
	"go.temporal.io/sdk/log"
)

// temporalFlags are embedded by every command that works with Temporal.
type temporalFlags struct {
	TemporalAddress    string `default:"127.0.0.1:7233" placeholder:"ADDRESS" help:"Host and port of Temporal's frontend; ${default} unless set."`
	TemporalNamespace  string `default:"default" placeholder:"NAME" help:"Temporal namespace of Headwater's workflows; ${default} unless set."`
	TemporalTLS        bool   `help:"Speak TLS with Temporal."`
	TemporalClientCert string `type:"existingfile" placeholder:"FILE" help:"PEM certificate that Temporal asks clients for, if it does."`
	TemporalClientKey  string `type:"existingfile" placeholder:"FILE" help:"PEM key of that certificate."`
}

// validate names all settings that are wrong.
func (f temporalFlags) validate() error {
	var errs []error
	if (f.TemporalClientCert == "") != (f.TemporalClientKey == "") {
		errs = append(errs, errors.New("--temporal-client-cert and --temporal-client-key go together"))
	}
	if f.TemporalClientCert != "" && !f.TemporalTLS {
		errs = append(errs, errors.New("--temporal-client-cert needs --temporal-tls"))
	}
	return errors.Join(errs...)
}

// options describe the connection; nothing is connected yet. Traces go on from the caller to the workflow.
func (f temporalFlags) options(logger *slog.Logger) (client.Options, error) {
	tracing, err := opentelemetry.NewTracingInterceptor(opentelemetry.TracerOptions{
		TextMapPropagator: propagation.TraceContext{},
	})
	if err != nil {
		return client.Options{}, fmt.Errorf("trace Temporal: %w", err)
	}
	options := client.Options{
		HostPort:     f.TemporalAddress,
		Namespace:    f.TemporalNamespace,
		Logger:       log.NewStructuredLogger(logger),
		Interceptors: []interceptor.ClientInterceptor{tracing},
	}
	if !f.TemporalTLS {
		return options, nil
	}
	options.ConnectionOptions.TLS = &tls.Config{MinVersion: tls.VersionTLS12}
	if f.TemporalClientCert != "" {
		certificate, err := tls.LoadX509KeyPair(f.TemporalClientCert, f.TemporalClientKey)
		if err != nil {
			return client.Options{}, fmt.Errorf("--temporal-client-cert: %w", err)
		}
		options.ConnectionOptions.TLS.Certificates = []tls.Certificate{certificate}
	}
	return options, nil
}

// dial connects for a command that ends soon. The caller closes the client.
func (f temporalFlags) dial(ctx context.Context) (client.Client, error) {
	options, err := f.options(slog.New(slog.DiscardHandler))
	if err != nil {
		return nil, err
	}
	connected, err := client.DialContext(ctx, options)
	if err != nil {
		return nil, fmt.Errorf("no Temporal answers at %s, which --temporal-address changes: %w", f.TemporalAddress, err)
	}
	return connected, nil
}

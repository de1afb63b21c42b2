package system

import (
	"net/http"
	"time"

	"connectrpc.com/connect/v2"
	"connectrpc.com/connect/v2/connecthttp"

	"github.com/headwater-data/headwater/gen/headwater/v1/headwaterv1connect"
)

// callTimeout is how long a caller waits for an answer; OpenLineage clients give up after half of it.
const callTimeout = 10 * time.Second

// Caller is someone with a token.
type Caller struct {
	URL, Token string
	// HTTP sends the token with every request.
	HTTP *http.Client

	Ingest      headwaterv1connect.IngestServiceClient
	Lineage     headwaterv1connect.LineageServiceClient
	Runs        headwaterv1connect.RunServiceClient
	Projections headwaterv1connect.ProjectionServiceClient
	Admin       headwaterv1connect.AdminServiceClient
}

// NewCaller calls the gateway at url with a token, or without one where it is empty.
func NewCaller(url, token string) *Caller {
	client := &http.Client{Transport: bearer(token), Timeout: callTimeout}
	rpc := connect.NewClient(connecthttp.NewTransport(client, url))
	return &Caller{
		URL: url, Token: token, HTTP: client,
		Ingest:      headwaterv1connect.NewIngestServiceClient(rpc),
		Lineage:     headwaterv1connect.NewLineageServiceClient(rpc),
		Runs:        headwaterv1connect.NewRunServiceClient(rpc),
		Projections: headwaterv1connect.NewProjectionServiceClient(rpc),
		Admin:       headwaterv1connect.NewAdminServiceClient(rpc),
	}
}

// bearer is a token that goes with every request.
type bearer string

// RoundTrip implements http.RoundTripper.
func (b bearer) RoundTrip(request *http.Request) (*http.Response, error) {
	if b != "" {
		request = request.Clone(request.Context())
		request.Header.Set("Authorization", "Bearer "+string(b))
	}
	return transport.RoundTrip(request)
}

// transport keeps as many connections as callers have requests under way.
var transport = func() http.RoundTripper {
	pooled := http.DefaultTransport.(*http.Transport).Clone()
	pooled.MaxIdleConns, pooled.MaxIdleConnsPerHost = 0, 400
	return pooled
}()

package gateway

import (
	"net/http"
	"strings"

	"connectrpc.com/connect/v2"
	"connectrpc.com/connect/v2/connecthttp"

	"github.com/headwater-data/headwater/gen/headwater/v1/headwaterv1connect"
)

// questionBytes bounds a message of every service that takes nothing in; no question needs as much.
const questionBytes = 1 << 20

// messageBytes bounds one message of a procedure, as sent and inflated.
func messageBytes(procedure string, limits Limits) int64 {
	for _, service := range []string{
		headwaterv1connect.IngestServiceName, headwaterv1connect.AdminServiceName, headwaterv1connect.DeclarationServiceName,
	} {
		if strings.HasPrefix(procedure, "/"+service+"/") {
			return limits.BodyBytes
		}
	}
	return min(questionBytes, limits.BodyBytes)
}

// boundedMessages is messageBytes as Connect takes it.
func boundedMessages(limits Limits) connecthttp.Option {
	return connecthttp.WithConditionalOptions(func(spec connect.Spec) []connecthttp.Option {
		return []connecthttp.Option{connecthttp.WithReadMaxBytes(int(messageBytes(spec.Procedure, limits)))}
	})
}

// meteredRPCs registers RPCs with the bytes of their bodies counted. Connect inflates a message out of our sight, so a
// compressed one counts from its first byte as the most that it may become.
type meteredRPCs struct {
	mux       *http.ServeMux
	admission *admission
	limits    Limits
}

// Handle implements connecthttp.ServeMux.
func (m meteredRPCs) Handle(pattern string, handler http.Handler) {
	inflated := func(r *http.Request) int64 {
		if isCompressed(r.Header) {
			return messageBytes(pattern, m.limits)
		}
		return 0
	}
	m.mux.Handle(pattern, m.admission.metered(inflated, handler))
}

// isCompressed reports whether messages are compressed: as a whole, or each in an envelope of Connect's or gRPC's.
func isCompressed(header http.Header) bool {
	for _, name := range []string{"Content-Encoding", "Connect-Content-Encoding", "Grpc-Encoding"} {
		if encoding := header.Get(name); encoding != "" && encoding != "identity" {
			return true
		}
	}
	return false
}

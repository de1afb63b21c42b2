package gateway

import (
	"io"
	"net/http"

	"github.com/headwater-data/headwater/internal/buildinfo"
)

// greeting is for a person, or a client set up by hand, who opens the address itself: what this is and where to go on. It
// stands open to all, so that it tells nothing that the documents do not.
const greeting = `
  POST /api/v1/lineage          send one OpenLineage event; POST / takes it too
  POST /api/v1/lineage/batch    send an array of them
  POST /headwater.v1.…/…        ask and state: gRPC, gRPC-Web, Connect, or plain JSON; reflection lists all services
  GET  /healthz, /readyz        whether it lives, and whether it can serve
  GET  /metrics                 figures for Prometheus

Send a token as "Authorization: Bearer <token>". At the command line: headwater --help
https://github.com/headwater-data/headwater/blob/main/docs/api.md explains all of it.
`

// serveGreeting answers GET /.
func serveGreeting(w http.ResponseWriter, _ *http.Request) {
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	w.Header().Set("X-Content-Type-Options", "nosniff")
	_, _ = io.WriteString(w, buildinfo.Read().String()+"\n"+greeting) // a caller that left reads no answer
}

package gateway

import "net/http"

// withoutSmuggling closes an HTTP/1 connection after a chunked request. One that has a Content-Length as well can end
// elsewhere for a proxy before us than it does for net/http, which drops the length and does not tell; what follows
// would be taken for the request of another caller. No client needs to send a body in chunks on a connection that stays.
func withoutSmuggling(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.ProtoMajor == 1 && len(r.TransferEncoding) > 0 {
			w.Header().Set("Connection", "close")
		}
		next.ServeHTTP(w, r)
	})
}

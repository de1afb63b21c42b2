package gateway

import (
	"net/http"
	"path"
	"strings"
)

// withoutRedirects cleans doubled slashes out of a path before the mux sees it. The mux would redirect, and clients
// that append their path to a base URL with a slash at its end do not follow a redirect with their body.
func withoutRedirects(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if strings.Contains(r.URL.Path, "//") {
			trailing := strings.HasSuffix(r.URL.Path, "/")
			r = r.Clone(r.Context())
			r.URL.Path, r.URL.RawPath = path.Clean(r.URL.Path), ""
			if trailing && r.URL.Path != "/" {
				r.URL.Path += "/"
			}
		}
		next.ServeHTTP(w, r)
	})
}

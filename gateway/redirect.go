package gateway

import (
	"net/http"
	"path"
	"strings"
)

// withoutRedirects cleans doubled slashes and dots out of a path before the mux sees it. The mux would redirect, and
// clients that append their path to a base URL with a slash at its end do not follow a redirect with their body.
func withoutRedirects(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		cleaned := path.Clean("/" + r.URL.Path)
		if strings.HasSuffix(r.URL.Path, "/") && cleaned != "/" {
			cleaned += "/"
		}
		if cleaned != r.URL.Path {
			r = r.Clone(r.Context())
			r.URL.Path, r.URL.RawPath = cleaned, ""
		}
		next.ServeHTTP(w, r)
	})
}

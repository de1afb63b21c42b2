// Package policies holds the default policy set, so that the binary answers without any file beside it.
package policies

import "embed"

// Files is the default set: modules, their tests, data and input schemas.
//
//go:embed *.rego data.json schemas/*.json
var Files embed.FS

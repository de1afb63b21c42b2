// Package principal keeps who may call Headwater: producers that send events and users that ask questions.
package principal

import (
	"strings"
	"time"

	"github.com/headwater-data/headwater/policy"
)

// RevocationDelay is how long a looked-up token may be believed, and so the longest that a revoked one still works.
const RevocationDelay = 5 * time.Second

// Registration is a principal as it is kept.
type Registration struct {
	policy.Principal
	CreatedAt time.Time
	// RevokedAt is zero while the principal's token is good.
	RevokedAt time.Time
}

// MayWrite reports whether events about a namespace are within the caller's scope. Only producers have one: for the
// others policy alone decides.
func MayWrite(caller policy.Principal, namespace string) bool {
	if caller.Kind != policy.Producer {
		return true
	}
	for _, scope := range caller.Namespaces {
		prefix, open := strings.CutSuffix(scope, "*")
		if scope == namespace || open && strings.HasPrefix(namespace, prefix) {
			return true
		}
	}
	return false
}

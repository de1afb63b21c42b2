package gateway

import (
	"context"
	"errors"
	"strings"
	"sync"
	"time"

	"github.com/headwater-data/headwater/gateway/principal"
	"github.com/headwater-data/headwater/policy"
)

// tokenCacheSize bounds the cache; a full one is emptied, which costs each live token one look-up.
const tokenCacheSize = 10_000

// errUnauthenticated means that the credentials are missing, malformed or of nobody.
var errUnauthenticated = errors.New("unauthenticated")

// authenticator tells who calls.
type authenticator struct {
	principals *principal.Store
	// dev lets a caller without credentials pass as the principal dev.
	dev bool

	mu    sync.Mutex
	known map[principal.Digest]knownToken
}

// knownToken is what a look-up found: a principal, or principal.ErrNotFound.
type knownToken struct {
	caller policy.Principal
	err    error
	until  time.Time
}

func newAuthenticator(principals *principal.Store, dev bool) *authenticator {
	return &authenticator{principals: principals, dev: dev, known: map[principal.Digest]knownToken{}}
}

// authenticate reads the value of an Authorization header. The error is errUnauthenticated, or another one where it
// could not be found out.
func (a *authenticator) authenticate(ctx context.Context, authorization string) (policy.Principal, error) {
	if authorization == "" && a.dev {
		return policy.Principal{Name: "dev", Kind: policy.Dev}, nil
	}
	scheme, token, found := strings.Cut(authorization, " ")
	if !found || !strings.EqualFold(scheme, "Bearer") {
		return policy.Principal{}, errUnauthenticated
	}
	caller, err := a.byToken(ctx, principal.Token(strings.TrimSpace(token)).Digest())
	if errors.Is(err, principal.ErrNotFound) {
		return policy.Principal{}, errUnauthenticated
	}
	return caller, err
}

func (a *authenticator) byToken(ctx context.Context, digest principal.Digest) (policy.Principal, error) {
	now := time.Now()
	a.mu.Lock()
	known, ok := a.known[digest]
	a.mu.Unlock()
	if ok && now.Before(known.until) {
		return known.caller, known.err
	}
	caller, err := a.principals.ByToken(ctx, digest)
	if err != nil && !errors.Is(err, principal.ErrNotFound) {
		return policy.Principal{}, err
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	if len(a.known) >= tokenCacheSize {
		clear(a.known)
	}
	a.known[digest] = knownToken{caller: caller, err: err, until: now.Add(principal.RevocationDelay)}
	return caller, err
}

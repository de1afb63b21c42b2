package gateway

import (
	"context"
	"strings"
	"sync"
	"time"

	"github.com/headwater-data/headwater/gateway/principal"
	"github.com/headwater-data/headwater/policy"
)

// permissionCacheSize bounds the cache; a full one is emptied, which costs each caller one question to policy.
const permissionCacheSize = 10_000

// permissions asks policy who may call what, and remembers the answers for as long as a token may: asking takes longer
// than most of what an event needs. Changed policies, or a caller with other rights, are asked about at once.
type permissions struct {
	policy *policy.Engine

	mu    sync.Mutex
	known map[string]permission
}

type permission struct {
	decision policy.Decision
	until    time.Time
}

func newPermissions(engine *policy.Engine) *permissions {
	return &permissions{policy: engine, known: map[string]permission{}}
}

// authorize is policy's answer, at most principal.RevocationDelay old. Errors are not remembered.
func (p *permissions) authorize(ctx context.Context, caller policy.Principal, procedure string) (policy.Decision, error) {
	key := permissionKey(p.policy.Revision(), caller, procedure)
	now := time.Now()
	p.mu.Lock()
	known, ok := p.known[key]
	p.mu.Unlock()
	if ok && now.Before(known.until) {
		return known.decision, nil
	}
	decision, err := p.policy.Authorize(ctx, caller, procedure)
	if err != nil {
		return decision, err
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if len(p.known) >= permissionCacheSize {
		clear(p.known)
	}
	p.known[key] = permission{decision, now.Add(principal.RevocationDelay)}
	return decision, nil
}

// permissionKey holds all that policy is told. No part of it can hold the character between them.
func permissionKey(revision string, caller policy.Principal, procedure string) string {
	const list, end = "\x00", "\x00\x00"
	return strings.Join([]string{
		revision, caller.Name, string(caller.Kind), strings.Join(caller.Roles, list), strings.Join(caller.Namespaces, list), procedure,
	}, end)
}

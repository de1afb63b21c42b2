package policy

import "context"

// PrincipalKind tells what a principal is for.
type PrincipalKind string

// The kinds of principal.
const (
	Producer PrincipalKind = "producer" // sends events
	User     PrincipalKind = "user"     // asks questions
	Dev      PrincipalKind = "dev"      // whoever calls a development system without credentials
)

// Principal is an authenticated caller.
type Principal struct {
	Name  string
	Kind  PrincipalKind
	Roles []string
	// Namespaces are those that a producer may write: exact, or a prefix ending in *.
	Namespaces []string
}

func (p Principal) input() map[string]any {
	return map[string]any{
		"name":       p.Name,
		"kind":       string(p.Kind),
		"roles":      list(p.Roles),
		"namespaces": list(p.Namespaces),
	}
}

// list is never null, whatever is nil.
func list(names []string) []any {
	values := make([]any, len(names))
	for i, name := range names {
		values[i] = name
	}
	return values
}

// Decision is whether a call is allowed. The zero Decision refuses.
type Decision struct {
	Allow bool
	// Reason may be shown to the caller.
	Reason string
}

// Authorize decides whether the principal may call a procedure. That is a Connect procedure
// ("/headwater.v1.RunService/GetRun") or, for a route without one, its method and path ("POST /api/v1/lineage").
// With an error the Decision refuses.
func (e *Engine) Authorize(ctx context.Context, principal Principal, procedure string) (Decision, error) {
	answer, err := e.inUse.Load().ask(ctx, authzDecision, map[string]any{
		"principal": principal.input(),
		"procedure": procedure,
	})
	if err != nil {
		return Decision{}, err
	}
	decision, _ := answer.(map[string]any)
	allow, decided := decision["allow"].(bool)
	reason, explained := decision["reason"].(string)
	if !decided || !explained {
		return Decision{}, unusable(authzDecision, answer, "an object of allow and reason")
	}
	return Decision{Allow: allow, Reason: reason}, nil
}

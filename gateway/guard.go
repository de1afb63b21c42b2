package gateway

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"

	"connectrpc.com/connect/v2"

	"github.com/headwater-data/headwater/policy"
)

// guard stands before every door and service: it knows the caller, asks policy and bounds what is under way.
type guard struct {
	authenticator *authenticator
	admission     *admission
	permissions   *permissions
}

// errForbidden means that policy does not let the caller do it; the text is policy's reason.
type errForbidden struct{ reason string }

func (e errForbidden) Error() string { return e.reason }

// enter lets a caller in to a procedure (/package.Service/Method, or METHOD /path) and says who it is. leave must be
// called when the request is over. The error is errUnauthenticated, errForbidden, errTooMuchInFlight, or another one
// where it could not be found out.
func (g *guard) enter(ctx context.Context, authorization, procedure string) (caller policy.Principal, leave func(), err error) {
	caller, err = g.authenticator.authenticate(ctx, authorization)
	if err != nil {
		return caller, nil, err
	}
	decision, err := g.permissions.authorize(ctx, caller, procedure)
	if err != nil {
		return caller, nil, fmt.Errorf("ask whether %q may call %s: %w", caller.Name, procedure, err)
	}
	if !decision.Allow {
		return caller, nil, errForbidden{decision.Reason}
	}
	if m, metered := meterOf(ctx); metered {
		m.caller = caller.Name
	}
	leave, err = g.admission.admit(caller.Name)
	return caller, leave, err
}

// door puts the guard before an HTTP route.
func (g *guard) door(procedure string, next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		caller, leave, err := g.enter(r.Context(), r.Header.Get("Authorization"), procedure)
		if err != nil {
			answerTurnedAway(w, r, err)
			return
		}
		defer leave()
		next.ServeHTTP(w, r.WithContext(withCaller(r.Context(), caller)))
	})
}

// intercept puts the guard before an RPC, ahead of any work on its payload. Health and reflection are open to all.
func (g *guard) intercept(next connect.ServerFunc) connect.ServerFunc {
	return func(ctx context.Context, spec connect.Spec, stream connect.ServerStream) error {
		if strings.HasPrefix(spec.Procedure, "/grpc.") {
			return next(ctx, spec, stream)
		}
		call, _ := connect.CallInfoForServerContext(ctx)
		caller, leave, err := g.enter(ctx, call.RequestHeader().Get("Authorization"), spec.Procedure)
		if err != nil {
			return turnedAway(err)
		}
		defer leave()
		return next(withCaller(ctx, caller), spec, stream)
	}
}

func turnedAway(err error) error {
	forbidden, isForbidden := errors.AsType[errForbidden](err)
	switch {
	case errors.Is(err, errUnauthenticated):
		return connect.NewError(connect.CodeUnauthenticated, unauthenticatedReason).WithCause(err)
	case isForbidden:
		return connect.NewError(connect.CodePermissionDenied, forbidden.reason).WithCause(err)
	default:
		return unavailable(err)
	}
}

// unauthenticatedReason is what a caller reads who is turned away for having no token.
const unauthenticatedReason = "send a token as Authorization: Bearer <token>; an operator makes one with headwater producer add or headwater user add"

type callerKey struct{}

func withCaller(ctx context.Context, caller policy.Principal) context.Context {
	return context.WithValue(ctx, callerKey{}, caller)
}

// callerOf is who the guard let in. Behind the guard there always is one.
func callerOf(ctx context.Context) policy.Principal {
	caller, _ := ctx.Value(callerKey{}).(policy.Principal)
	return caller
}

package gateway

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"runtime/debug"
	"strconv"
	"time"

	"connectrpc.com/connect/v2"
	"github.com/felixge/httpsnoop"
)

// observer times and logs requests. It logs neither bodies nor headers.
type observer struct {
	metrics *metrics
	logger  *slog.Logger
}

// door observes an HTTP route. A panic is answered 500, where nothing was answered yet, and logged.
func (o *observer) door(route string, next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		ctx, failed := withFailure(r.Context())
		served := httpsnoop.CaptureMetrics(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			defer func() {
				if reason := recover(); reason != nil {
					noteFailure(r.Context(), panicked(reason))
					answer(w, http.StatusInternalServerError, refusedAnswer{Code: "internal", Reason: "a bug; the log of the server has more"})
				}
			}()
			next.ServeHTTP(w, r)
		}), w, r.WithContext(ctx))
		o.metrics.requested(route, strconv.Itoa(served.Code), served.Duration)
		o.metrics.turnedAway(failed.cause)
		o.log(ctx, route, strconv.Itoa(served.Code), served.Duration, unexpected(failed.cause))
	})
}

// intercept observes RPCs, as the outermost interceptor.
func (o *observer) intercept(next connect.ServerFunc) connect.ServerFunc {
	return func(ctx context.Context, spec connect.Spec, stream connect.ServerStream) (err error) {
		began := time.Now()
		defer func() {
			if reason := recover(); reason != nil {
				err = connect.NewError(connect.CodeInternal, "a bug; the log of the server has more").WithCause(panicked(reason))
			}
			code := "ok"
			if err != nil {
				code = connect.CodeOf(err).String()
			}
			o.metrics.requested(spec.Procedure, code, time.Since(began))
			o.putOff(ctx, err)
			o.log(ctx, spec.Procedure, code, time.Since(began), causeOf(err))
		}()
		return next(ctx, spec, stream)
	}
}

// putOff counts an RPC that was not served, and tells the caller when to try again.
func (o *observer) putOff(ctx context.Context, err error) {
	switch connect.CodeOf(err) {
	case connect.CodeUnauthenticated, connect.CodePermissionDenied:
		o.metrics.turnedAway(err)
	case connect.CodeUnavailable, connect.CodeResourceExhausted:
		if connect.CodeOf(err) == connect.CodeResourceExhausted && !isOverload(err) {
			return // a message over its limit, which no waiting makes smaller
		}
		o.metrics.turnedAway(err)
		if call, ok := connect.CallInfoForServerContext(ctx); ok {
			call.ResponseHeader().Set("Retry-After", overloadOf(err).retryAfter)
		}
	default:
	}
}

// log tells of failures loudly and of the rest only where debugging asks for it: events have a line of their own.
func (o *observer) log(ctx context.Context, route, code string, took time.Duration, cause error) {
	attrs := []slog.Attr{slog.String("route", route), slog.String("code", code), slog.Duration("took", took)}
	level := slog.LevelDebug
	if cause != nil {
		level = slog.LevelError
		attrs = append(attrs, slog.String("error", cause.Error()))
	}
	o.logger.LogAttrs(ctx, level, "request", attrs...)
}

// causeOf is what the operator has to know of an error that the caller was told little of, or nil.
func causeOf(err error) error {
	if err == nil {
		return nil
	}
	switch connect.CodeOf(err) {
	case connect.CodeInternal, connect.CodeUnavailable, connect.CodeUnknown, connect.CodeDataLoss:
	default:
		return nil
	}
	if failed, ok := errors.AsType[*connect.Error](err); ok && failed.Unwrap() != nil {
		err = failed.Unwrap()
	}
	return unexpected(err)
}

// unexpected is a cause that an operator should see, or nil. What turns callers away by the thousand is counted.
func unexpected(cause error) error {
	if turnedAwayFor(cause) == unserved.name {
		return cause
	}
	return nil
}

func panicked(reason any) error { return fmt.Errorf("panic: %v\n%s", reason, debug.Stack()) }

// failure carries the cause of a failed request from where it is answered to where it is logged.
type failure struct{ cause error }

type failureKey struct{}

func withFailure(ctx context.Context) (context.Context, *failure) {
	failed := &failure{}
	return context.WithValue(ctx, failureKey{}, failed), failed
}

func noteFailure(ctx context.Context, cause error) {
	if failed, ok := ctx.Value(failureKey{}).(*failure); ok {
		failed.cause = cause
	}
}

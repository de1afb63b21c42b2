package gateway

import (
	"errors"
	"net/http"

	"connectrpc.com/connect/v2"

	"github.com/headwater-data/headwater/eventlog"
)

// overload is why a caller is asked to send the same again later, though nothing is wrong with it.
type overload struct {
	cause error
	// name is the code of the answer, and the reason that metrics count.
	name   string
	status int
	code   connect.Code
	// retryAfter is when to send again, in seconds, as the Retry-After header has it.
	retryAfter string
	// reason is what the caller reads.
	reason string
}

var overloads = []overload{
	{
		errTooMuchInFlight, "too_many_requests", http.StatusTooManyRequests, connect.CodeResourceExhausted, "1",
		"too many of your requests are under way; wait for their answers and send this one again",
	},
	{
		errNoRoom, "no_room", http.StatusServiceUnavailable, connect.CodeUnavailable, "1",
		"the requests of all callers fill the memory that they may take; send this one again later",
	},
	{
		eventlog.ErrBusy, "log_busy", http.StatusServiceUnavailable, connect.CodeUnavailable, "1",
		"more events wait for the log than it can take; send this one again later",
	},
	{
		eventlog.ErrFull, "log_full", http.StatusServiceUnavailable, connect.CodeUnavailable, "30",
		"the disk of the event log has reached its limit, and an operator must make room; send this one again later",
	},
}

// unserved is what any other cause comes to.
var unserved = overload{
	nil, "unavailable", http.StatusServiceUnavailable, connect.CodeUnavailable, "1", "cannot be served right now; send it again later",
}

// overloadOf says what a caller is told of a cause.
func overloadOf(cause error) overload {
	for _, known := range overloads {
		if errors.Is(cause, known.cause) {
			return known
		}
	}
	return unserved
}

// isOverload reports whether the gateway refuses in order not to fall over, rather than that something is broken.
func isOverload(err error) bool { return err != nil && overloadOf(err) != unserved }

// unavailable asks the caller to try again and keeps the cause for the log.
func unavailable(cause error) error {
	told := overloadOf(cause)
	return connect.NewError(told.code, told.reason).WithCause(cause)
}

// turnedAwayFor is the reason, as metrics count it, for which a request was not served; empty where it was.
func turnedAwayFor(cause error) string {
	_, isForbidden := errors.AsType[errForbidden](cause)
	switch {
	case cause == nil:
		return ""
	case errors.Is(cause, errUnauthenticated):
		return "unauthenticated"
	case isForbidden:
		return "forbidden"
	default:
		return overloadOf(cause).name
	}
}

package gateway

import (
	"errors"
	"strings"

	"github.com/headwater-data/headwater/lineage"
)

// refusal says why an event is not accepted. Its text is meant for the producer.
type refusal struct {
	// code is stable and for programs.
	code string
	// path is where in the request; empty for the whole of it.
	path string
	// reason says what is wrong and what to do.
	reason string
	// quarantineID is where the event is kept, or 0.
	quarantineID int64
}

// The codes of refusals that policy or scope makes. Their events are counted and not kept, since the caller had no
// right to leave anything here.
const (
	codeNamespaceForbidden = "namespace_forbidden"
	codeProducerForbidden  = "producer_forbidden"
)

// codeConflict refuses an event whose id stands for another one.
const codeConflict = "conflict"

// Error is the reason as a person reads it.
func (r *refusal) Error() string {
	if r.path == "" {
		return r.reason
	}
	return r.path + ": " + r.reason
}

// forbidden reports whether the caller had no right to send the event.
func (r *refusal) forbidden() bool {
	return r.code == codeNamespaceForbidden || r.code == codeProducerForbidden
}

// refusalOf turns what the domain finds wrong with an event into a refusal.
func refusalOf(err error) *refusal {
	if invalid, ok := errors.AsType[*lineage.InvalidError](err); ok {
		return &refusal{code: invalid.Code, path: invalid.Path, reason: clip(invalid.Reason)}
	}
	return &refusal{code: "invalid", reason: clip(err.Error())}
}

// reasonBytes bounds a reason that may quote the event.
const reasonBytes = 1000

func clip(reason string) string {
	if len(reason) <= reasonBytes {
		return reason
	}
	return strings.ToValidUTF8(reason[:reasonBytes], "") + " …"
}

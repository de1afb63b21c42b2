package gateway

import (
	"time"

	"github.com/headwater-data/headwater/lineage"
)

// Limits bounds what the gateway takes from a caller. A request at a bound is served.
type Limits struct {
	// BodyBytes bounds a request's body, as sent and after decompression.
	BodyBytes int64
	// BatchEvents bounds the events of one request.
	BatchEvents int
	// IdempotencyKeyBytes bounds an event id that the caller chooses.
	IdempotencyKeyBytes int
	// InFlight bounds the requests that one principal has under way at a time.
	InFlight int
	// InFlightBytes bounds the bodies that are held at a time for all principals together, as sent and after
	// decompression, from the first byte read until the answer; half of it, those of one principal. To decode them
	// takes a few times as much memory again. It must be four times BodyBytes or more, or the largest body that may
	// come compressed never finds room.
	InFlightBytes int64
	// HeaderBytes bounds the headers of a request.
	HeaderBytes int
	// AppendTime is how long a commit may take before the caller is asked to send again. OpenLineage clients give up
	// after 5 s.
	AppendTime time.Duration
	// ReadTime bounds the reading of a request, WriteTime that and the answer, IdleTime a connection between requests.
	ReadTime, WriteTime, IdleTime time.Duration
	// Event bounds what one event may hold.
	Event lineage.Limits
}

// DefaultLimits are those of docs/api.md.
func DefaultLimits() Limits {
	return Limits{
		BodyBytes:           32 << 20,
		BatchEvents:         1000,
		IdempotencyKeyBytes: 512,
		InFlight:            256,
		InFlightBytes:       128 << 20,
		HeaderBytes:         64 << 10,
		AppendTime:          4 * time.Second,
		ReadTime:            60 * time.Second,
		WriteTime:           120 * time.Second,
		IdleTime:            120 * time.Second,
		Event:               lineage.DefaultLimits(),
	}
}

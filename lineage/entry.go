package lineage

import "time"

// Entry is one accepted event with its place in the log.
type Entry struct {
	Epoch  Epoch
	Offset Offset
	// ReceivedAt is the database's clock when the event was committed. It never decreases with Offset.
	ReceivedAt time.Time
	// Producer is the principal that sent the event; with EventID it is the key of idempotency.
	Producer string
	EventID  string
	Format   Format
	// Run is the key of the run that the event is about, or zero.
	Run Hash
	// Content is the hash that a repeat under the same key must equal.
	Content Hash
	// TraceParent is the W3C trace context of the request, or empty.
	TraceParent string
	// Payload is what was accepted, byte for byte.
	Payload []byte
}

// Arrival is what the entry says of its event beside the payload.
func (e Entry) Arrival() Arrival {
	return Arrival{Content: e.Content, ReceivedAt: e.ReceivedAt, Producer: e.Producer, EventID: e.EventID}
}

// Position is the entry's place in the log across recoveries.
func (e Entry) Position() Position { return Position{Epoch: e.Epoch, Offset: e.Offset} }

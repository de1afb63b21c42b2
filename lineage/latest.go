package lineage

import (
	"bytes"
	"time"
)

// Latest is a value of which the last one said holds: by effective time, then by the hash of the event that said it.
// The zero Latest has no value.
type Latest[T any] struct {
	At    time.Time `json:"at,omitzero"`
	Event Hash      `json:"event,omitzero"`
	Value T         `json:"value,omitzero"`
}

// said reports whether anything was ever said.
func (l Latest[T]) said() bool { return !l.Event.IsZero() }

// offer takes value if it was said later than what stands. The order of offers does not matter.
func (l *Latest[T]) offer(at time.Time, event Hash, value T) {
	if l.said() && (at.Before(l.At) || at.Equal(l.At) && bytes.Compare(event[:], l.Event[:]) < 0) {
		return
	}
	*l = Latest[T]{At: at, Event: event, Value: value}
}

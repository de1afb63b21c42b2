package lineage

import (
	"bytes"
	"time"
)

// Moment is a place in effective time. Its key orders what happens at one time, so that arrival never does.
type Moment struct {
	EffectiveAt time.Time `json:"at,omitzero"`
	Key         Hash      `json:"key,omitzero"`
}

// Compare orders moments by effective time, then key.
func (m Moment) Compare(other Moment) int {
	if c := m.EffectiveAt.Compare(other.EffectiveAt); c != 0 {
		return c
	}
	return bytes.Compare(m.Key[:], other.Key[:])
}

func earlier(a, b Moment) Moment {
	if b.Compare(a) < 0 {
		return b
	}
	return a
}

func later(a, b Moment) Moment {
	if a.Compare(b) < 0 {
		return b
	}
	return a
}

// Latest is a value of which the last one said holds. The zero Latest has no value.
type Latest[T any] struct {
	Moment
	Value T `json:"value,omitzero"`
}

// said reports whether anything was ever said.
func (l Latest[T]) said() bool { return !l.Key.IsZero() }

// join takes what was said later.
func (l *Latest[T]) join(other Latest[T]) {
	if other.said() {
		l.offer(other.Moment, other.Value)
	}
}

// offer takes value if it was said later than what stands. The order of offers does not matter.
func (l *Latest[T]) offer(at Moment, value T) {
	if !l.said() || l.Compare(at) < 0 {
		*l = Latest[T]{Moment: at, Value: value}
	}
}

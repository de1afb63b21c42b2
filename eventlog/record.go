package eventlog

import (
	"errors"
	"fmt"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/headwater-data/headwater/lineage"
)

// Record is an accepted event on its way into the log.
type Record struct {
	// Producer and EventID together are the event's idempotency key. Both must be given.
	Producer string
	EventID  string
	Format   lineage.Format
	// RunKey is the hash of the run that the event is about, or zero where it is about none.
	RunKey lineage.Hash
	// ContentHash tells a repeat from a conflict: the same event id must come with the same one.
	ContentHash lineage.Hash
	// Payload is what was accepted, byte for byte.
	Payload []byte
	// TraceParent is the W3C traceparent of the request, or empty.
	TraceParent string
}

// Receipt tells where in the log an event stands.
type Receipt struct {
	Epoch      lineage.Epoch
	Offset     lineage.Offset
	ReceivedAt time.Time
	// Duplicate reports that the event was in the log before, so that this is its first receipt once more.
	Duplicate bool
}

// Result is the outcome for one record of an Append.
type Result struct {
	// Receipt is where the record stands or, with ErrConflict, where the event stands that has its id.
	Receipt Receipt
	// Err is nil or ErrConflict.
	Err error
}

// Head is the end of the log. Offset and ReceivedAt are zero while the log is empty.
type Head struct {
	Epoch      lineage.Epoch
	Offset     lineage.Offset
	ReceivedAt time.Time
}

var (
	// ErrConflict means that the producer used the event id before, for an event of other content.
	ErrConflict = errors.New("the producer used this event id for another event")
	// ErrBusy means that too much waits to be committed. Nothing was appended; send it again later.
	ErrBusy = errors.New("the event log is busy")
	// ErrFull means that the disk has no room, or the database has reached Options.DatabaseBytes. Nothing was appended;
	// it may take an operator until there is room.
	ErrFull = errors.New("the event log is full")
	// ErrClosed means that the log accepts nothing any more because the process ends.
	ErrClosed = errors.New("the event log is closed")
	// ErrNotFound means that no such event or quarantined document is known.
	ErrNotFound = errors.New("not found")
)

// GapError means that the log does not hold the offsets from From to To: their days rest in the archive alone.
type GapError struct{ From, To lineage.Offset }

// Error says which offsets are missing and where they are.
func (e *GapError) Error() string {
	return fmt.Sprintf("offsets %d to %d are no longer in the event log; read them from the archive", e.From, e.To)
}

// validate keeps out what the database would refuse, since that would fail the whole commit and not this record alone.
func (r Record) validate() error {
	if r.Producer == "" || r.EventID == "" {
		return errors.New("a record needs a producer and an event id")
	}
	for field, text := range map[string]string{
		"producer": r.Producer, "event id": r.EventID, "trace parent": r.TraceParent,
	} {
		if !utf8.ValidString(text) || strings.ContainsRune(text, 0) {
			return fmt.Errorf("the %s %q is not UTF-8 without U+0000, so it cannot be stored", field, text)
		}
	}
	return nil
}

// key is the event's idempotency key as event_key has it.
func (r Record) key() lineage.Hash { return eventKey(r.Producer, r.EventID) }

func eventKey(producer, eventID string) lineage.Hash {
	return lineage.HashOf("event", producer, eventID)
}

package archive

import (
	"bytes"
	"time"

	"github.com/headwater-data/headwater/lineage"
)

// Refused is a document that a door refused, as the quarantine has it.
type Refused struct {
	// ID is its number in the quarantine. Numbers may be missing there.
	ID         int64
	ReceivedAt time.Time
	Producer   string
	// EventID is empty where none could be read.
	EventID string
	Format  lineage.Format
	// Code is short and stable; Reason is what the producer was told.
	Code    string
	Reason  string
	Payload []byte
}

// refusedLine is a refused document as a segment holds it.
type refusedLine struct {
	ID         int64          `json:"quarantineId"`
	ReceivedAt time.Time      `json:"receivedAt"`
	Producer   string         `json:"producer"`
	EventID    string         `json:"eventId,omitzero"`
	Format     lineage.Format `json:"format"`
	Code       string         `json:"code"`
	Reason     string         `json:"reason"`
	payload
}

func lineOfRefused(document Refused) refusedLine {
	return refusedLine{
		ID: document.ID, ReceivedAt: document.ReceivedAt, Producer: document.Producer, EventID: document.EventID,
		Format: document.Format, Code: document.Code, Reason: document.Reason, payload: payloadOf(document.Payload),
	}
}

func (l refusedLine) record() Refused {
	return Refused{
		ID: l.ID, ReceivedAt: l.ReceivedAt, Producer: l.Producer, EventID: l.EventID,
		Format: l.Format, Code: l.Code, Reason: l.Reason, Payload: l.document(),
	}
}

func equalRefused(a, b Refused) bool {
	return a.ID == b.ID && a.ReceivedAt.Equal(b.ReceivedAt) && a.Producer == b.Producer && a.EventID == b.EventID &&
		a.Format == b.Format && a.Code == b.Code && a.Reason == b.Reason && bytes.Equal(a.Payload, b.Payload)
}

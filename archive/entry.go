package archive

import (
	"bytes"
	"time"
	"unicode/utf8"

	"github.com/headwater-data/headwater/lineage"
)

// line is an entry of the log as a segment holds it: a JSON object with everything needed to put the event back in its
// place. Members that are not known are left out when it is read.
type line struct {
	Epoch       lineage.Epoch  `json:"epoch"`
	Offset      lineage.Offset `json:"offset"`
	ReceivedAt  time.Time      `json:"receivedAt"`
	Producer    string         `json:"producer"`
	EventID     string         `json:"eventId"`
	Format      lineage.Format `json:"format"`
	RunKey      lineage.Hash   `json:"runKey,omitzero"`
	ContentHash lineage.Hash   `json:"contentHash"`
	TraceParent string         `json:"traceParent,omitzero"`
	// Text is the payload where it is UTF-8, else Base64 is.
	Text   *string `json:"payload,omitzero"`
	Base64 []byte  `json:"payloadBase64,omitzero"`
}

func lineOf(entry lineage.Entry) line {
	l := line{
		Epoch: entry.Epoch, Offset: entry.Offset, ReceivedAt: entry.ReceivedAt, Producer: entry.Producer,
		EventID: entry.EventID, Format: entry.Format, RunKey: entry.Run, ContentHash: entry.Content, TraceParent: entry.TraceParent,
	}
	if utf8.Valid(entry.Payload) {
		text := string(entry.Payload)
		l.Text = &text
	} else {
		l.Base64 = entry.Payload
	}
	return l
}

func (l line) entry() lineage.Entry {
	entry := lineage.Entry{
		Epoch: l.Epoch, Offset: l.Offset, ReceivedAt: l.ReceivedAt, Producer: l.Producer, EventID: l.EventID,
		Format: l.Format, Run: l.RunKey, Content: l.ContentHash, TraceParent: l.TraceParent, Payload: l.Base64,
	}
	if l.Text != nil {
		entry.Payload = []byte(*l.Text)
	}
	return entry
}

// equal reports whether both are the same event in the same place, payloads byte for byte.
func equal(a, b lineage.Entry) bool {
	return a.Epoch == b.Epoch && a.Offset == b.Offset && a.ReceivedAt.Equal(b.ReceivedAt) &&
		a.Producer == b.Producer && a.EventID == b.EventID && a.Format == b.Format &&
		a.Run == b.Run && a.Content == b.Content && a.TraceParent == b.TraceParent &&
		bytes.Equal(a.Payload, b.Payload)
}

package archive

import (
	"bytes"
	"encoding/json/jsontext"
	"encoding/json/v2"
	"time"
	"unicode/utf8"

	"github.com/headwater-data/headwater/lineage"
)

// Entry is an event of the log as a line of a segment holds it: a JSON object with everything needed to put the event
// back in its place.
type Entry struct {
	Epoch       lineage.Epoch  `json:"epoch"`
	Offset      lineage.Offset `json:"offset"`
	ReceivedAt  time.Time      `json:"receivedAt"`
	Producer    string         `json:"producer"`
	EventID     string         `json:"eventId"`
	Format      lineage.Format `json:"format"`
	RunKey      lineage.Hash   `json:"runKey,omitzero"`
	ContentHash lineage.Hash   `json:"contentHash"`
	TraceParent string         `json:"traceParent,omitzero"`
	// Payload is what was accepted, byte for byte. A line holds it as the string payload where it is UTF-8, else in
	// base64 as payloadBase64.
	Payload []byte `json:"-"`
}

// fields is Entry without its methods.
type fields Entry

type line struct {
	fields
	Text   *string `json:"payload,omitzero"`
	Base64 []byte  `json:"payloadBase64,omitzero"`
}

// MarshalJSONTo writes the line of a segment.
func (e Entry) MarshalJSONTo(encoder *jsontext.Encoder) error {
	l := line{fields: fields(e)}
	if utf8.Valid(e.Payload) {
		text := string(e.Payload)
		l.Text = &text
	} else {
		l.Base64 = e.Payload
	}
	return json.MarshalEncode(encoder, l)
}

// UnmarshalJSONFrom reads what MarshalJSONTo writes. Members that it does not know are left out.
func (e *Entry) UnmarshalJSONFrom(decoder *jsontext.Decoder) error {
	var l line
	if err := json.UnmarshalDecode(decoder, &l); err != nil {
		return err
	}
	*e = Entry(l.fields)
	e.Payload = l.Base64
	if l.Text != nil {
		e.Payload = []byte(*l.Text)
	}
	return nil
}

// equal reports whether both are the same event in the same place, payloads byte for byte.
func (e Entry) equal(other Entry) bool {
	return e.Epoch == other.Epoch && e.Offset == other.Offset && e.ReceivedAt.Equal(other.ReceivedAt) &&
		e.Producer == other.Producer && e.EventID == other.EventID && e.Format == other.Format &&
		e.RunKey == other.RunKey && e.ContentHash == other.ContentHash && e.TraceParent == other.TraceParent &&
		bytes.Equal(e.Payload, other.Payload)
}

package archive

import (
	"bytes"
	"time"

	"github.com/headwater-data/headwater/lineage"
)

// entryLine is an entry of the log as a segment holds it: a JSON object with everything needed to put the event back in
// its place. Members that are not known are left out when it is read.
type entryLine struct {
	Epoch       lineage.Epoch  `json:"epoch"`
	Offset      lineage.Offset `json:"offset"`
	ReceivedAt  time.Time      `json:"receivedAt"`
	Producer    string         `json:"producer"`
	EventID     string         `json:"eventId"`
	Format      lineage.Format `json:"format"`
	RunKey      lineage.Hash   `json:"runKey,omitzero"`
	ContentHash lineage.Hash   `json:"contentHash"`
	TraceParent string         `json:"traceParent,omitzero"`
	payload
}

func lineOfEntry(entry lineage.Entry) entryLine {
	return entryLine{
		Epoch: entry.Epoch, Offset: entry.Offset, ReceivedAt: entry.ReceivedAt, Producer: entry.Producer,
		EventID: entry.EventID, Format: entry.Format, RunKey: entry.Run, ContentHash: entry.Content,
		TraceParent: entry.TraceParent, payload: payloadOf(entry.Payload),
	}
}

func (l entryLine) record() lineage.Entry {
	return lineage.Entry{
		Epoch: l.Epoch, Offset: l.Offset, ReceivedAt: l.ReceivedAt, Producer: l.Producer, EventID: l.EventID,
		Format: l.Format, Run: l.RunKey, Content: l.ContentHash, TraceParent: l.TraceParent, Payload: l.document(),
	}
}

// equalEntries reports whether both are the same event in the same place, payloads byte for byte.
func equalEntries(a, b lineage.Entry) bool {
	return a.Epoch == b.Epoch && a.Offset == b.Offset && a.ReceivedAt.Equal(b.ReceivedAt) &&
		a.Producer == b.Producer && a.EventID == b.EventID && a.Format == b.Format &&
		a.Run == b.Run && a.Content == b.Content && a.TraceParent == b.TraceParent &&
		bytes.Equal(a.Payload, b.Payload)
}

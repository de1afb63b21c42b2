package load

import (
	"context"
	"fmt"
	"net/http"
	"strings"
	"time"

	"github.com/headwater-data/headwater/internal/system"
	"github.com/headwater-data/headwater/lineage"
)

// producers send side by side, each as a principal of its own, since the gateway bounds what one may have under way.
const producers = 4

// sendTimeout is that of OpenLineage clients.
const sendTimeout = 5 * time.Second

// sender sends events as some producers.
type sender struct {
	corpus    *Corpus
	producers [producers]*system.Caller
}

func newSender(ctx context.Context, s *system.System, corpus *Corpus) (*sender, error) {
	made := &sender{corpus: corpus}
	for i := range made.producers {
		token, err := s.Command(ctx, "producer", "add", fmt.Sprintf("bench-%d", i), "--namespace", namespace)
		if err != nil {
			return nil, err
		}
		made.producers[i] = system.NewCaller(s.Producer.URL, strings.TrimSpace(token))
		made.producers[i].HTTP.Timeout = sendTimeout
	}
	return made, nil
}

// sendInto sends an event that was due at a moment, notes what came of it, and tells whether it was acknowledged.
func (s *sender) sendInto(ctx context.Context, l *Ledger, serial int, due time.Time) bool {
	event := s.corpus.Event(serial)
	answered, err := s.send(ctx, event.Document, event.Run)
	now := time.Now()
	l.note(Acknowledgement{Serial: serial, Run: event.Run, Last: event.Last, at: now, took: now.Sub(due)}, answered, err)
	return err == nil && answered.acknowledged()
}

// answer is what the door said.
type answer struct {
	system.Answer `json:"-"`

	Offset lineage.Offset `json:"offset"`
	Code   string         `json:"code"`
}

func (a answer) acknowledged() bool { return a.Status == http.StatusCreated }

// send sends a document as one of the producers. The error is that of the connection.
func (s *sender) send(ctx context.Context, document []byte, producer int) (said answer, err error) {
	said.Answer, err = s.producers[producer%producers].Post(ctx, system.SingleDoor, document, &said)
	return said, err
}

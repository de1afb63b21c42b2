package load

import (
	"bytes"
	"context"
	"encoding/json/v2"
	"fmt"
	"io"
	"net/http"
	"strings"
	"time"

	"github.com/headwater-data/headwater/bench/report"
	"github.com/headwater-data/headwater/internal/system"
	"github.com/headwater-data/headwater/lineage"
)

// producers send side by side, each as a principal of its own, since the gateway bounds what one may have under way.
const producers = 4

// sendTimeout is that of OpenLineage clients.
const sendTimeout = 5 * time.Second

// sender sends events as some producers.
type sender struct {
	corpus *Corpus
	url    string
	client *http.Client
	tokens [producers]string
}

func newSender(ctx context.Context, s *system.System, corpus *Corpus) (*sender, error) {
	transport := http.DefaultTransport.(*http.Transport).Clone()
	transport.MaxIdleConns, transport.MaxIdleConnsPerHost = 0, senders
	made := &sender{corpus: corpus, url: s.Producer.URL, client: &http.Client{Transport: transport, Timeout: sendTimeout}}
	for i := range made.tokens {
		token, err := s.Command(ctx, "producer", "add", fmt.Sprintf("bench-%d", i), "--namespace", namespace)
		if err != nil {
			return nil, err
		}
		made.tokens[i] = strings.TrimSpace(token)
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
	Status int            `json:"-"`
	Offset lineage.Offset `json:"offset"`
	Code   string         `json:"code"`
}

func (a answer) acknowledged() bool { return a.Status == http.StatusCreated }

// send sends a document as one of the producers. The error is that of the connection.
func (s *sender) send(ctx context.Context, document []byte, producer int) (answer, error) {
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, s.url+"/api/v1/lineage", bytes.NewReader(document))
	if err != nil {
		return answer{}, err
	}
	request.Header.Set("Content-Type", "application/json")
	request.Header.Set("Authorization", "Bearer "+s.tokens[producer%producers])
	response, err := s.client.Do(request)
	if err != nil {
		return answer{}, err
	}
	defer response.Body.Close()
	body, err := io.ReadAll(response.Body)
	if err != nil {
		return answer{}, err
	}
	answered := answer{Status: response.StatusCode}
	if err := json.Unmarshal(body, &answered); err != nil {
		return answer{}, fmt.Errorf("%s: %q is no JSON: %w", response.Status, body, err)
	}
	return answered, nil
}

// EmptyRequests measures how long the gateway takes to answer nothing.
func (r *Rig) EmptyRequests(ctx context.Context) (report.Latencies, error) {
	return report.Repeat(func() error {
		request, err := http.NewRequestWithContext(ctx, http.MethodGet, r.sender.url+"/healthz", nil)
		if err != nil {
			return err
		}
		response, err := r.sender.client.Do(request)
		if err != nil {
			return err
		}
		return response.Body.Close()
	})
}

package demo

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net/http"
	"strings"
	"time"

	"connectrpc.com/connect/v2"
	"connectrpc.com/connect/v2/connecthttp"

	headwaterv1 "github.com/headwater-data/headwater/gen/headwater/v1"
	"github.com/headwater-data/headwater/gen/headwater/v1/headwaterv1connect"
)

// Report says what became of the events that were sent.
type Report struct {
	// Events is how many were accepted.
	Events int
}

// Send sends the demo to a server, such as http://127.0.0.1:8080, through the doors that producers use, in order and
// one at a time. Sending it again with the same base changes nothing. The client carries the credentials; it needs
// those of an operator, since the demo speaks in the name of several producers. The first event that is not
// accepted ends it.
func Send(ctx context.Context, client *http.Client, server string, base time.Time) (Report, error) {
	server = strings.TrimSuffix(server, "/")
	ingest := headwaterv1connect.NewIngestServiceClient(connect.NewClient(connecthttp.NewTransport(client, server)))
	report := Report{}
	for _, event := range Events(base) {
		var err error
		if event.Envelope != nil {
			err = submit(ctx, ingest, event.Envelope)
		} else {
			err = post(ctx, client, server+"/api/v1/lineage", event.OpenLineage)
		}
		if err != nil {
			return report, fmt.Errorf("send event %d of the demo: %w", report.Events+1, err)
		}
		report.Events++
	}
	return report, nil
}

func submit(ctx context.Context, ingest headwaterv1connect.IngestServiceClient, event *headwaterv1.Event) error {
	response, err := ingest.SubmitEvents(ctx, &headwaterv1.SubmitEventsRequest{Events: []*headwaterv1.Event{event}})
	if err != nil {
		return err
	}
	for _, receipt := range response.GetReceipts() {
		if rejected := receipt.GetRejected(); rejected != nil {
			return fmt.Errorf("rejected: %s", rejected.GetReason())
		}
	}
	return nil
}

func post(ctx context.Context, client *http.Client, url string, document []byte) error {
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, url, bytes.NewReader(document))
	if err != nil {
		return err
	}
	request.Header.Set("Content-Type", "application/json")
	response, err := client.Do(request)
	if err != nil {
		return err
	}
	defer response.Body.Close()
	body, err := io.ReadAll(response.Body)
	if err != nil {
		return err
	}
	if response.StatusCode != http.StatusCreated {
		return fmt.Errorf("POST %s: %s: %s", url, response.Status, bytes.TrimSpace(body))
	}
	return nil
}

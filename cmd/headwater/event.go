package main

import (
	"context"
	"errors"
	"fmt"
	"os"

	headwaterv1 "github.com/headwater-data/headwater/gen/headwater/v1"
	"github.com/headwater-data/headwater/internal/render"
)

// eventCommand looks at what was accepted.
type eventCommand struct {
	Show eventShowCommand `cmd:"" help:"Show the whole event at an offset of the log."`
}

type eventShowCommand struct {
	apiClient
	Offset int64 `arg:"" help:"Offset of the event, as answers and receipts give it."`
	JSON   bool  `xor:"form" help:"Print the answer of the API; it has the document as a text, in payload."`
	Raw    bool  `xor:"form" help:"Print the document alone, byte for byte but for credentials."`
}

// Help is shown by --help.
func (*eventShowCommand) Help() string {
	return `Operators and admins may. Credentials that the producer left in the document are shown as ***; the log keeps what was sent.
For example:

  headwater event show 4711
  headwater event show 4711 --raw | jq .run.facets`
}

// Validate implements kong's check of a command line.
func (c *eventShowCommand) Validate() error {
	if c.Offset < 1 {
		return errors.New("offsets begin at 1")
	}
	return nil
}

// Run prints the event, and nothing but its document with --raw.
func (c *eventShowCommand) Run(ctx context.Context) error {
	ingest, err := c.ingest()
	if err != nil {
		return err
	}
	answer, err := ingest.GetEvent(ctx, &headwaterv1.GetEventRequest{Offset: c.Offset})
	if err != nil {
		return c.explain(err)
	}
	if !c.Raw {
		return show(answer, c.JSON, render.Event)
	}
	if answer.GetEvent().GetRedacted() {
		fmt.Fprintln(os.Stderr, "credentials are shown as ***, so these are not the bytes that were received")
	}
	_, err = os.Stdout.WriteString(answer.GetEvent().GetPayload())
	return err
}

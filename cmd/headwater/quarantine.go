package main

import (
	"context"
	"errors"

	headwaterv1 "github.com/headwater-data/headwater/gen/headwater/v1"
	"github.com/headwater-data/headwater/internal/render"
)

// quarantineCommand looks after events that were refused.
type quarantineCommand struct {
	List     quarantineListCommand     `cmd:"" help:"List refused events with the reasons, the latest first."`
	Show     quarantineShowCommand     `cmd:"" help:"Show a refused event with its document."`
	Resubmit quarantineResubmitCommand `cmd:"" help:"Send a refused event through the door again, after what refused it was put right."`
}

type quarantineListCommand struct {
	apiClient
	Producer string `placeholder:"NAME" help:"Only events of this producer."`
	paging
	JSON bool `help:"Print the answer of the API."`
}

// Help is shown by --help.
func (*quarantineListCommand) Help() string {
	return `A producer sees its own, an operator all. For example:

  headwater quarantine list --producer spark-prod-eu`
}

// Run prints one page.
func (c *quarantineListCommand) Run(ctx context.Context) error {
	ingest, err := c.ingest()
	if err != nil {
		return err
	}
	answer, err := ingest.ListQuarantine(ctx, &headwaterv1.ListQuarantineRequest{Producer: c.Producer, PageSize: new(int32(c.Limit)), PageToken: c.Page})
	if err != nil {
		return c.explain(err)
	}
	return show(answer, c.JSON, render.Quarantine)
}

type quarantineShowCommand struct {
	apiClient
	ID   quarantineID `arg:"" help:"Number of the event, as the answer to its producer and headwater quarantine list give it."`
	JSON bool         `help:"Print the answer of the API."`
}

// Help is shown by --help.
func (*quarantineShowCommand) Help() string {
	return `Credentials in the document are shown as ***. For example:

  headwater quarantine show 17`
}

// Run prints the event.
func (c *quarantineShowCommand) Run(ctx context.Context) error {
	ingest, err := c.ingest()
	if err != nil {
		return err
	}
	answer, err := ingest.GetQuarantined(ctx, &headwaterv1.GetQuarantinedRequest{QuarantineId: int64(c.ID)})
	if err != nil {
		return c.explain(err)
	}
	return show(answer, c.JSON, render.Quarantined)
}

type quarantineResubmitCommand struct {
	apiClient
	ID quarantineID `arg:"" help:"Number of the event."`
	receiptFlag
}

// Help is shown by --help.
func (*quarantineResubmitCommand) Help() string {
	return `What refused it may have been a limit, a scope or a decoder. It is taken as its producer's, as a new event; one that is refused
again stays where it is. For example:

  headwater quarantine resubmit 17`
}

// Run prints where the event stands in the log, or why it is refused again.
func (c *quarantineResubmitCommand) Run(ctx context.Context) error {
	ingest, err := c.ingest()
	if err != nil {
		return err
	}
	answer, err := ingest.ResubmitQuarantined(ctx, &headwaterv1.ResubmitQuarantinedRequest{QuarantineId: int64(c.ID)})
	if err != nil {
		return c.explain(err)
	}
	if rejected := answer.GetReceipt().GetRejected(); rejected != nil {
		return errors.New("it is refused again: " + rejected.GetReason())
	}
	return c.recorded(answer.GetReceipt().GetAccepted(), "")
}

// quarantineID is the number of a refused event.
type quarantineID int64

// Validate implements kong's check of a command line.
func (i quarantineID) Validate() error {
	if i < 1 {
		return errors.New("numbers of refused events begin at 1")
	}
	return nil
}

package main

import (
	"context"
	"errors"
	"fmt"

	headwaterv1 "github.com/headwater-data/headwater/gen/headwater/v1"
)

// publishCommand says that what a run wrote became visible in its store.
type publishCommand struct{ marking }

// Help is shown by --help.
func (*publishCommand) Help() string {
	return `It passes the gate "commit". An output of a failed run becomes suspect by it. For example:

  headwater publish 53ee3770-86fa-4cb9-8c31-a09072dd88f7 warehouse mart.daily_orders --reason "partition swapped in"`
}

// Run sends the marker.
func (c *publishCommand) Run(ctx context.Context) error {
	return c.mark(ctx, headwaterv1.MarkerKind_MARKER_KIND_COMMITTED)
}

// rollbackCommand says that what a run wrote was taken back.
type rollbackCommand struct{ marking }

// Help is shown by --help.
func (*rollbackCommand) Help() string {
	return `From now on what was published before it holds again. For example:

  headwater rollback 53ee3770-86fa-4cb9-8c31-a09072dd88f7 warehouse mart.daily_orders --reason "wrong currency"`
}

// Run sends the marker.
func (c *rollbackCommand) Run(ctx context.Context) error {
	return c.mark(ctx, headwaterv1.MarkerKind_MARKER_KIND_ROLLED_BACK)
}

// validateCommand says that what a run wrote was looked at and is right, or is not.
type validateCommand struct {
	marking
	Invalid bool `help:"Say that it is wrong."`
}

// Help is shown by --help.
func (*validateCommand) Help() string {
	return `It publishes an output whose run or gates failed. With --invalid the output becomes suspect, or rejected where the
policy waits for the gate "validation". For example:

  headwater validate 53ee3770-86fa-4cb9-8c31-a09072dd88f7 warehouse mart.daily_orders --reason "compared with the source"`
}

// Run sends the marker.
func (c *validateCommand) Run(ctx context.Context) error {
	if c.Invalid {
		return c.mark(ctx, headwaterv1.MarkerKind_MARKER_KIND_INVALIDATED)
	}
	return c.mark(ctx, headwaterv1.MarkerKind_MARKER_KIND_VALIDATED)
}

// marking names one output of one run.
type marking struct {
	apiClient
	RunID     string   `arg:"" help:"Id of the run, as its producer reports it."`
	Namespace string   `arg:"" help:"Namespace of the output, as its producer reports it."`
	Name      string   `arg:"" help:"Name of the output."`
	Job       jobValue `placeholder:"NAMESPACE NAME" help:"The run's job: two words. Needed where runs of several jobs have the same id, and for a run of which nothing has come yet."`
	Reason    reason   `required:"" placeholder:"TEXT" help:"Why; it is kept for those who ask later."`
	receiptFlag
}

// mark sends a marker and prints where it stands.
func (c *marking) mark(ctx context.Context, kind headwaterv1.MarkerKind) error {
	ingest, err := c.ingest()
	if err != nil {
		return err
	}
	job, err := c.jobOf(ctx, c.RunID, c.Job)
	if err != nil {
		return err
	}
	answer, err := ingest.SubmitMarkers(ctx, &headwaterv1.SubmitMarkersRequest{
		Markers: []*headwaterv1.Marker{{
			RunId: c.RunID, Job: job, Output: &headwaterv1.Dataset{Namespace: c.Namespace, Name: c.Name}, Kind: kind, Reason: string(c.Reason),
		}},
	})
	if err != nil {
		return c.explain(err)
	}
	receipt := answer.GetReceipts()[0]
	if rejected := receipt.GetRejected(); rejected != nil {
		return errors.New(rejected.GetReason())
	}
	return c.recorded(receipt.GetAccepted(), fmt.Sprintf("headwater run show %s tells what follows", shellWord(c.RunID)))
}

package main

import (
	"context"
	"fmt"
	"os"

	"connectrpc.com/connect/v2"

	headwaterv1 "github.com/headwater-data/headwater/gen/headwater/v1"
)

// withdrawCommand takes accepted evidence out of the answers, or puts it back.
type withdrawCommand struct {
	Event  withdrawEventCommand  `cmd:"" help:"Take one event out of the answers, by its producer and id."`
	Offset withdrawOffsetCommand `cmd:"" help:"Take one event out of the answers, by its offset in the log."`
	Run    withdrawRunCommand    `cmd:"" help:"Take a run with all its events out of the answers, those to come too."`
	List   withdrawListCommand   `cmd:"" help:"List what is out of the answers, by whom and why."`
}

// withdrawing is embedded by those that withdraw.
type withdrawing struct {
	stating
	Undo bool `help:"Let it count again."`
}

// withdraw states a withdrawal and prints where it stands.
func (c *withdrawing) withdraw(ctx context.Context, withdrawn *headwaterv1.EvidenceWithdrawn) error {
	withdrawn.Undone = c.Undo
	accepted, err := c.state(ctx, &headwaterv1.Fact{Fact: &headwaterv1.Fact_EvidenceWithdrawn{EvidenceWithdrawn: withdrawn}})
	if err != nil {
		return err
	}
	effect := "leave it out within seconds, and answers as of an earlier recorded time keep it"
	if c.Undo {
		effect = "have it again within seconds"
	}
	return c.recorded(accepted, "answers "+effect)
}

type withdrawEventCommand struct {
	withdrawing
	Producer string `arg:"" help:"Who sent the event or stated it, as headwater run show lists it."`
	EventID  string `arg:"" help:"Id of the event, as headwater run show lists it."`
}

// withdrawnEvents says what an event may be.
const withdrawnEvents = `It may be an event of a run, one that declares a job or a dataset, or what a person or a tool stated: an edge, an alias or its
end, an owner, a snapshot, a dismissal. What it said counts no more, owners, tags and descriptions too, and what was said
before it holds again. Nothing is deleted. A withdrawal is undone instead, and name rules are replaced by others.
`

// Help is shown by --help.
func (*withdrawEventCommand) Help() string {
	return withdrawnEvents + `It may come before the event. For example:

  headwater withdraw event spark-eu ol-0b6e1c1e7a0f4a539a7c0f3f6f1f2a10 --reason "sent by a test against production"
  headwater withdraw event spark-eu ol-0b6e1c1e7a0f4a539a7c0f3f6f1f2a10 --undo --reason "it was right after all"`
}

// Run states the withdrawal, and says so where no such event has come: that is more often a slip than foresight.
func (c *withdrawEventCommand) Run(ctx context.Context) error {
	err := c.withdraw(ctx, &headwaterv1.EvidenceWithdrawn{Subject: &headwaterv1.EvidenceWithdrawn_Event{
		Event: &headwaterv1.EventReference{Producer: c.Producer, EventId: c.EventID},
	}})
	if err != nil {
		return err
	}
	ingest, err := c.ingest()
	if err != nil {
		return err
	}
	_, err = ingest.GetReceipt(ctx, &headwaterv1.GetReceiptRequest{Producer: c.Producer, EventId: c.EventID})
	if connect.CodeOf(err) == connect.CodeNotFound {
		fmt.Fprintf(os.Stderr, "no event %q of %q has been accepted so far; it will be left out if it comes\n", c.EventID, c.Producer)
	}
	return nil
}

type withdrawOffsetCommand struct {
	withdrawing
	Offset int64 `arg:"" help:"Where the event stands, as the command that stated it printed, or as headwater run show lists it."`
}

// Help is shown by --help.
func (*withdrawOffsetCommand) Help() string {
	return withdrawnEvents + `The log has the event for some days; later name it by its producer and id. For example:

  headwater withdraw offset 4711 --reason "an owner of another table"`
}

// Run states the withdrawal.
func (c *withdrawOffsetCommand) Run(ctx context.Context) error {
	return c.withdraw(ctx, &headwaterv1.EvidenceWithdrawn{Subject: &headwaterv1.EvidenceWithdrawn_Offset{Offset: c.Offset}})
}

type withdrawRunCommand struct {
	withdrawing
	RunID string   `arg:"" help:"Id of the run, as its producer reports it."`
	Job   jobValue `placeholder:"NAMESPACE NAME" help:"The run's job: two words. Needed where runs of several jobs have the same id, and for a run of which nothing has come yet."`
}

// Help is shown by --help.
func (*withdrawRunCommand) Help() string {
	return `What was published before the run holds again. Nothing is deleted. For example:

  headwater withdraw run 53ee3770-86fa-4cb9-8c31-a09072dd88f7 --reason "a backfill that pointed at the wrong database"`
}

// Run states the withdrawal.
func (c *withdrawRunCommand) Run(ctx context.Context) error {
	job, err := c.jobOf(ctx, c.RunID, c.Job)
	if err != nil {
		return err
	}
	return c.withdraw(ctx, &headwaterv1.EvidenceWithdrawn{Subject: &headwaterv1.EvidenceWithdrawn_Run{
		Run: &headwaterv1.RunReference{RunId: c.RunID, Job: job},
	}})
}

package main

import (
	"context"
	"fmt"

	headwaterv1 "github.com/headwater-data/headwater/gen/headwater/v1"
)

// withdrawCommand takes accepted evidence out of the answers, or puts it back.
type withdrawCommand struct {
	Event withdrawEventCommand `cmd:"" help:"Take one event out of the answers."`
	Run   withdrawRunCommand   `cmd:"" help:"Take a run with all its events out of the answers, those to come too."`
}

// withdrawing is embedded by both.
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
	fmt.Printf("recorded at offset %d; answers %s\n", accepted.GetOffset(), effect)
	return nil
}

type withdrawEventCommand struct {
	withdrawing
	Producer string `arg:"" help:"Who sent the event, as headwater run show lists it."`
	EventID  string `arg:"" help:"Id of the event, as headwater run show lists it."`
}

// Help is shown by --help.
func (*withdrawEventCommand) Help() string {
	return `It may be an event of a run, or one that declares a job or a dataset. Nothing is deleted. For example:

  headwater withdraw event spark-eu ol-0b6e1c1e7a0f4a539a7c0f3f6f1f2a10 --reason "sent by a test against production"
  headwater withdraw event spark-eu ol-0b6e1c1e7a0f4a539a7c0f3f6f1f2a10 --undo --reason "it was right after all"`
}

// Run states the withdrawal.
func (c *withdrawEventCommand) Run(ctx context.Context) error {
	return c.withdraw(ctx, &headwaterv1.EvidenceWithdrawn{Subject: &headwaterv1.EvidenceWithdrawn_Event{
		Event: &headwaterv1.EventReference{Producer: c.Producer, EventId: c.EventID},
	}})
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

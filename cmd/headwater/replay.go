package main

import (
	"context"
	"errors"
	"fmt"
	"os/user"

	"go.temporal.io/api/serviceerror"
	"go.temporal.io/sdk/client"

	"github.com/headwater-data/headwater/workflows/contract"
)

// replayCommand rebuilds the projection from the log. All of it can be done in the Temporal UI as well.
type replayCommand struct {
	Start   replayStartCommand   `cmd:"" help:"Build a new projection beside the one that readers see."`
	Show    replayShowCommand    `cmd:"" help:"Show how far a replay is, and what the comparison found."`
	Approve replayApproveCommand `cmd:"" help:"Let readers see the new projection."`
	Reject  replayRejectCommand  `cmd:"" help:"Give the new projection up."`
}

type replayStartCommand struct {
	temporalFlags
	Name      string `arg:"" help:"Name of the new projection: a lower-case letter and up to 62 letters, digits and dashes."`
	Reason    string `placeholder:"TEXT" help:"Why, for those who find it later."`
	NameRules string `placeholder:"REVISION" help:"Registered set of name rules to fold under; those of the projection that readers see unless set."`
}

// Validate names all settings that are wrong.
func (c *replayStartCommand) Validate() error {
	return errors.Join(c.input().Validate(), c.temporalFlags.validate())
}

func (c *replayStartCommand) input() contract.Replay {
	return contract.Replay{Name: c.Name, Reason: c.Reason, NameRules: c.NameRules}
}

// Run starts the workflow, or finds that it runs, and does not wait for it.
func (c *replayStartCommand) Run(ctx context.Context) error {
	temporal, err := c.dial(ctx)
	if err != nil {
		return err
	}
	defer temporal.Close()
	started, err := temporal.ExecuteWorkflow(ctx, client.StartWorkflowOptions{
		ID:            contract.ReplayWorkflowID(c.Name),
		TaskQueue:     contract.TaskQueue,
		StaticSummary: contract.Summary("Build projection " + c.Name),
	}, contract.ReplayWorkflow, c.input())
	if err != nil {
		return fmt.Errorf("start the replay: %w", err)
	}
	fmt.Printf("workflow %s is running; see how far it is with: headwater replay show %s\n", started.GetID(), c.Name)
	return nil
}

type replayShowCommand struct {
	temporalFlags
	Name string `arg:"" help:"Name of the new projection."`
}

// Validate names all settings that are wrong.
func (c *replayShowCommand) Validate() error { return c.temporalFlags.validate() }

// Run prints the page that the Temporal UI shows.
func (c *replayShowCommand) Run(ctx context.Context) error {
	temporal, err := c.dial(ctx)
	if err != nil {
		return err
	}
	defer temporal.Close()
	answered, err := temporal.QueryWorkflow(ctx, contract.ReplayWorkflowID(c.Name), "", contract.ProgressQuery)
	if err != nil {
		return explainReplay(c.Name, err)
	}
	var progress contract.ReplayProgress
	if err := answered.Get(&progress); err != nil {
		return fmt.Errorf("read the progress: %w", err)
	}
	printProgress(progress)
	return nil
}

func printProgress(progress contract.ReplayProgress) {
	fmt.Println("step      ", progress.Step)
	if progress.Archive != nil {
		fmt.Printf("archive    folded up to offset %d of %d\n", progress.Archive.Cursor, progress.Archive.Goal)
	}
	if progress.Tail != nil {
		fmt.Printf("log        folded up to offset %d of %d\n", progress.Tail.Cursor, progress.Tail.Goal)
	}
	if comparison := progress.Comparison; comparison != nil {
		verdict := "different"
		if comparison.Equal() {
			verdict = "equal"
		}
		fmt.Printf("digests    %s at offset %d\n", verdict, comparison.At.Offset)
		if !comparison.Equal() && comparison.Approvable() {
			fmt.Println("           as other name rules explain: what was said is the same, so it can be approved")
		}
		for _, table := range comparison.Tables {
			if !table.Equal {
				fmt.Printf("           %s differs: %d rows live, %d rows in the shadow\n", table.Table, table.LiveRows, table.ShadowRows)
			}
		}
	}
	if progress.Verdict != nil {
		fmt.Println("decided by", progress.Verdict.By)
	}
	if progress.Note != "" {
		fmt.Println("note      ", progress.Note)
	}
}

type replayApproveCommand struct{ verdict }

// Run returns once the verdict counts; the switch follows at once.
func (c *replayApproveCommand) Run(ctx context.Context) error {
	return c.give(ctx, contract.ApproveUpdate)
}

type replayRejectCommand struct{ verdict }

// Run returns once the verdict counts.
func (c *replayRejectCommand) Run(ctx context.Context) error {
	return c.give(ctx, contract.RejectUpdate)
}

// verdict is what approving and rejecting have in common.
type verdict struct {
	temporalFlags
	Name   string `arg:"" help:"Name of the new projection."`
	By     string `placeholder:"NAME" help:"Who decides. The default is your user name on this machine."`
	Reason string `placeholder:"TEXT" help:"Why."`
}

// Validate names all settings that are wrong.
func (v *verdict) Validate() error { return v.temporalFlags.validate() }

func (v *verdict) give(ctx context.Context, update string) error {
	by, err := v.decider()
	if err != nil {
		return err
	}
	temporal, err := v.dial(ctx)
	if err != nil {
		return err
	}
	defer temporal.Close()
	given, err := temporal.UpdateWorkflow(ctx, client.UpdateWorkflowOptions{
		WorkflowID:   contract.ReplayWorkflowID(v.Name),
		UpdateName:   update,
		Args:         []any{contract.Verdict{By: by, Reason: v.Reason}},
		WaitForStage: client.WorkflowUpdateStageCompleted,
	})
	if err == nil {
		err = given.Get(ctx, nil)
	}
	if err != nil {
		return explainReplay(v.Name, err)
	}
	fmt.Printf("done; see what comes of it with: headwater replay show %s\n", v.Name)
	return nil
}

func (v *verdict) decider() (string, error) {
	if v.By != "" {
		return v.By, nil
	}
	account, err := user.Current()
	if err != nil {
		return "", fmt.Errorf("your user name is unknown, so say it with --by: %w", err)
	}
	return account.Username, nil
}

func explainReplay(name string, err error) error {
	if _, unknown := errors.AsType[*serviceerror.NotFound](err); unknown {
		return fmt.Errorf("no replay %s is running: start one with `headwater replay start %s`", name, name)
	}
	return err
}

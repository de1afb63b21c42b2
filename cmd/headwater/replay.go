package main

import (
	"context"
	"errors"
	"fmt"
	"os/user"
	"strings"

	"go.temporal.io/api/enums/v1"
	"go.temporal.io/api/serviceerror"
	"go.temporal.io/sdk/client"
	"go.temporal.io/sdk/temporal"

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
	JSON      bool   `help:"Print JSON."`
}

// Help is shown by --help.
func (*replayStartCommand) Help() string {
	return `Readers see it only once it is approved. For example:

  headwater replay start rebuilt --reason "orders were mapped wrongly"
  headwater replay show rebuilt
  headwater replay approve rebuilt --reason "the digests agree"`
}

// Validate names all settings that are wrong.
func (c *replayStartCommand) Validate() error {
	return errors.Join(c.input().Validate(), c.temporalFlags.validate())
}

func (c *replayStartCommand) input() contract.Replay {
	return contract.Replay{Name: c.Name, Reason: c.Reason, NameRules: c.NameRules}
}

// startedReplay is a replay that runs, in JSON.
type startedReplay struct {
	Projection string `json:"projection"`
	Workflow   string `json:"workflow"`
}

// String says how to go on.
func (s startedReplay) String() string {
	return fmt.Sprintf("workflow %s is running; see how far it is with: headwater replay show %s", s.Workflow, s.Projection)
}

// Run starts the workflow, or finds that it runs, and does not wait for it.
func (c *replayStartCommand) Run(ctx context.Context) error {
	started, err := c.start(ctx)
	if err != nil {
		return err
	}
	if c.JSON {
		return printJSON(started)
	}
	fmt.Println(started)
	return nil
}

func (c *replayStartCommand) start(ctx context.Context) (startedReplay, error) {
	connected, err := c.dial(ctx)
	if err != nil {
		return startedReplay{}, err
	}
	defer connected.Close()
	started, err := connected.ExecuteWorkflow(ctx, client.StartWorkflowOptions{
		ID:            contract.ReplayWorkflowID(c.Name),
		TaskQueue:     contract.TaskQueue,
		StaticSummary: contract.Summary("Build projection " + c.Name),
	}, contract.ReplayWorkflow, c.input())
	if err != nil {
		return startedReplay{}, fmt.Errorf("start the replay: %w", err)
	}
	return startedReplay{c.Name, started.GetID()}, nil
}

type replayShowCommand struct {
	temporalFlags
	Name string `arg:"" help:"Name of the new projection."`
	JSON bool   `help:"Print JSON, as the workflow's query progress answers."`
}

// Help is shown by --help.
func (*replayShowCommand) Help() string {
	return `It fails where the replay ended before its time. For example:

  headwater replay show rebuilt
  headwater replay show rebuilt --json | jq .step`
}

// Validate names all settings that are wrong.
func (c *replayShowCommand) Validate() error { return c.temporalFlags.validate() }

// Run prints the page that the Temporal UI shows.
func (c *replayShowCommand) Run(ctx context.Context) error {
	connected, err := c.dial(ctx)
	if err != nil {
		return err
	}
	defer connected.Close()
	answered, err := connected.QueryWorkflow(ctx, contract.ReplayWorkflowID(c.Name), "", contract.ProgressQuery)
	if err != nil {
		return explainReplay(c.Name, err)
	}
	var progress contract.ReplayProgress
	if err := answered.Get(&progress); err != nil {
		return fmt.Errorf("read the progress: %w", err)
	}
	if err := c.print(progress); err != nil {
		return err
	}
	return replayFailure(ctx, connected, c.Name)
}

// replayFailure is why the workflow ended before its time; nil where it runs, or ended as it should.
func replayFailure(ctx context.Context, connected client.Client, name string) error {
	described, err := connected.DescribeWorkflow(ctx, contract.ReplayWorkflowID(name), "")
	if err != nil {
		return explainReplay(name, err)
	}
	switch described.Status {
	case enums.WORKFLOW_EXECUTION_STATUS_FAILED, enums.WORKFLOW_EXECUTION_STATUS_CANCELED, enums.WORKFLOW_EXECUTION_STATUS_TERMINATED:
		return fmt.Errorf("the replay ended before its time: %w", innermost(connected.GetWorkflow(ctx, contract.ReplayWorkflowID(name), "").Get(ctx, nil)))
	default:
		return nil
	}
}

// innermost is what went wrong, without the calls that it went through.
func innermost(err error) error {
	for cause := errors.Unwrap(err); cause != nil; cause = errors.Unwrap(err) {
		err = cause
	}
	if failed, ok := errors.AsType[*temporal.ApplicationError](err); ok {
		return errors.New(failed.Message())
	}
	return err
}

func (c *replayShowCommand) print(progress contract.ReplayProgress) error {
	if c.JSON {
		return printJSON(progress)
	}
	fmt.Println("step      ", progress.Step)
	if progress.Archive != nil {
		fmt.Printf("archive    folded up to offset %d of %d\n", progress.Archive.Cursor, progress.Archive.Goal)
	}
	if progress.Tail != nil {
		fmt.Printf("log        folded up to offset %d of %d\n", progress.Tail.Cursor, progress.Tail.Goal)
	}
	if comparison := progress.Comparison; comparison != nil {
		fmt.Printf("digests    at offset %d: %s\n", comparison.At.Offset, judgement(*comparison))
		for _, table := range comparison.Tables {
			if !table.Equal {
				fmt.Printf("           %s differs: %d rows live, %d rows in the shadow\n", table.Table, table.LiveRows, table.ShadowRows)
			}
		}
	}
	if progress.Verdict != nil {
		fmt.Println("decided by", strings.TrimSuffix(progress.Verdict.By+": "+progress.Verdict.Reason, ": "))
	}
	if progress.Note != "" {
		fmt.Println("note      ", progress.Note)
	}
	return nil
}

// judgement is what the digests say of the shadow.
func judgement(comparison contract.Comparison) string {
	switch {
	case comparison.Equal():
		return "equal"
	case comparison.Upgraded():
		return fmt.Sprintf("different, and so are the resolvers, %s live and %s in the shadow, so it can be approved", comparison.Live.Resolver, comparison.Shadow.Resolver)
	case comparison.Approvable():
		return "different, as other name rules explain; what was said is the same, so it can be approved"
	default:
		return "different, so it cannot be approved"
	}
}

type replayApproveCommand struct{ verdict }

// Help is shown by --help.
func (*replayApproveCommand) Help() string {
	return `For example:

  headwater replay approve rebuilt --reason "the digests agree"`
}

// Run returns once the verdict counts; the switch follows at once.
func (c *replayApproveCommand) Run(ctx context.Context) error {
	return c.give(ctx, contract.ApproveUpdate)
}

type replayRejectCommand struct{ verdict }

// Help is shown by --help.
func (*replayRejectCommand) Help() string {
	return `Readers see what they saw before. For example:

  headwater replay reject rebuilt --reason "orders are still mapped wrongly"`
}

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
	connected, err := v.dial(ctx)
	if err != nil {
		return err
	}
	defer connected.Close()
	given, err := connected.UpdateWorkflow(ctx, client.UpdateWorkflowOptions{
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

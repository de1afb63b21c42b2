package main

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"connectrpc.com/connect/v2"
	"connectrpc.com/connect/v2/connectproto"

	headwaterv1 "github.com/headwater-data/headwater/gen/headwater/v1"
	"github.com/headwater-data/headwater/gen/headwater/v1/headwaterv1connect"
	"github.com/headwater-data/headwater/internal/render"
)

type runCommand struct {
	Show runShowCommand `cmd:"" help:"Show what a run read and wrote, and whether it was published."`
	List runListCommand `cmd:"" help:"List runs, the latest first."`
}

type runShowCommand struct {
	apiClient
	RunID string   `arg:"" help:"Id of the run, as its producer reports it."`
	Job   jobValue `placeholder:"NAMESPACE NAME" help:"The run's job: two words. Needed only where runs of several jobs have the same id."`
	JSON  bool     `help:"Print the answer of the API."`
}

// Help is shown by --help.
func (*runShowCommand) Help() string {
	return `For example:

  headwater run show 53ee3770-86fa-4cb9-8c31-a09072dd88f7
  headwater run show 53ee3770-86fa-4cb9-8c31-a09072dd88f7 --job spark-prod daily_orders`
}

func (c *runShowCommand) Run(ctx context.Context) error {
	client, err := c.dial()
	if err != nil {
		return err
	}
	answer, err := headwaterv1connect.NewRunServiceClient(client).GetRun(ctx, &headwaterv1.GetRunRequest{
		RunId: c.RunID, Job: c.Job.job,
	})
	if err != nil {
		return c.explainRun(err)
	}
	return show(answer, c.JSON, render.Run)
}

// jobOf is the job of a run: the one that is named, or that of the one run with the id.
func (c *apiClient) jobOf(ctx context.Context, runID string, named jobValue) (*headwaterv1.Job, error) {
	if named.job != nil {
		return named.job, nil
	}
	client, err := c.dial()
	if err != nil {
		return nil, err
	}
	answer, err := headwaterv1connect.NewRunServiceClient(client).GetRun(ctx, &headwaterv1.GetRunRequest{RunId: runID})
	if err != nil {
		find := runShowCommand{apiClient: *c, RunID: runID}
		failed := find.explainRun(err)
		if connect.CodeOf(err) == connect.CodeNotFound {
			failed = fmt.Errorf("%w; before anything of it has come, name its job: --job NAMESPACE NAME", failed)
		}
		return nil, failed
	}
	return answer.GetRun().GetJob(), nil
}

// explainRun says what to do about an error of GetRun.
func (c *runShowCommand) explainRun(err error) error {
	if connect.CodeOf(err) == connect.CodeNotFound {
		of := ""
		if job := c.Job.job; job != nil {
			of = fmt.Sprintf(" of job %s %s", shellWord(job.GetNamespace()), shellWord(job.GetName()))
		}
		return fmt.Errorf("there is no run %s%s that you may see: an event shows here within seconds after it was accepted", shellWord(c.RunID), of)
	}
	if candidates := candidatesOf(err); len(candidates) > 0 {
		return c.ambiguous(candidates)
	}
	return c.explain(err)
}

func candidatesOf(err error) []*headwaterv1.RunReference {
	var failed *connect.Error
	if !errors.As(err, &failed) {
		return nil
	}
	for _, detail := range failed.Details() {
		message, err := connectproto.UnmarshalErrorDetail(detail)
		if ambiguous, ok := message.(*headwaterv1.AmbiguousRun); ok && err == nil {
			return ambiguous.GetCandidates()
		}
	}
	return nil
}

// ambiguous lists the command for each run that may have been meant.
func (c *runShowCommand) ambiguous(candidates []*headwaterv1.RunReference) error {
	var text strings.Builder
	fmt.Fprintf(&text, "runs of %d jobs have the id %s; say which one:", len(candidates), shellWord(c.RunID))
	server := ""
	if c.Server != defaultServer {
		server = " --server " + shellWord(c.Server)
	}
	for _, run := range candidates {
		fmt.Fprintf(&text, "\n  headwater run show %s --job %s %s%s", shellWord(run.GetRunId()),
			shellWord(run.GetJob().GetNamespace()), shellWord(run.GetJob().GetName()), server)
	}
	return errors.New(text.String())
}

// shellWord quotes a word for a shell where that is needed.
func shellWord(word string) string {
	const plain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-./:@%+=,"
	if word != "" && strings.Trim(word, plain) == "" {
		return word
	}
	return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
}

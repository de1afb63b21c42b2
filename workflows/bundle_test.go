package workflows_test

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	sdkpb "go.temporal.io/api/sdk/v1"
	"go.temporal.io/sdk/activity"
	"go.temporal.io/sdk/testsuite"
	"go.temporal.io/sdk/workflow"

	"github.com/headwater-data/headwater/workflows"
	"github.com/headwater-data/headwater/workflows/contract"
)

// bundle runs one workflow against scripted activities. Time skips ahead whenever nothing happens.
type bundle struct {
	*testsuite.TestWorkflowEnvironment
	t *testing.T
}

func setup(t *testing.T) *bundle {
	t.Helper()
	t.Parallel()
	var suite testsuite.WorkflowTestSuite
	suite.SetLogger(quiet())
	env := suite.NewTestWorkflowEnvironment()
	env.SetTestTimeout(patience)
	register(env)
	return &bundle{TestWorkflowEnvironment: env, t: t}
}

// registry is where workflows are registered: a test environment, a replayer or a real worker.
type registry interface {
	RegisterWorkflowWithOptions(run any, options workflow.RegisterOptions)
}

// register registers the workflows as the worker does.
func register(r registry) {
	for name, run := range map[string]any{
		contract.RunLifecycleWorkflow: workflows.RunLifecycle,
		contract.ReweighWorkflow:      workflows.Reweigh,
		contract.ReplayWorkflow:       workflows.Replay,
		contract.ArchiveWorkflow:      workflows.Archive,
	} {
		r.RegisterWorkflowWithOptions(run, workflow.RegisterOptions{Name: name})
	}
}

// activities is where activities are registered: a test environment or a real worker.
type activities interface {
	RegisterActivityWithOptions(run any, options activity.RegisterOptions)
}

// script makes an activity of a function.
func script[Input, Result any](registry activities, name string, run func(Input) (Result, error)) {
	registry.RegisterActivityWithOptions(
		func(_ context.Context, input Input) (Result, error) { return run(input) },
		activity.RegisterOptions{Name: name})
}

// after calls back when the workflow has run for a while.
func (b *bundle) after(d time.Duration, call func()) { b.RegisterDelayedCallback(call, d) }

// page is what the Temporal UI shows of the workflow.
func (b *bundle) page() string {
	value, err := b.QueryWorkflow("__temporal_workflow_metadata")
	require.NoError(b.t, err)
	var metadata sdkpb.WorkflowMetadata
	require.NoError(b.t, value.Get(&metadata))
	return metadata.GetCurrentDetails()
}

func query[Answer any](b *bundle, name string) Answer {
	value, err := b.QueryWorkflow(name)
	require.NoError(b.t, err)
	var answer Answer
	require.NoError(b.t, value.Get(&answer))
	return answer
}

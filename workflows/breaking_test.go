package workflows_test

import (
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"go.temporal.io/sdk/interceptor"
	"go.temporal.io/sdk/temporal"
	"go.temporal.io/sdk/workflow"
)

// nondeterminism is the code of the errors by which Temporal says that code and history part.
const nondeterminism = "TMPRL1100"

// A replay that no change of the code can fail protects nobody. So each kind of change that would break workflows which
// are running is made here, and each history that has to do with it must fail.
func TestBreakingChangeFailsTheReplay(t *testing.T) {
	for name, test := range map[string]struct {
		histories string
		change    breakingChange
	}{
		"something new comes first":                             {"*", breakingChange{waitsFirst: true}},
		"a run is weighed by a scheduled activity":              {"run-*", breakingChange{schedules: true}},
		"a run's search attributes are set no more":             {"run-*", breakingChange{hidesAttributes: true}},
		"an activity has another name":                          {"replay-*", breakingChange{renames: true}},
		"the archive is written by an activity of another name": {"archive", breakingChange{renames: true}},
		"runs are told by an activity of another name":          {"reweigh", breakingChange{renames: true}},
		"a deadline is not waited for":                          {"run-timed-out", breakingChange{waitsNever: true}},
		"a settled run does not stay for late evidence":         {"run-stayed", breakingChange{waitsNever: true}},
	} {
		t.Run(name, func(t *testing.T) {
			for _, path := range recorded(t, test.histories) {
				require.ErrorContains(t, replayHistory(t, path, &breaking{change: test.change}), nondeterminism, filepath.Base(path))
			}
		})
	}
}

// breakingChange says how a workflow differs from the one whose history was recorded.
type breakingChange struct {
	waitsFirst      bool // sets a timer before all else
	waitsNever      bool // sets no timers
	schedules       bool // schedules what was run within the workflow's task
	renames         bool // schedules activities under other names
	hidesAttributes bool // sets no search attributes
}

// breaking changes what workflows ask of Temporal.
type breaking struct {
	interceptor.WorkerInterceptorBase
	change breakingChange
}

func (b *breaking) InterceptWorkflow(_ workflow.Context, next interceptor.WorkflowInboundInterceptor) interceptor.WorkflowInboundInterceptor {
	return &breakingInbound{WorkflowInboundInterceptorBase: interceptor.WorkflowInboundInterceptorBase{Next: next}, change: b.change}
}

type breakingInbound struct {
	interceptor.WorkflowInboundInterceptorBase
	change breakingChange
}

func (i *breakingInbound) Init(next interceptor.WorkflowOutboundInterceptor) error {
	return i.Next.Init(&breakingOutbound{WorkflowOutboundInterceptorBase: interceptor.WorkflowOutboundInterceptorBase{Next: next}, change: i.change})
}

func (i *breakingInbound) ExecuteWorkflow(ctx workflow.Context, input *interceptor.ExecuteWorkflowInput) (any, error) {
	if i.change.waitsFirst {
		_ = workflow.Sleep(ctx, time.Second)
	}
	return i.Next.ExecuteWorkflow(ctx, input)
}

type breakingOutbound struct {
	interceptor.WorkflowOutboundInterceptorBase
	change breakingChange
}

func (o *breakingOutbound) ExecuteLocalActivity(ctx workflow.Context, activityType string, args ...any) workflow.Future {
	if o.change.schedules {
		return o.Next.ExecuteActivity(workflow.WithStartToCloseTimeout(ctx, time.Minute), activityType, args...)
	}
	return o.Next.ExecuteLocalActivity(ctx, activityType, args...)
}

func (o *breakingOutbound) ExecuteActivity(ctx workflow.Context, activityType string, args ...any) workflow.Future {
	if o.change.renames {
		activityType += "2"
	}
	return o.Next.ExecuteActivity(ctx, activityType, args...)
}

func (o *breakingOutbound) UpsertTypedSearchAttributes(ctx workflow.Context, attributes ...temporal.SearchAttributeUpdate) error {
	if o.change.hidesAttributes {
		return nil
	}
	return o.Next.UpsertTypedSearchAttributes(ctx, attributes...)
}

func (o *breakingOutbound) AwaitWithOptions(ctx workflow.Context, options workflow.AwaitOptions, condition func() bool) (bool, error) {
	if o.change.waitsNever {
		return true, o.Next.Await(ctx, condition)
	}
	return o.Next.AwaitWithOptions(ctx, options, condition)
}

package e2e

import (
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"go.temporal.io/api/enums/v1"

	headwaterv1 "github.com/headwater-data/headwater/gen/headwater/v1"
	"github.com/headwater-data/headwater/lineage"
	"github.com/headwater-data/headwater/workflows/contract"
)

func (g *gated) key() lineage.RunKey {
	return lineage.RunKey{Job: lineage.JobID{Namespace: gatedNamespace, Name: g.job}, RunID: g.run}
}

func TestOnlyAComplete(t *testing.T) {
	g := newGated("only complete", "mart.only")
	g.tell(t, lineage.Complete, 10, "raw")
	run := g.becomes(t, lineage.Published)
	require.Equal(t, headwaterv1.RunState_RUN_STATE_COMPLETED, run.GetState())
	require.True(t, run.GetMissingStart())
	requireSources(t, g.output, "raw")
}

func TestStreamThatNeverEnds(t *testing.T) {
	g := newGated("stream", "topic.clicks")
	say := func(minute int, inputs ...string) {
		headwater.producer.send(t, event{
			kind: lineage.Running, at: g.at(minute), run: g.run, namespace: gatedNamespace, job: g.job,
			inputs: inputs, outputs: []string{g.output}, streaming: true,
		})
	}
	say(1, "topic.raw")
	require.Equal(t, headwaterv1.RunState_RUN_STATE_RUNNING, g.becomes(t, lineage.Published).GetState())
	requireSources(t, g.output, "topic.raw")
	say(30, "topic.more")
	requireSources(t, g.output, "topic.more")

	described, err := operator(t).DescribeWorkflow(t.Context(), contract.RunWorkflowID(g.key()), "")
	require.NoError(t, err)
	require.Equal(t, enums.WORKFLOW_EXECUTION_STATUS_RUNNING, described.Status)
	awaitQuiet(t, time.Minute)
	require.Nil(t, g.becomes(t, lineage.Published).GetEndedAt(), "nobody waits for its end")
}

// parented is an event of a run that another one started.
func (g *gated) parented(kind lineage.EventType, parent lineage.RunKey) event {
	return event{
		kind: kind, at: g.at(10), run: g.run, namespace: gatedNamespace, job: g.job,
		inputs: []string{"raw"}, outputs: []string{g.output}, parent: &parent,
	}
}

func TestParentAfterItsChildrenOrNever(t *testing.T) {
	for name, comes := range map[string]bool{"after": true, "never": false} {
		t.Run(name, func(t *testing.T) {
			parent := newGated("nightly "+name, "none")
			first, second := newGated("first task "+name, "mart.first."+name), newGated("second task "+name, "mart.second."+name)
			for _, child := range []*gated{first, second} {
				headwater.producer.send(t, child.parented(lineage.Complete, parent.key()))
				run := child.becomes(t, lineage.Published)
				require.Equal(t, parent.run, run.GetParent().GetRunId())
				require.Equal(t, parent.job, run.GetParent().GetJob().GetName())
			}
			listed, err := headwater.reader.Runs.ListRuns(t.Context(), &headwaterv1.ListRunsRequest{
				Parent: &headwaterv1.RunReference{RunId: parent.run, Job: &headwaterv1.Job{Namespace: gatedNamespace, Name: parent.job}},
			})
			require.NoError(t, err)
			require.Len(t, listed.GetRuns(), 2)
			if !comes {
				return
			}
			parent.tell(t, lineage.Start, 0, "")
			parent.tell(t, lineage.Complete, 20, "")
			within(t, patience, func() error {
				run, err := headwater.reader.run(t, parent.run)
				if err == nil && (run.GetState() != headwaterv1.RunState_RUN_STATE_COMPLETED || len(run.GetChildren()) != 2) {
					err = fmt.Errorf("the parent is %s and has %d children", run.GetState(), len(run.GetChildren()))
				}
				return err
			})
			require.Equal(t, headwaterv1.RunState_RUN_STATE_COMPLETED, first.becomes(t, lineage.Published).GetState())
		})
	}
}

func TestRunsOfANightAreListedWheneverTheirEventsCame(t *testing.T) {
	ran, other := newGated("nightly list", "mart.list"), newGated("nightly list", "mart.list")
	other.began = other.began.AddDate(0, 0, -1)
	ran.tell(t, lineage.Complete, 10, "raw")
	other.tell(t, lineage.Complete, 10, "raw") // of the night before, though it comes later
	ran.becomes(t, lineage.Published)
	other.becomes(t, lineage.Published)
	output := headwaterSays(t, "run", "list", "--job", gatedNamespace, ran.job,
		"--since", ran.began.UTC().Format("2006-01-02T15:04:05Z"), "--until", ran.at(60).UTC().Format("2006-01-02T15:04:05Z"))
	require.Contains(t, output, ran.run)
	require.NotContains(t, output, other.run)
}

func TestLateEvidenceStartsAWorkflowThatHasEnded(t *testing.T) {
	g := newGated("late fail", "mart.late fail")
	g.tell(t, lineage.Complete, 10, "raw")
	g.becomes(t, lineage.Published)
	first := g.ended(t)
	g.tell(t, lineage.Fail, 20, "")
	run := g.becomes(t, lineage.Diagnostic)
	require.NotEqual(t, first, g.ended(t), "another execution under the same id")

	wrong := run.GetEvents()[len(run.GetEvents())-1]
	g.withdraw(t, wrong)
	run = g.becomes(t, lineage.Published)
	require.Equal(t, headwaterv1.RunState_RUN_STATE_COMPLETED, run.GetState(), "what was withdrawn counts no more")
}

// ended waits until the workflow of the run has ended, and names its execution.
func (g *gated) ended(t *testing.T) (execution string) {
	t.Helper()
	temporal := operator(t)
	within(t, patience, func() error {
		described, err := temporal.DescribeWorkflow(t.Context(), contract.RunWorkflowID(g.key()), "")
		if err != nil {
			return err
		}
		if described.Status != enums.WORKFLOW_EXECUTION_STATUS_COMPLETED {
			return errors.New("it is " + described.Status.String())
		}
		execution = described.WorkflowExecution.RunID
		return nil
	})
	return execution
}

// withdraw takes an event out of the answers.
func (g *gated) withdraw(t *testing.T, wrong *headwaterv1.RunEvent) {
	t.Helper()
	response, err := headwater.admin.Admin.SubmitFacts(t.Context(), &headwaterv1.SubmitFactsRequest{Facts: []*headwaterv1.Fact{{
		Reason: "the scheduler reported it by mistake",
		Fact: &headwaterv1.Fact_EvidenceWithdrawn{EvidenceWithdrawn: &headwaterv1.EvidenceWithdrawn{
			Subject: &headwaterv1.EvidenceWithdrawn_Event{Event: &headwaterv1.EventReference{
				Producer: wrong.GetProducer(), EventId: wrong.GetEventId(),
			}},
		}},
	}}})
	require.NoError(t, err)
	require.NotNil(t, response.GetReceipts()[0].GetAccepted(), response.GetReceipts()[0].GetRejected().GetReason())
}

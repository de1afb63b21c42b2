package e2e

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"go.temporal.io/sdk/client"
	"google.golang.org/protobuf/types/known/timestamppb"

	headwaterv1 "github.com/headwater-data/headwater/gen/headwater/v1"
	"github.com/headwater-data/headwater/lineage"
	"github.com/headwater-data/headwater/workflows/contract"
)

// gatedNamespace is where outputs need what their names say.
const gatedNamespace = "e2e-gates"

const gateRules = `{"headwater": {"hidden": [], "gates": [
	{"namespace": "e2e-gates", "name": "checked.*", "gates": ["quality"], "wait": "1h"},
	{"namespace": "e2e-gates", "name": "brief.*", "gates": ["quality"], "wait": "2s", "at_timeout": "suspect"},
	{"namespace": "e2e-gates", "name": "live.*", "gates": ["commit", "quality"], "continuous": true},
	{"namespace": "e2e-gates", "name": "atomic.*", "gates": ["commit"], "wait": "1h"}]}}`

// gatedPolicies copies the default set into a directory and asks for gates.
func gatedPolicies(dir string) error {
	if err := os.CopyFS(dir, os.DirFS(filepath.Join(repository, "policies"))); err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(dir, "data.json"), []byte(gateRules), 0o644)
}

// gated is one run of a job that writes one output.
type gated struct {
	run, job, output string
	// began is the event time that minutes are counted from, in the past so that nothing is capped.
	began time.Time
}

func newGated(job, output string) *gated {
	return &gated{run: newRunID(), job: job, output: output, began: time.Now().Add(-2 * time.Hour)}
}

func (g *gated) at(minute int) time.Time { return g.began.Add(time.Duration(minute) * time.Minute) }

// tell sends an event of the run.
func (g *gated) tell(t *testing.T, kind lineage.EventType, minute int, input string) {
	t.Helper()
	e := event{kind: kind, at: g.at(minute), run: g.run, namespace: gatedNamespace, job: g.job}
	if input != "" {
		e.inputs, e.outputs = []string{input}, []string{g.output}
	}
	headwater.producer.send(t, e)
}

// mark says something of the output.
func (g *gated) mark(t *testing.T, kind headwaterv1.MarkerKind, gate string, minute int) {
	t.Helper()
	response, err := headwater.producer.Ingest.SubmitMarkers(t.Context(), &headwaterv1.SubmitMarkersRequest{Markers: []*headwaterv1.Marker{{
		RunId: g.run, Job: &headwaterv1.Job{Namespace: gatedNamespace, Name: g.job},
		Output: &headwaterv1.Dataset{Namespace: gatedNamespace, Name: g.output},
		Kind:   kind, Gate: gate, EventTime: timestamppb.New(g.at(minute)), Reason: "as the test says",
	}}})
	require.NoError(t, err)
	require.NotNil(t, response.GetReceipts()[0].GetAccepted(), response.GetReceipts()[0].GetRejected().GetReason())
}

// becomes waits until the output is published so, and gives the run.
func (g *gated) becomes(t *testing.T, want lineage.Publication) *headwaterv1.Run {
	t.Helper()
	var run *headwaterv1.Run
	within(t, patience, func() error {
		response, err := headwater.reader.Runs.GetRun(t.Context(), &headwaterv1.GetRunRequest{
			RunId: g.run, Job: &headwaterv1.Job{Namespace: gatedNamespace, Name: g.job},
		})
		if err != nil {
			return err
		}
		run = response.GetRun()
		if len(run.GetOutputs()) != 1 {
			return fmt.Errorf("the run has %d outputs", len(run.GetOutputs()))
		}
		if got := lineage.Publication(run.GetOutputs()[0].GetPublication()); got != want {
			return fmt.Errorf("the output is %s, not %s", got, want)
		}
		return nil
	})
	return run
}

const (
	committed  = headwaterv1.MarkerKind_MARKER_KIND_COMMITTED
	rolledBack = headwaterv1.MarkerKind_MARKER_KIND_ROLLED_BACK
	validated  = headwaterv1.MarkerKind_MARKER_KIND_VALIDATED
	passed     = headwaterv1.MarkerKind_MARKER_KIND_PASSED
	failedGate = headwaterv1.MarkerKind_MARKER_KIND_FAILED
)

func TestFailedRunThatWroteAPartition(t *testing.T) {
	before := newGated("load", "mart.partition")
	before.tell(t, lineage.Complete, -10, "old")
	before.becomes(t, lineage.Published)

	g := newGated("load", "mart.partition")
	g.tell(t, lineage.Start, 0, "new")
	g.tell(t, lineage.Fail, 10, "")
	g.becomes(t, lineage.Diagnostic)
	requireSources(t, g.output, "old")

	g.mark(t, committed, "", 9)
	g.becomes(t, lineage.Suspect)
	requireSources(t, g.output, "new")

	g.mark(t, validated, "", 20)
	g.becomes(t, lineage.Published)

	g.mark(t, rolledBack, "", 30)
	run := g.becomes(t, lineage.RolledBack)
	requireSources(t, g.output, "old")
	require.Len(t, run.GetMarkers(), 3, "it is kept as evidence")
	decisions := run.GetOutputs()[0].GetDecisions()
	require.Len(t, decisions, 4)
	require.Equal(t, g.at(30).UnixMicro(), decisions[3].GetUntil().AsTime().UnixMicro())
}

// requireSources waits until exactly one dataset feeds the output, looking back not at all.
func requireSources(t *testing.T, output, source string) {
	t.Helper()
	within(t, patience, func() error {
		got, err := headwater.reader.upstream(t, lineage.DatasetID{Namespace: gatedNamespace, Name: output}, 1)
		if err != nil {
			return err
		}
		if slices.ContainsFunc(got.GetEdges(), func(e *headwaterv1.Edge) bool {
			return e.GetPublication() == headwaterv1.Publication_PUBLICATION_ROLLED_BACK
		}) {
			return errors.New("what was rolled back shows")
		}
		if !slices.Contains(names(got), source) {
			return fmt.Errorf("it comes from %v", names(got))
		}
		return nil
	})
}

func TestQualityGateFirstOrLastGivesOneOutcome(t *testing.T) {
	for name, test := range map[string]struct {
		folder string // of outputs that wait for the gate, or do not
		kind   headwaterv1.MarkerKind
		before lineage.Publication
		want   lineage.Publication
	}{
		"passed, as the policy wants":    {"checked", passed, lineage.Pending, lineage.Published},
		"failed, as the policy does not": {"checked", failedGate, lineage.Pending, lineage.Rejected},
		"failed, though nobody asked":    {"mart", failedGate, lineage.Published, lineage.Suspect},
	} {
		t.Run(name, func(t *testing.T) {
			late, early := newGated("check late", test.folder+"."+name+".late"), newGated("check early", test.folder+"."+name+".early")
			late.tell(t, lineage.Complete, 10, "raw")
			late.becomes(t, test.before)
			late.mark(t, test.kind, "quality", 20)
			early.mark(t, test.kind, "quality", 20)
			early.tell(t, lineage.Complete, 10, "raw")
			late.becomes(t, test.want)
			early.becomes(t, test.want)
		})
	}
}

func TestCommitMarkerBeforeTheEndIsEnough(t *testing.T) {
	g := newGated("commit", "atomic.orders")
	g.mark(t, committed, "", 5)
	g.tell(t, lineage.Complete, 10, "raw")
	g.becomes(t, lineage.Published)
}

func TestGateOfWhichTheTimeIsUp(t *testing.T) {
	g := newGated("brief", "brief.orders")
	g.tell(t, lineage.Complete, 10, "raw")
	run := g.becomes(t, lineage.Suspect)
	require.Equal(t, "GateTimedOut", run.GetEvents()[len(run.GetEvents())-1].GetEventType())
	g.mark(t, passed, "quality", 11)
	g.becomes(t, lineage.Published)
}

func TestOperatorAnswersAGateInTemporal(t *testing.T) {
	g := newGated("asked", "checked.by hand")
	began := time.Now()
	g.tell(t, lineage.Complete, 10, "raw")
	id := contract.RunWorkflowID(lineage.RunKey{Job: lineage.JobID{Namespace: gatedNamespace, Name: g.job}, RunID: g.run})
	temporalClient := operator(t)
	within(t, patience, func() error {
		answered, err := temporalClient.QueryWorkflow(t.Context(), id, "", contract.WaitingForQuery)
		if err != nil {
			return err
		}
		var waiting contract.WaitingFor
		if err := answered.Get(&waiting); err != nil {
			return err
		}
		if !slices.Contains(waiting.Weighed.Gates, "quality") || waiting.Weighed.Deadline.IsZero() {
			return fmt.Errorf("the run waits for %s", waiting.For)
		}
		return nil
	})
	var decided []*headwaterv1.PublicationDecision
	within(t, patience, func() error {
		if decided = g.becomes(t, lineage.Pending).GetOutputs()[0].GetDecisions(); len(decided) != 1 {
			return fmt.Errorf("it has %d decisions, and none says that it waits", len(decided))
		}
		return nil
	})
	require.Equal(t, []string{"quality"}, decided[0].GetGates())
	require.WithinRange(t, decided[0].GetDeadline().AsTime(), began.Add(time.Hour), time.Now().Add(time.Hour))
	require.Contains(t, headwaterSays(t, "run", "show", g.run), "which ask for quality until ")
	answer := func(gate string) error {
		update, err := temporalClient.UpdateWorkflow(t.Context(), client.UpdateWorkflowOptions{
			WorkflowID: id, UpdateName: contract.AnswerGateUpdate, WaitForStage: client.WorkflowUpdateStageCompleted,
			Args: []any{contract.GateAnswer{
				Output: lineage.DatasetID{Namespace: gatedNamespace, Name: g.output}, Gate: gate, Passed: true, By: "ines", Reason: "looked at it",
			}},
		})
		if err != nil {
			return err
		}
		return update.Get(t.Context(), nil)
	}
	require.ErrorContains(t, answer("freshness"), "does not wait for the gate")
	require.NoError(t, answer("quality"))
	run := g.becomes(t, lineage.Published)
	require.Equal(t, "ines", run.GetMarkers()[0].GetBy())
}

func TestEndsThatDisagree(t *testing.T) {
	recovered, broken := newGated("recovered", "mart.recovered"), newGated("broken", "mart.broken")
	recovered.tell(t, lineage.Fail, 10, "raw")
	recovered.becomes(t, lineage.Diagnostic)
	recovered.tell(t, lineage.Complete, 20, "raw")
	broken.tell(t, lineage.Complete, 10, "raw")
	broken.becomes(t, lineage.Published)
	broken.tell(t, lineage.Fail, 20, "raw")
	require.True(t, recovered.becomes(t, lineage.Published).GetDisputed())
	require.True(t, broken.becomes(t, lineage.Diagnostic).GetDisputed())
}

func TestLateStartAndEmptyListsChangeNothing(t *testing.T) {
	g := newGated("late", "mart.late")
	g.tell(t, lineage.Complete, 10, "raw")
	g.becomes(t, lineage.Published)
	g.tell(t, lineage.Start, 0, "")
	g.tell(t, lineage.Running, 5, "")
	within(t, patience, func() error {
		if run := g.becomes(t, lineage.Published); len(run.GetEvents()) != 3 {
			return errors.New("the late events do not show yet")
		}
		return nil
	})
	run := g.becomes(t, lineage.Published)
	require.Equal(t, headwaterv1.RunState_RUN_STATE_COMPLETED, run.GetState())
	require.Len(t, run.GetInputs(), 1)
}

func TestOneRunIDUnderTwoJobsAndARetryBesideItsFailedAttempt(t *testing.T) {
	one, two := newGated("one", "mart.one"), newGated("two", "mart.two")
	two.run = one.run
	one.tell(t, lineage.Fail, 10, "raw")
	two.tell(t, lineage.Complete, 10, "raw")
	retry := newGated("one", "mart.one")
	retry.tell(t, lineage.Complete, 20, "raw")
	one.becomes(t, lineage.Diagnostic)
	two.becomes(t, lineage.Published)
	retry.becomes(t, lineage.Published)
}

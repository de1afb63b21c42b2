package e2e

import (
	"encoding/json/v2"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"go.temporal.io/sdk/client"

	"github.com/headwater-data/headwater/lineage"
	"github.com/headwater-data/headwater/workflows/contract"
)

// TestOperatorHasRunsWeighedUnderNewPolicies does what the Temporal UI does: it starts a workflow with one JSON payload under
// an id that it makes up, for a run whose workflow has ended and for one whose workflow waits.
func TestOperatorHasRunsWeighedUnderNewPolicies(t *testing.T) {
	ended, waiting := newGated("reweigh ended", "mart.reweighed"), newGated("reweigh waiting", "checked.reweighed")
	ended.tell(t, lineage.Complete, 10, "raw")
	waiting.tell(t, lineage.Complete, 10, "raw")
	ended.becomes(t, lineage.Published)
	waiting.becomes(t, lineage.Pending)
	ended.ended(t)

	// From now on the one needs a check, and the other does not.
	data, err := os.ReadFile(filepath.Join(headwater.Policies(), "data.json"))
	require.NoError(t, err)
	restore := hide(t, strings.Replace(string(data), `"gates": [`, `"gates": [
		{"namespace": "e2e-gates", "name": "mart.reweighed", "gates": ["quality"]},
		{"namespace": "e2e-gates", "name": "checked.reweighed", "gates": []},`, 1))
	defer restore()
	within(t, patience, func() error { // until the worker has seen the change
		reweigh(t, `{"runId": %q}`, ended.run)
		if ended.is(t) != lineage.Pending {
			return errors.New("it is published still")
		}
		return nil
	})
	decisions := ended.becomes(t, lineage.Pending).GetOutputs()[0].GetDecisions()
	require.Len(t, decisions, 2)
	require.NotEqual(t, decisions[0].GetPolicyRevision(), decisions[1].GetPolicyRevision())
	require.Equal(t, []string{"quality"}, decisions[1].GetGates())

	reweigh(t, `{"job": {"namespace": %q, "name": %q}, "publications": ["pending"]}`, gatedNamespace, waiting.job)
	waiting.becomes(t, lineage.Published)
}

// reweigh starts the workflow that has runs weighed again.
func reweigh(t *testing.T, format string, args ...any) {
	t.Helper()
	started, err := operator(t).ExecuteWorkflow(t.Context(), client.StartWorkflowOptions{TaskQueue: contract.TaskQueue},
		contract.ReweighWorkflow, payload(t, format, args...))
	require.NoError(t, err)
	var told contract.Reweighed
	require.NoError(t, started.Get(t.Context(), &told))
	require.Equal(t, 1, told.Runs)
}

// is tells how the output is published now.
func (g *gated) is(t *testing.T) lineage.Publication {
	t.Helper()
	run, err := headwater.reader.run(t, g.run)
	require.NoError(t, err)
	return lineage.Publication(run.GetOutputs()[0].GetPublication())
}

func TestOperatorIsToldWhatAnInputLacks(t *testing.T) {
	for workflow, want := range map[string]string{
		contract.ReweighWorkflow:      `the input names no runs; send {"runId":`,
		contract.RunLifecycleWorkflow: `the input names no run; send {"run":`,
	} {
		started, err := operator(t).ExecuteWorkflow(t.Context(), client.StartWorkflowOptions{TaskQueue: contract.TaskQueue},
			workflow, payload(t, `{"nothing": "that helps"}`))
		require.NoError(t, err)
		require.ErrorContains(t, started.Get(t.Context(), nil), want)
	}
}

// payload is what a person types into a form of the Temporal UI.
func payload(t *testing.T, format string, args ...any) map[string]any {
	t.Helper()
	var typed map[string]any
	require.NoError(t, json.Unmarshal(fmt.Appendf(nil, format, args...), &typed))
	return typed
}

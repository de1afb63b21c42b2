package e2e

import (
	"encoding/json/v2"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"go.temporal.io/sdk/client"

	"github.com/headwater-data/headwater/lineage"
	"github.com/headwater-data/headwater/workflows/contract"
)

// TestOperatorHasRunsWeighedUnderNewPolicies does what the Temporal UI does: it starts a workflow with one JSON payload, and
// sends a signal with one.
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
	temporal := operator(t)
	within(t, 20*time.Second, func() error { // the worker may not have seen the change yet
		started, err := temporal.ExecuteWorkflow(t.Context(),
			client.StartWorkflowOptions{ID: contract.RunWorkflowID(ended.key()), TaskQueue: contract.TaskQueue}, contract.RunLifecycleWorkflow,
			payload(t, `{"run": {"job": {"namespace": %q, "name": %q}, "runId": %q}}`, gatedNamespace, ended.job, ended.run))
		if err != nil {
			return err
		}
		var waits contract.WaitingFor
		answer, err := temporal.QueryWorkflow(t.Context(), started.GetID(), started.GetRunID(), contract.WaitingForQuery)
		if err != nil {
			return err
		}
		if err := answer.Get(&waits); err != nil {
			return err
		}
		if waits.For != "the gate quality" {
			return fmt.Errorf("it waits for %s", waits.For)
		}
		return nil
	})
	run := ended.becomes(t, lineage.Pending)
	decisions := run.GetOutputs()[0].GetDecisions()
	require.Len(t, decisions, 2)
	require.NotEqual(t, decisions[0].GetPolicyRevision(), decisions[1].GetPolicyRevision())
	require.Equal(t, []string{"quality"}, decisions[1].GetGates())

	require.NoError(t, temporal.SignalWorkflow(t.Context(), contract.RunWorkflowID(waiting.key()), "",
		contract.EvidenceSignal, payload(t, `{"offset": 0}`)))
	waiting.becomes(t, lineage.Published)
}

func TestOperatorIsToldWhatAnInputLacks(t *testing.T) {
	started, err := operator(t).ExecuteWorkflow(t.Context(), client.StartWorkflowOptions{TaskQueue: contract.TaskQueue},
		contract.RunLifecycleWorkflow, payload(t, `{"runId": "x"}`))
	require.NoError(t, err)
	require.ErrorContains(t, started.Get(t.Context(), nil), `the input names no run; send {"run":`)
}

// payload is what a person types into a form of the Temporal UI.
func payload(t *testing.T, format string, args ...any) map[string]any {
	t.Helper()
	var typed map[string]any
	require.NoError(t, json.Unmarshal(fmt.Appendf(nil, format, args...), &typed))
	return typed
}

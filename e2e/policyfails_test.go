package e2e

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"go.temporal.io/api/enums/v1"

	"github.com/headwater-data/headwater/lineage"
	"github.com/headwater-data/headwater/workflows/contract"
)

// TestRunWaitsWhileItsPolicyFailsAndSaysWhy adds a rule that names its gates wrongly, and takes it away again.
func TestRunWaitsWhileItsPolicyFailsAndSaysWhy(t *testing.T) {
	own := filepath.Join(headwater.Policies(), "own.rego")
	rule := "package headwater.publication\n\nown := {\"gate\": [\"quality\"]} if startswith(input.job.name, \"misspelt\")\n"
	require.NoError(t, os.WriteFile(own, []byte(rule), 0o600))
	t.Cleanup(func() { _ = os.Remove(own) })

	var failing *gated
	within(t, patience, func() error { // until the worker has seen the rule
		failing = newGated("misspelt", "mart.misspelt")
		failing.tell(t, lineage.Complete, 10, "raw")
		return failing.failsWith(t, `unknown object member name "gate"`)
	})
	require.Equal(t, lineage.Pending, failing.is(t))

	require.NoError(t, os.Remove(own))
	within(t, 2*patience, func() error {
		if failing.is(t) != lineage.Published {
			return errors.New("it waits still")
		}
		return nil
	})
}

// failsWith looks whether the workflow of the run shows an error, until it has decided the run.
func (g *gated) failsWith(t *testing.T, message string) error {
	t.Helper()
	temporal := operator(t)
	for deadline := time.Now().Add(patience); time.Now().Before(deadline); {
		described, err := temporal.DescribeWorkflow(t.Context(), contract.RunWorkflowID(g.key()), "")
		if err == nil {
			for _, pending := range described.RawResponse.GetPendingActivities() {
				if strings.Contains(pending.GetLastFailure().GetMessage(), message) {
					return nil
				}
			}
			if described.Status == enums.WORKFLOW_EXECUTION_STATUS_COMPLETED {
				return errors.New("its workflow has decided it")
			}
		}
		time.Sleep(50 * time.Millisecond) //nolint:forbidigo // a weighing that fails is tried thrice before it shows
	}
	return errors.New("its workflow shows no such error")
}

package e2e

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

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
	within(t, 30*time.Second, func() error { // until the worker has seen the rule
		failing = newGated("misspelt", "mart.misspelt")
		failing.tell(t, lineage.Complete, 10, "raw")
		return failing.failsWith(t, `unknown object member name "gate"`)
	})
	require.Equal(t, lineage.Pending, failing.is(t))

	require.NoError(t, os.Remove(own))
	within(t, 45*time.Second, func() error {
		if failing.is(t) != lineage.Published {
			return errors.New("it waits still")
		}
		return nil
	})
}

// failsWith looks a while whether the workflow of the run shows an error.
func (g *gated) failsWith(t *testing.T, message string) error {
	t.Helper()
	temporal := operator(t)
	for range 40 {
		described, err := temporal.DescribeWorkflow(t.Context(), contract.RunWorkflowID(g.key()), "")
		if err == nil {
			for _, pending := range described.RawResponse.GetPendingActivities() {
				if strings.Contains(pending.GetLastFailure().GetMessage(), message) {
					return nil
				}
			}
		}
		time.Sleep(50 * time.Millisecond) //nolint:forbidigo // a weighing that fails is tried thrice before it shows
	}
	return errors.New("its workflow shows no such error")
}

package policy_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/headwater-data/headwater/lineage"
	"github.com/headwater-data/headwater/policy"
)

var dailyOrders = policy.PublicationInput{
	Run: lineage.RunKey{
		Job:   lineage.JobID{Namespace: "spark-prod", Name: "daily_orders"},
		RunID: "53ee3770-86fa-4cb9-8c31-a09072dd88f7",
	},
	State:  lineage.RunCompleted,
	Mode:   lineage.Batch,
	Output: lineage.DatasetID{Namespace: "warehouse", Name: "mart.daily_orders"},
}

func TestDefaultAsksForNoGate(t *testing.T) {
	t.Parallel()
	engine := load(t, "")
	requirement, err := engine.Publication(t.Context(), dailyOrders)
	require.NoError(t, err)
	require.Equal(t, lineage.Requirement{PolicyRevision: engine.Revision()}, requirement)
}

func TestPolicySeesRunJobAndOutput(t *testing.T) {
	t.Parallel()
	engine := load(t, defaults(t, map[string]string{"publication_test.rego": "", "finance.rego": `package headwater.publication

gates := ["quality", "commit"] if {
	input.run == {"id": "53ee3770-86fa-4cb9-8c31-a09072dd88f7", "state": "COMPLETED", "processingType": "BATCH"}
	input.job == {"namespace": "spark-prod", "name": "daily_orders"}
	input.output == {"namespace": "warehouse", "name": "mart.daily_orders"}
}
`}))
	requirement, err := engine.Publication(t.Context(), dailyOrders)
	require.NoError(t, err)
	require.Equal(t, []string{"quality", "commit"}, requirement.Gates)
}

func TestUnusableGatesAreAnError(t *testing.T) {
	t.Parallel()
	for name, rule := range map[string]string{
		"undefined":     `gates := [] if input.run.state == "FAILED"`,
		"not a list":    `gates := "quality"`,
		"not all names": `gates := ["quality", 1]`,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			engine := load(t, defaults(t, map[string]string{
				"publication.rego": "package headwater.publication\n\n" + rule + "\n", "publication_test.rego": "",
			}))
			_, err := engine.Publication(t.Context(), dailyOrders)
			require.ErrorIs(t, err, policy.ErrUndecided)
		})
	}
}

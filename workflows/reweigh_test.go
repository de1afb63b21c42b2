package workflows_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/headwater-data/headwater/lineage"
	"github.com/headwater-data/headwater/workflows/contract"
)

func TestReweighTellsHowManyRunsAreWeighedAgain(t *testing.T) {
	b := setup(t)
	input := contract.Reweigh{Job: dailyOrders.Job, Publications: []string{"pending", "suspect"}}
	var told []contract.Reweigh
	script(b, contract.TellRunsActivity, func(input contract.Reweigh) (contract.Reweighed, error) {
		told = append(told, input)
		return contract.Reweighed{Runs: 42}, nil
	})
	b.ExecuteWorkflow(contract.ReweighWorkflow, input)
	require.NoError(t, b.GetWorkflowError())
	require.Equal(t, []contract.Reweigh{input}, told)
	require.Contains(t, b.page(), "42")
}

func TestReweighRefusesWhatNamesNoRuns(t *testing.T) {
	for want, input := range map[string]contract.Reweigh{
		"names no runs":               {Since: time.Unix(0, 0)},
		"needs both":                  {Job: lineage.JobID{Name: "daily_orders"}},
		"is no publication":           {Publications: []string{"PENDING"}},
		`so leave out "publications"`: {RunID: "r1", Publications: []string{"pending"}},
	} {
		t.Run(want, func(t *testing.T) {
			b := setup(t)
			b.ExecuteWorkflow(contract.ReweighWorkflow, input)
			require.ErrorContains(t, b.GetWorkflowError(), want)
		})
	}
}

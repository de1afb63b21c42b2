package worker_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"
	"go.temporal.io/sdk/client"

	"github.com/headwater-data/headwater/lineage"
	"github.com/headwater-data/headwater/projection"
	"github.com/headwater-data/headwater/workflows/contract"
)

// reweigh starts the workflow that has runs weighed again, and returns how many those are.
func (b *bundle) reweigh(c client.Client, input contract.Reweigh) (int, error) {
	b.t.Helper()
	run, err := c.ExecuteWorkflow(b.t.Context(), client.StartWorkflowOptions{TaskQueue: contract.TaskQueue}, contract.ReweighWorkflow, input)
	require.NoError(b.t, err)
	var told contract.Reweighed
	err = run.Get(b.t.Context(), &told)
	return told.Runs, err
}

func TestRunsAreWeighedAgainUnderThePoliciesOfNow(t *testing.T) {
	b := setup(t)
	_, stop := b.start()
	const runs = 5
	keys := make([]lineage.RunKey, runs)
	for i := range keys {
		keys[i] = run(fmt.Sprint("run-", i))
		b.complete(keys[i])
	}
	for _, key := range keys {
		b.awaitRun(key, published)
	}
	stop()
	b.policies = gatedPolicies(t)
	b.start()
	c := b.temporal()

	told, err := b.reweigh(c, contract.Reweigh{RunID: "RUN-0"})
	require.NoError(t, err)
	require.Equal(t, 1, told)
	b.awaitRun(keys[0], held)
	require.True(t, published(b.stored(keys[1])), "nobody asked for it")

	told, err = b.reweigh(c, contract.Reweigh{Job: keys[0].Job, Publications: []string{"published"}})
	require.NoError(t, err)
	require.Equal(t, runs-1, told)
	for _, key := range keys {
		b.awaitRun(key, held)
	}

	told, err = b.reweigh(c, contract.Reweigh{Publications: []string{"pending"}, Until: morning})
	require.NoError(t, err)
	require.Zero(t, told, "none began before")
	_, err = b.reweigh(c, contract.Reweigh{RunID: "unheard of"})
	require.ErrorContains(t, err, "no event of run unheard of is in the log")
}

func TestRunIDOfSeveralJobsNeedsTheJob(t *testing.T) {
	b := setup(t)
	b.start()
	one, other := run("shared"), run("shared")
	other.Job.Name = "other"
	b.complete(one)
	b.complete(other)
	b.awaitRun(one, published)
	b.awaitRun(other, published)
	c := b.temporal()
	_, err := b.reweigh(c, contract.Reweigh{RunID: "shared"})
	require.ErrorContains(t, err, `add the "job", one of: daily_orders in spark-prod, other in spark-prod`)
	told, err := b.reweigh(c, contract.Reweigh{RunID: "shared", Job: other.Job})
	require.NoError(t, err)
	require.Equal(t, 1, told)
}

func (b *bundle) stored(key lineage.RunKey) projection.StoredRun {
	b.t.Helper()
	stored, err := b.projections.Run(b.t.Context(), key.Hash())
	require.NoError(b.t, err)
	return stored
}

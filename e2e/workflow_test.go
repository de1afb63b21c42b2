package e2e

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"go.temporal.io/api/enums/v1"
	sdk "go.temporal.io/api/sdk/v1"
	"go.temporal.io/sdk/temporal"

	"github.com/headwater-data/headwater/lineage"
	"github.com/headwater-data/headwater/workflows/contract"
)

func TestTemporalShowsTheRun(t *testing.T) {
	complete := event{
		kind: lineage.Complete, at: time.Now(), run: newRunID(), namespace: "e2e-workflow", job: "daily_orders",
		inputs: []string{"raw.orders"}, outputs: []string{"mart.daily_orders"},
	}
	headwater.producer.send(t, complete)
	key := lineage.RunKey{Job: lineage.JobID{Namespace: complete.namespace, Name: complete.job}, RunID: complete.run}
	id := contract.RunWorkflowID(key)
	require.Equal(t, "run/"+complete.run+"/"+key.Job.Hash().Short(), id)

	temporalClient := operator(t)
	within(t, patience, func() error {
		described, err := temporalClient.DescribeWorkflow(t.Context(), id, "")
		if err == nil && described.Status != enums.WORKFLOW_EXECUTION_STATUS_COMPLETED {
			err = fmt.Errorf("the workflow is %s", described.Status)
		}
		return err
	})
	described, err := temporalClient.DescribeWorkflow(t.Context(), id, "")
	require.NoError(t, err)
	require.Equal(t, contract.RunLifecycleWorkflow, described.WorkflowType.Name)
	for key, want := range map[temporal.SearchAttributeKeyKeyword]string{
		contract.NamespaceAttribute:   complete.namespace,
		contract.JobAttribute:         complete.job,
		contract.RunStateAttribute:    "COMPLETED",
		contract.PublicationAttribute: "published",
	} {
		got, ok := described.TypedSearchAttributes.GetKeyword(key)
		require.True(t, ok, key.GetName())
		require.Equal(t, want, got, key.GetName())
	}
	summary, err := described.GetStaticSummary()
	require.NoError(t, err)
	require.Contains(t, summary, complete.job)

	encoded, err := temporalClient.QueryWorkflow(t.Context(), id, "", "__temporal_workflow_metadata")
	require.NoError(t, err)
	var metadata sdk.WorkflowMetadata
	require.NoError(t, encoded.Get(&metadata))
	require.Contains(t, metadata.GetCurrentDetails(), "COMPLETED")
	require.Contains(t, metadata.GetCurrentDetails(), "1 published")
}

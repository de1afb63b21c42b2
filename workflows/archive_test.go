package workflows_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"
	"go.temporal.io/sdk/activity"

	"github.com/headwater-data/headwater/workflows/contract"
)

func TestArchiveTellsHowFarItIs(t *testing.T) {
	b := setup(t)
	written := contract.Archived{Segments: 2, Events: 70_000, Refused: 12, Bytes: 1 << 20, Last: 90_000}
	b.RegisterActivityWithOptions(func(context.Context) (contract.Archived, error) { return written, nil },
		activity.RegisterOptions{Name: contract.WriteSegmentsActivity})
	b.ExecuteWorkflow(contract.ArchiveWorkflow, contract.Archive{})

	require.NoError(t, b.GetWorkflowError())
	var archived contract.Archived
	require.NoError(t, b.GetWorkflowResult(&archived))
	require.Equal(t, written, archived)
	require.Contains(t, b.page(), "12 refused documents")
	require.Contains(t, b.page(), "whole up to offset 90000")
}

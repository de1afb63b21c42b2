package testenv_test

import (
	"testing"

	"github.com/stretchr/testify/require"
	"go.temporal.io/sdk/client"
	sdk "go.temporal.io/sdk/temporal"

	"github.com/headwater-data/headwater/internal/testenv"
	"github.com/headwater-data/headwater/workflows/contract"
)

func TestBucketsAreApart(t *testing.T) {
	first, second := testenv.S3(t), testenv.S3(t)
	require.Equal(t, first.Endpoint, second.Endpoint)
	require.NotEqual(t, first.Bucket, second.Bucket)
}

func TestNamespaceKnowsTheSearchAttributes(t *testing.T) {
	hostPort, namespace := testenv.Temporal(t)
	c, err := client.Dial(client.Options{HostPort: hostPort, Namespace: namespace})
	require.NoError(t, err)
	defer c.Close()

	for _, key := range contract.SearchAttributes() {
		_, err = c.ExecuteWorkflow(t.Context(), client.StartWorkflowOptions{
			ID: key.GetName(), TaskQueue: "nobody", TypedSearchAttributes: sdk.NewSearchAttributes(key.ValueSet("any")),
		}, "Any")
		require.NoError(t, err)
	}
}

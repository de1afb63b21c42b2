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

	for _, attribute := range []sdk.SearchAttributeUpdate{
		contract.JobAttribute.ValueSet("any"), contract.NamespaceAttribute.ValueSet("any"), contract.RunStateAttribute.ValueSet("any"),
		contract.PublicationAttribute.ValueSet("any"), contract.GatesAttribute.ValueSet([]string{"any", "other"}),
	} {
		_, err = c.ExecuteWorkflow(t.Context(), client.StartWorkflowOptions{
			TaskQueue: "nobody", TypedSearchAttributes: sdk.NewSearchAttributes(attribute),
		}, "Any")
		require.NoError(t, err)
	}
}

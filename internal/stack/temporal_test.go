package stack

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"
	"go.temporal.io/api/operatorservice/v1"
	"go.temporal.io/sdk/client"

	"github.com/headwater-data/headwater/workflows/contract"
)

func TestTemporalKeepsItsWorkflowsAcrossStarts(t *testing.T) {
	dir := t.TempDir()
	temporal := startTestTemporal(t, dir)
	_, err := dial(t, temporal).ExecuteWorkflow(t.Context(), client.StartWorkflowOptions{ID: "kept", TaskQueue: "nobody"}, "Any")
	require.NoError(t, err)
	temporal.Stop()

	temporal = startTestTemporal(t, dir)
	_, err = dial(t, temporal).DescribeWorkflow(t.Context(), "kept", "")
	require.NoError(t, err)
}

func TestTemporalOfAnEarlierVersionLearnsTheSearchAttributes(t *testing.T) {
	dir := t.TempDir()
	temporal := startTestTemporal(t, dir)
	gates := contract.GatesAttribute
	_, err := dial(t, temporal).OperatorService().RemoveSearchAttributes(t.Context(), &operatorservice.RemoveSearchAttributesRequest{
		Namespace: client.DefaultNamespace, SearchAttributes: []string{gates.GetName()},
	})
	require.NoError(t, err)
	temporal.Stop()

	temporal = startTestTemporal(t, dir)
	known, err := dial(t, temporal).OperatorService().ListSearchAttributes(t.Context(), &operatorservice.ListSearchAttributesRequest{
		Namespace: client.DefaultNamespace,
	})
	require.NoError(t, err)
	require.Equal(t, gates.GetValueType(), known.GetCustomAttributes()[gates.GetName()])
}

func startTestTemporal(t *testing.T, dir string) *Temporal {
	t.Helper()
	uiPort, err := FreePort()
	require.NoError(t, err)
	temporal, err := StartTemporal(context.Background(), TemporalConfig{
		Binary: "../../.bin/temporal", Dir: dir, UIPort: uiPort,
	})
	require.NoError(t, err)
	t.Cleanup(temporal.Stop)
	return temporal
}

func dial(t *testing.T, temporal *Temporal) client.Client {
	t.Helper()
	c, err := client.DialContext(t.Context(), client.Options{HostPort: temporal.HostPort()})
	require.NoError(t, err)
	t.Cleanup(c.Close)
	return c
}

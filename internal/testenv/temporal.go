package testenv

import (
	"context"
	"crypto/rand"
	"log/slog"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"go.temporal.io/api/enums/v1"
	"go.temporal.io/api/operatorservice/v1"
	"go.temporal.io/api/workflowservice/v1"
	"go.temporal.io/sdk/client"
	"go.temporal.io/sdk/log"
	"google.golang.org/protobuf/types/known/durationpb"

	"github.com/headwater-data/headwater/internal/stack"
	"github.com/headwater-data/headwater/workflows/contract"
)

var temporal = server{
	variable: "HEADWATER_TEST_TEMPORAL_ADDRESS",
	start: func(ctx context.Context, dir string) (process, string, error) {
		binary, err := tool("temporal")
		if err != nil {
			return nil, "", err
		}
		temporal, err := stack.StartTemporal(ctx, stack.TemporalConfig{Binary: binary, Dir: dir})
		if err != nil {
			return nil, "", err
		}
		return temporal, temporal.HostPort(), nil
	},
}

// Temporal returns the address of a Temporal server and a fresh namespace in it that knows Headwater's search
// attributes. Task queues and workflow ids of different namespaces are apart. The namespace goes with the server.
func Temporal(t testing.TB) (hostPort, namespace string) {
	t.Helper()
	hostPort = temporal.require(t)
	namespace = "test-" + strings.ToLower(rand.Text())
	c, err := client.DialContext(t.Context(), client.Options{
		HostPort: hostPort, Logger: log.NewStructuredLogger(slog.New(slog.DiscardHandler)),
	})
	require.NoError(t, err)
	defer c.Close()

	_, err = c.WorkflowService().RegisterNamespace(t.Context(), &workflowservice.RegisterNamespaceRequest{
		Namespace: namespace, WorkflowExecutionRetentionPeriod: durationpb.New(24 * time.Hour),
	})
	require.NoError(t, err)
	attributes := map[string]enums.IndexedValueType{}
	for _, attribute := range contract.SearchAttributes() {
		attributes[attribute.GetName()] = attribute.GetValueType()
	}
	_, err = c.OperatorService().AddSearchAttributes(t.Context(), &operatorservice.AddSearchAttributesRequest{
		Namespace: namespace, SearchAttributes: attributes,
	})
	require.NoError(t, err)
	return hostPort, namespace
}

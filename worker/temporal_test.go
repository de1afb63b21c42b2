package worker

import (
	"log/slog"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"go.temporal.io/api/enums/v1"
	"go.temporal.io/api/operatorservice/v1"
	"go.temporal.io/sdk/client"
	"go.temporal.io/sdk/log"

	"github.com/headwater-data/headwater/internal/testenv"
	"github.com/headwater-data/headwater/workflows/contract"
)

func dialTemporal(t *testing.T) (c client.Client, namespace string) {
	t.Helper()
	hostPort, namespace := testenv.Temporal(t)
	c, err := client.DialContext(t.Context(), client.Options{
		HostPort: hostPort, Namespace: namespace, Logger: log.NewStructuredLogger(slog.New(slog.DiscardHandler)),
	})
	require.NoError(t, err)
	t.Cleanup(c.Close)
	return c, namespace
}

func TestMissingSearchAttributesAreRegistered(t *testing.T) {
	t.Parallel()
	c, namespace := dialTemporal(t)
	missing := contract.PublicationAttribute.GetName()
	_, err := c.OperatorService().RemoveSearchAttributes(t.Context(), &operatorservice.RemoveSearchAttributesRequest{
		Namespace: namespace, SearchAttributes: []string{missing},
	})
	require.NoError(t, err)

	for range 2 {
		require.NoError(t, ensureSearchAttributes(t.Context(), c, namespace, slog.New(slog.DiscardHandler)))
	}
	known, err := c.OperatorService().ListSearchAttributes(t.Context(), &operatorservice.ListSearchAttributesRequest{Namespace: namespace})
	require.NoError(t, err)
	require.Contains(t, known.GetCustomAttributes(), missing)
}

func TestSearchAttributeOfAnotherTypeIsNamed(t *testing.T) {
	t.Parallel()
	c, namespace := dialTemporal(t)
	name := contract.GatesAttribute.GetName()
	_, err := c.OperatorService().RemoveSearchAttributes(t.Context(), &operatorservice.RemoveSearchAttributesRequest{
		Namespace: namespace, SearchAttributes: []string{name},
	})
	require.NoError(t, err)
	_, err = c.OperatorService().AddSearchAttributes(t.Context(), &operatorservice.AddSearchAttributesRequest{
		Namespace: namespace, SearchAttributes: map[string]enums.IndexedValueType{name: enums.INDEXED_VALUE_TYPE_INT},
	})
	require.NoError(t, err)
	err = ensureSearchAttributes(t.Context(), c, namespace, slog.New(slog.DiscardHandler))
	require.ErrorContains(t, err, name+" as Int, and runs need it as KeywordList")
}

func TestArchiveScheduleFollowsTheSetting(t *testing.T) {
	t.Parallel()
	c, _ := dialTemporal(t)
	for _, interval := range []time.Duration{time.Minute, time.Minute, time.Hour} {
		require.NoError(t, ensureArchiveSchedule(t.Context(), c, interval))
		described, err := c.ScheduleClient().GetHandle(t.Context(), contract.ArchiveID).Describe(t.Context())
		require.NoError(t, err)
		require.Len(t, described.Schedule.Spec.Intervals, 1)
		require.Equal(t, interval, described.Schedule.Spec.Intervals[0].Every)
	}
}

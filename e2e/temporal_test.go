package e2e

import (
	"log/slog"
	"testing"

	"github.com/stretchr/testify/require"
	"go.temporal.io/sdk/client"
	"go.temporal.io/sdk/log"
)

// operator is a connection to Temporal, as its UI has one.
func operator(t *testing.T) client.Client {
	t.Helper()
	c, err := client.DialContext(t.Context(), client.Options{
		HostPort: headwater.TemporalAddress(), Logger: log.NewStructuredLogger(slog.New(slog.DiscardHandler)),
	})
	require.NoError(t, err)
	t.Cleanup(c.Close)
	return c
}

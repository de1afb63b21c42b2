package e2e

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestEventIsLookedAtByTheOffsetThatTheCommandPrinted(t *testing.T) {
	t.Parallel()
	offset := stated(t, "node", "own", "e2e-event", "orders", "--owner", "team:shop", "--reason", "pwd=hunter2 as agreed")
	shown := headwaterSays(t, "event", "show", offset)
	require.Contains(t, shown, "event at offset "+offset+" OwnerRegistered")
	require.Contains(t, shown, "sent by   operator")
	require.Contains(t, shown, `"team:shop"`)
	require.NotContains(t, shown, "hunter2")
	require.Contains(t, headwaterSays(t, "event", "show", offset, "--raw"), `"reason":"pwd=*** as agreed"`)
	require.Contains(t, headwaterSays(t, "event", "show", offset, "--json"), `"redacted": true`)
}

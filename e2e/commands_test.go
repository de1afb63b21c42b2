package e2e

import (
	"encoding/json/v2"
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

func TestPrincipalsAreListedForPrograms(t *testing.T) {
	t.Parallel()
	for kind, member := range map[string]string{"producer": "namespaces", "user": "roles"} {
		var listed []map[string]any
		require.NoError(t, json.Unmarshal([]byte(headwaterSays(t, kind, "list", "--json")), &listed))
		require.NotEmpty(t, listed)
		require.NotEmpty(t, listed[0][member])
		require.NotEmpty(t, listed[0]["createdAt"])
	}
}

package gateway

import (
	"log/slog"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/headwater-data/headwater/policies"
	"github.com/headwater-data/headwater/policy"
)

func TestAnswersOfPolicyAreRememberedForTheSameQuestionOnly(t *testing.T) {
	t.Parallel()
	engine, err := policy.Load(t.Context(), policy.Config{Default: policies.Files, Log: slog.New(slog.DiscardHandler)})
	require.NoError(t, err)
	p := newPermissions(engine)
	const question, door = "/headwater.v1.RunService/GetRun", "POST /api/v1/lineage"
	reader := policy.Principal{Name: "mara", Kind: policy.User, Roles: []string{"reader"}}
	for range 2 {
		decision, err := p.authorize(t.Context(), reader, question)
		require.NoError(t, err)
		require.True(t, decision.Allow)
		decision, err = p.authorize(t.Context(), reader, door)
		require.NoError(t, err)
		require.False(t, decision.Allow)
		require.Contains(t, decision.Reason, "mara")
	}
	require.Len(t, p.known, 2)
	reader.Roles = nil
	decision, err := p.authorize(t.Context(), reader, question)
	require.NoError(t, err)
	require.False(t, decision.Allow, "who lost a role is asked about again")
}

func TestAPermissionIsForAllThatPolicyIsTold(t *testing.T) {
	t.Parallel()
	caller := policy.Principal{Name: "mara", Kind: policy.User, Roles: []string{"a", "b"}}
	key := permissionKey("revision", caller, "procedure")
	require.NotEqual(t, key, permissionKey("another", caller, "procedure"))
	require.NotEqual(t, key, permissionKey("revision", caller, "another"))
	caller.Roles = []string{"ab"}
	require.NotEqual(t, key, permissionKey("revision", caller, "procedure"))
	caller.Roles, caller.Namespaces = []string{"a"}, []string{"b"}
	require.NotEqual(t, key, permissionKey("revision", caller, "procedure"))
}

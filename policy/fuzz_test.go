package policy_test

import (
	"log/slog"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/headwater-data/headwater/policies"
	"github.com/headwater-data/headwater/policy"
)

// FuzzSet requires of any module and any data: the set is refused as a whole, or decides.
func FuzzSet(f *testing.F) {
	f.Add("package headwater.extra\n", `{"headwater": {"hidden": []}}`)
	f.Add("package headwater.visibility\nnodes contains x if x := input.nodes[_]\n", `{"headwater": {"hidden": [{"namespace": "[", "name": 1}]}}`)
	f.Add("package headwater.authz\nallow := http.send({})\n", `null`)
	f.Fuzz(func(t *testing.T, module, data string) {
		if module == "" || data == "" {
			return // removes the file
		}
		dir := defaults(t, map[string]string{"extra.rego": module, "data.json": data})
		engine, err := policy.Load(t.Context(), policy.Config{Dir: dir, Log: slog.New(slog.DiscardHandler)})
		if err != nil {
			require.NotEmpty(t, err.Error())
			return
		}
		require.NotEmpty(t, engine.Revision())
		_, _ = engine.Authorize(t.Context(), reader, traverse)
	})
}

// FuzzAuthorize requires that no name of a caller, a role or a procedure breaks a decision or opens a door: one with no
// role may ask nothing.
func FuzzAuthorize(f *testing.F) {
	engine, err := policy.Load(f.Context(), policy.Config{Default: policies.Files, Log: slog.New(slog.DiscardHandler)})
	require.NoError(f, err)
	f.Add("mara", "reader", traverse)
	f.Add("\x00\xff", "admin\n", "/../"+submit)
	f.Add("", "", "")
	f.Fuzz(func(t *testing.T, name, role, procedure string) {
		caller := policy.Principal{Name: name, Kind: policy.User, Roles: []string{role}}
		_, err := engine.Authorize(t.Context(), caller, procedure)
		require.NoError(t, err)
		caller.Roles = nil
		decision, err := engine.Authorize(t.Context(), caller, procedure)
		require.NoError(t, err)
		require.False(t, decision.Allow)
	})
}

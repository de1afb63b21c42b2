package policies_test

import (
	"io/fs"
	"testing"

	"github.com/open-policy-agent/opa/v1/format"
	"github.com/stretchr/testify/require"

	"github.com/headwater-data/headwater/policies"
	"github.com/headwater-data/headwater/policy"
)

// TestRego runs the tests that stand beside the policies.
func TestRego(t *testing.T) {
	results, err := policy.Test(t.Context(), policies.Files)
	require.NoError(t, err)
	require.NotEmpty(t, results)
	for _, result := range results {
		t.Run(result.Name, func(t *testing.T) {
			if result.Problem != "" {
				t.Errorf("%s: %s", result.Location, result.Problem)
			}
		})
	}
}

func TestRegoIsFormatted(t *testing.T) {
	names, err := fs.Glob(policies.Files, "*.rego")
	require.NoError(t, err)
	for _, name := range names {
		written, err := fs.ReadFile(policies.Files, name)
		require.NoError(t, err)
		formatted, err := format.Source(name, written)
		require.NoError(t, err)
		require.Equal(t, string(formatted), string(written), "%s: run opa fmt -w on it", name)
	}
}

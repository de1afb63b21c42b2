package policy_test

import (
	"log/slog"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/headwater-data/headwater/policies"
	"github.com/headwater-data/headwater/policy"
)

func TestBadSetIsAnErrorAtStart(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		files map[string]string
		want  []string
	}{
		"syntax": {
			files: map[string]string{"authz.rego": "package headwater.authz\n\nallow if {"},
			want:  []string{"authz.rego:3", "rego_parse_error"},
		},
		"every bad file is named": {
			files: map[string]string{"a.rego": "packag a", "b.rego": "packag b", "data.json": "{"},
			want:  []string{"a.rego:1", "b.rego:1", "data.json"},
		},
		"missing entry points": {
			files: map[string]string{
				"publication.rego":      "package headwater.publication\n\nready := true\n",
				"publication_test.rego": "",
				"visibility.rego":       "package headwater.visibility\n\ndecisions := {}\n",
				"visibility_test.rego":  "",
			},
			want: []string{"no rule defines data.headwater.publication.requirement", "no rule defines data.headwater.visibility.restricted"},
		},
		"a test of its own fails": {
			files: map[string]string{"more_test.rego": "package more_test\n\ntest_sum if 1 + 1 == 3\n"},
			want:  []string{"more_test.rego:3", "data.more_test.test_sum", "failed"},
		},
		"one case of a test fails": {
			files: map[string]string{"more_test.rego": `package more_test

test_even[note] if {
	some note, n in {"two": 2, "three": 3}
	n % 2 == 0
}
`},
			want: []string{"data.more_test.test_even", "case three"},
		},
		"the network is out of reach": {
			files: map[string]string{"more.rego": `package more

answer := http.send({"method": "GET", "url": "http://127.0.0.1"})
`},
			want: []string{"undefined function http.send"},
		},
		"the clock is out of reach": {
			files: map[string]string{"more.rego": "package more\n\nnow := time.now_ns()\n"},
			want:  []string{"undefined function time.now_ns"},
		},
		"a misspelt input": {
			files: map[string]string{"more.rego": `package headwater.authz

grants contains "auditors may ask" if input.principal.role == "auditor"
`},
			want: []string{"more.rego:3", "undefined ref: input.principal.role", `"roles"`},
		},
		"a misspelt hiding rule": {
			files: map[string]string{"data.json": `{"headwater": {"hidden": [{"namespce": "warehouse", "name": "hr.*"}]}}`},
			want:  []string{"test_hidden_rules_are_well_formed", `"namespce": "warehouse"`},
		},
		"a bad glob in a hiding rule": {
			files: map[string]string{"data.json": `{"headwater": {"hidden": [{"namespace": "warehouse", "name": "hr.["}]}}`},
			want:  []string{"test_hidden_rules_are_well_formed"},
		},
		"data without hiding rules": {
			files: map[string]string{"data.json": `{}`},
			want:  []string{"test_hidden_is_a_list"},
		},
		"data in a folder": {
			files: map[string]string{"lineage/data.json": `{}`},
			want:  []string{"lineage/data.json: data stands in data.json at the top of the set"},
		},
		"data over a rule": {
			files: map[string]string{"data.json": `{"headwater": {"hidden": [], "authz": {"allow": true}}}`},
			want:  []string{"conflicting rule for data path headwater/authz/allow"},
		},
		"a policy that leans on a test": {
			files: map[string]string{
				"more.rego":      "package more\n\nanswer := data.more_test.helper(1)\n",
				"more_test.rego": "package more_test\n\nhelper(x) := x\n",
			},
			want: []string{"undefined function data.more_test.helper"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := defaults(t, test.files)
			_, err := policy.Load(t.Context(), policy.Config{Dir: dir, Log: slog.New(slog.DiscardHandler)})
			for _, want := range append(test.want, dir) {
				require.ErrorContains(t, err, want)
			}
		})
	}
}

func TestDirectoryWithoutPoliciesIsAnErrorAtStart(t *testing.T) {
	t.Parallel()
	_, err := policy.Load(t.Context(), policy.Config{Dir: t.TempDir()})
	require.ErrorContains(t, err, "there is no policy file")
	_, err = policy.Load(t.Context(), policy.Config{Dir: t.TempDir() + "/absent"})
	require.ErrorContains(t, err, "no such file")
}

func TestSchemasCanBeLeftOut(t *testing.T) {
	t.Parallel()
	engine := load(t, defaults(t, map[string]string{
		"schemas/authz.json": "", "schemas/gates.json": "", "schemas/hidden.json": "", "schemas/publication.json": "",
		"schemas/visibility.json": "",
	}))
	require.True(t, allowed(t, engine, reader, traverse))
}

func TestRevisionIsOfTheFiles(t *testing.T) {
	t.Parallel()
	embedded := load(t, "")
	require.Len(t, embedded.Revision(), 32)
	require.Equal(t, embedded.Revision(), load(t, defaults(t, nil)).Revision(), "wherever they stand")
	require.Equal(t, embedded.Revision(), load(t, defaults(t, map[string]string{"README.md": "Read me."})).Revision(),
		"whatever else stands there")

	edited := load(t, defaults(t, map[string]string{"more.rego": "package more\n\nanswer := 42\n"}))
	require.NotEqual(t, embedded.Revision(), edited.Revision())
}

func TestTestNamesWhatFails(t *testing.T) {
	t.Parallel()
	results, err := policy.Test(t.Context(), policies.Files)
	require.NoError(t, err)
	require.Greater(t, len(results), 10)
	for _, result := range results {
		require.Empty(t, result.Problem, result.Name)
	}
}

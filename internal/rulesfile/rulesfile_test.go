package rulesfile_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/headwater-data/headwater/internal/rulesfile"
	"github.com/headwater-data/headwater/lineage"
)

func TestRulesAreReadFromYAML(t *testing.T) {
	rules, err := rulesfile.Parse([]byte(`
environment: prod
namespaces:
  - preset: s3
  - namespace: warehouse
    shape: schema.table
    case: lower
    also: [wh]
`))
	require.NoError(t, err)
	require.Equal(t, "prod", rules.Set().Environment)
	require.Equal(t, lineage.DatasetID{Namespace: "warehouse", Name: "raw.orders"},
		rules.Dataset(lineage.DatasetID{Namespace: "wh", Name: "RAW.Orders"}))
	require.Equal(t, "data/t", rules.Dataset(lineage.DatasetID{Namespace: "s3a://b", Name: "/data/t/dt=1"}).Name)
}

func TestWhatIsWrittenIsReadAgain(t *testing.T) {
	rules, err := rulesfile.Parse([]byte("namespaces: [{preset: hdfs}, {preset: bigquery}, {preset: snowflake, qualifier: \"a.1\", temporary: [\"tmp_*\"]}]"))
	require.NoError(t, err)
	text, err := rulesfile.Format(rules.Set())
	require.NoError(t, err)
	require.Contains(t, string(text), "\n    - namespace: hdfs://*\n")
	again, err := rulesfile.Parse(text)
	require.NoError(t, err)
	require.Equal(t, rules.Revision(), again.Revision())
}

func TestErrorsSayTheLine(t *testing.T) {
	for _, test := range []struct{ text, want string }{
		{"", "the file is empty"},
		{"namespaces:\n  - preset: s4\n", `line 2: namespaces[0].preset: there is no preset "s4"`},
		{"namespaces:\n  - namespace: a\n    shap: path\n", "line 3: namespaces[0].shap: is not known"},
		{"namespaces:\n  - namespace: a\n    also: b\n", "line 3: namespaces[0].also: has a value that does not belong there"},
		{"namespaces:\n  - namespace: a\n    staging:\n      - tmp\n", `line 4: namespaces[0].staging: "tmp" says not`},
		{"namespaces:\n  - preset: delta\n", "line 2: namespaces[0].namespace: is missing"},
		{"namespaces:\n  - preset: x\n  - preset: y\n", "line 3: namespaces[1].preset"},
		{"namespaces: [", "line 1"},
		{"- preset: s3\n", "line 1: "},
		{"1: 2\n", "1"},
	} {
		_, err := rulesfile.Parse([]byte(test.text))
		require.ErrorContains(t, err, test.want, test.text)
	}
}

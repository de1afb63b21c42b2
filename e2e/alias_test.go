package e2e

import (
	"encoding/json/v2"
	"fmt"
	"net/http"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/headwater-data/headwater/lineage"
)

// family is some names of tables in a namespace of their own.
type family struct{ namespace string }

func (f family) id(name string) lineage.DatasetID {
	return lineage.DatasetID{Namespace: f.namespace, Name: name}
}

// made sends a run that makes one table of another, at a time.
func (f family) made(t *testing.T, of, table string, at time.Time) {
	t.Helper()
	headwater.producer.send(t, event{
		kind: lineage.Complete, at: at, run: newRunID(), namespace: f.namespace, job: "make_" + table, inputs: []string{of}, outputs: []string{table},
	})
}

// called sends what a table is called, outside of any run.
func (f family) called(t *testing.T, table, name string, at time.Time) {
	t.Helper()
	document, err := json.Marshal(map[string]any{
		"eventTime": at.UTC().Format(time.RFC3339Nano),
		"dataset": map[string]any{"namespace": f.namespace, "name": table, "facets": map[string]any{
			"symlinks": map[string]any{"identifiers": []any{map[string]any{"namespace": f.namespace, "name": name, "type": "TABLE"}}},
		}},
		"producer":  "https://github.com/headwater-data/headwater/tree/main/e2e",
		"schemaURL": "https://openlineage.io/spec/2-0-2/OpenLineage.json#/$defs/DatasetEvent",
	})
	require.NoError(t, err)
	answered, err := headwater.producer.post(document)
	require.NoError(t, err)
	require.Equal(t, http.StatusCreated, answered.Status, answered.Reason)
}

// shows tells whether a caller sees this way up from a table, by the names that show.
func (f family) shows(t *testing.T, c caller, from string, way ...string) func() error {
	t.Helper()
	return func() error {
		answer, err := c.upstream(t, f.id(from), 5)
		if err == nil && !slices.Equal(names(answer), way) {
			err = fmt.Errorf("the way up from %s is %v, not %v", from, names(answer), way)
		}
		return err
	}
}

func TestLateSymlinkJoinsTheGraphs(t *testing.T) {
	f := family{"e2e-late-symlink"}
	began := time.Now().Add(-time.Hour)
	f.made(t, "source", "path", began)
	f.made(t, "table", "report", began)
	within(t, patience, f.shows(t, headwater.reader, "report", "report", "table"))
	f.called(t, "path", "table", began.Add(-time.Minute))
	within(t, patience, f.shows(t, headwater.reader, "report", "report", "path", "source"))
}

func TestTableThatIsPointedToANewLocationLeavesTheOldOne(t *testing.T) {
	f := family{"e2e-new-location"}
	began := time.Now().Add(-time.Hour)
	f.made(t, "first", "path1", began)
	f.made(t, "second", "path2", began)
	f.made(t, "table", "report", began)
	f.called(t, "path1", "table", began)
	within(t, patience, f.shows(t, headwater.reader, "report", "report", "path1", "first"))
	f.called(t, "path2", "table", began.Add(time.Minute))
	within(t, patience, f.shows(t, headwater.reader, "report", "report", "path2", "second"))
	require.NoError(t, f.shows(t, headwater.reader, "path1", "path1", "first")())
	require.Contains(t, headwaterSays(t, "alias", "list", f.namespace, "table"), "! also said to stand for e2e-new-location path1")
}

func TestAliasIsAddedAndTakenBackFromTheCommandLine(t *testing.T) {
	f := family{"e2e-alias"}
	f.made(t, "source", "path", time.Now())
	f.made(t, "table", "report", time.Now())
	within(t, patience, f.shows(t, headwater.reader, "report", "report", "table"))
	alias := []string{f.namespace, "table", "--of", f.namespace, "path", "--reason", "one table"}
	require.Contains(t, headwaterSays(t, slices.Concat([]string{"alias", "add"}, alias, []string{"--canonical"})...), "recorded at offset")
	within(t, patience, f.shows(t, headwater.reader, "report", "report", "table", "source"))
	require.Contains(t, headwaterSays(t, "alias", "list", f.namespace, "path"), "registration by")
	headwaterSays(t, slices.Concat([]string{"alias", "end"}, alias, []string{"--never"})...)
	within(t, patience, f.shows(t, headwater.reader, "report", "report", "table"))
}

func TestHiddenNameDoesNotJoinTheOthers(t *testing.T) {
	f := family{"e2e-hidden-name"}
	began := time.Now().Add(-time.Hour)
	f.made(t, "source", "path", began)
	f.made(t, "table", "report", began)
	f.called(t, "secret", "path", began)
	headwaterSays(t, "alias", "add", f.namespace, "table", "--of", f.namespace, "secret", "--reason", "one table")
	within(t, patience, f.shows(t, headwater.reader, "report", "report", "path", "source"))

	restore := hide(t, `{"headwater": {"hidden": [{"namespace": "e2e-hidden-name", "name": "secret", "unless_roles": ["admin"]}]}}`)
	within(t, patience, f.shows(t, headwater.reader, "report", "report", "table"))
	answer, err := headwater.reader.upstream(t, f.id("report"), 5)
	require.NoError(t, err)
	for _, node := range answer.GetNodes() {
		require.Empty(t, node.GetAliases(), "no alias tells of the hidden name")
	}
	require.NoError(t, f.shows(t, headwater.admin, "report", "report", "path", "source")())
	restore()
}

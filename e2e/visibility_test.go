package e2e

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"connectrpc.com/connect/v2"
	"github.com/stretchr/testify/require"

	headwaterv1 "github.com/headwater-data/headwater/gen/headwater/v1"
	"github.com/headwater-data/headwater/lineage"
)

func TestHiddenNodeCutsThePath(t *testing.T) {
	const namespace = "e2e-visibility"
	reporting := newRunID()
	for run, step := range map[string][2]string{newRunID(): {"source", "secret"}, reporting: {"secret", "report"}} {
		headwater.producer.send(t, event{
			kind: lineage.Complete, at: time.Now(), run: run, namespace: namespace, job: "make_" + step[1],
			inputs: step[:1], outputs: step[1:],
		})
	}
	report := lineage.DatasetID{Namespace: namespace, Name: "report"}
	path := func(c caller) func() error {
		return func() error {
			got, err := c.upstream(t, report, 5)
			if err == nil && !slices.Equal(names(got), []string{"report", "secret", "source"}) {
				err = fmt.Errorf("the path is %v", names(got))
			}
			return err
		}
	}
	within(t, patience, path(headwater.reader))

	restore := hide(t, `{"headwater": {"hidden": [{"namespace": "e2e-visibility", "name": "secret", "unless_roles": ["admin"]}]}}`)
	var got *headwaterv1.TraverseResponse
	within(t, patience, func() (err error) {
		got, err = headwater.reader.upstream(t, report, 5)
		if err == nil && len(got.GetNodes()) > 1 {
			err = fmt.Errorf("the path is still %v", names(got))
		}
		return err
	})
	require.Equal(t, []string{"report"}, names(got))
	require.Empty(t, got.GetEdges())
	require.Contains(t, got.GetCompleteness().GetReasons(), headwaterv1.IncompleteReason_INCOMPLETE_REASON_RESTRICTED)

	_, hidden := headwater.reader.upstream(t, lineage.DatasetID{Namespace: namespace, Name: "secret"}, 5)
	_, absent := headwater.reader.upstream(t, lineage.DatasetID{Namespace: namespace, Name: "absent"}, 5)
	require.Equal(t, connect.CodeNotFound, connect.CodeOf(hidden))
	require.Equal(t, absent.Error(), strings.ReplaceAll(hidden.Error(), "secret", "absent"), "a hidden node answers as one that does not exist")

	run, err := headwater.reader.run(t, reporting)
	require.NoError(t, err)
	require.Empty(t, run.GetInputs())
	require.Len(t, run.GetOutputs(), 1)

	require.NoError(t, path(headwater.admin)(), "a role lifts the rule")
	restore()
	within(t, patience, path(headwater.reader))
}

// hide puts other data beside the policies, until restore is called or the test ends.
func hide(t *testing.T, content string) (restore func()) {
	t.Helper()
	file := filepath.Join(headwater.Policies(), "data.json")
	before, err := os.ReadFile(file)
	require.NoError(t, err)
	replace := func(content []byte) {
		require.NoError(t, os.WriteFile(file+".new", content, 0o600))
		require.NoError(t, os.Rename(file+".new", file))
	}
	replace([]byte(content))
	restore = func() { replace(before) }
	t.Cleanup(restore)
	return restore
}
